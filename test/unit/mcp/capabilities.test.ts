import { describe, expect, it } from 'vitest';
import { callRawServerTool, ROUNDS } from './faults/rawServerFixtures.ts';
import { testClients } from './testClient.ts';

const world = testClients();

describe.each(ROUNDS)('over %s', (_wire, open) => {
	it.each<[string, unknown, object, string]>([
		[
			'of a mode that its definition leaves out, with the setting that declares it',
			{ elicitation: { url: {} } },
			{ elicitation: { advertise: 'form' } },
			'The server needs what this client did not declare: elicitation.url. ' +
				'Set "elicitation.advertise" in its definition to "both", then start it again.',
		],
		[
			'of everything that this client does not offer',
			{ sampling: { tools: {} }, roots: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
			{},
			'The server needs what this client did not declare: sampling.tools, roots, extensions.io.modelcontextprotocol/tasks. ' +
				'This client does not offer sampling.tools, roots, extensions.io.modelcontextprotocol/tasks; use a tool that does without.',
		],
		[
			'of what was declared, as an error of the server',
			{ elicitation: {} },
			{},
			"The server needs what this client did not declare: elicitation. This client did declare it. Report it to the server's author.",
		],
		[
			'that it does not tell, in its own words',
			undefined,
			{},
			'The server needs a capability that this client did not declare, and does not say which: Missing capability. ' +
				"Report it to the server's author; the timeline shows the whole error.",
		],
	])('error -32021 names the capability %s (D08)', async (_name, requiredCapabilities, definition, words) => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open, {}, definition);
		const failing = calling.catch((error: Error) => error.message);
		rawServer.fail(call, { code: -32021, message: 'Missing capability', data: { requiredCapabilities } });
		expect(await failing).toBe(`puppet: ${words}`);
		expect(rawServer.requests('tools/call')).toHaveLength(1);
	});
});
