import { describe, expect, it } from 'vitest';
import { variants } from '../../nightly.ts';
import { callRawServerTool, ROUNDS } from './faults/rawServerFixtures.ts';
import { testClients } from './testClient.ts';

const world = testClients();

describe.each(variants(...ROUNDS.toReversed()))('over %s', (_wire, open) => {
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
			{ sampling: { tools: {} }, extensions: { 'com.example/charts': {} } },
			{},
			'The server needs what this client did not declare: sampling.tools, extensions.com.example/charts. ' +
				'This client does not offer sampling.tools, extensions.com.example/charts; use a tool that does not need it.',
		],
		[
			'of sampling, with the setting that declares it',
			{ sampling: {} },
			{},
			'The server needs what this client did not declare: sampling. ' +
				'Set "sampling" in its definition to "ask", then start it again.',
		],
		[
			'of roots, which its definition leaves out, with the setting that declares them',
			{ roots: {} },
			{ roots: 'none' },
			'The server needs what this client did not declare: roots. ' +
				'Set "roots" in its definition to "workspace", then start it again.',
		],
		[
			'of tasks, which were declared',
			{ extensions: { 'io.modelcontextprotocol/tasks': {} } },
			{},
			'The server needs what this client did not declare: extensions.io.modelcontextprotocol/tasks. ' +
				"This client did declare it. Report it to the server's author.",
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
		const { rawServer, calling, call } = await callRawServerTool(world(), open, {}, definition);
		const failing = calling.catch((error: Error) => error.message);
		rawServer.fail(call, { code: -32021, message: 'Missing capability', data: { requiredCapabilities } });
		expect(await failing).toBe(`raw-server: ${words}`);
		expect(rawServer.requests('tools/call')).toHaveLength(1);
	});

	it('error -32021 names the setting that turns tasks off (D08)', async () => {
		const here = world();
		here.tasks = 'never';
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const failing = calling.catch((error: Error) => error.message);
		const requiredCapabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
		rawServer.fail(call, { code: -32021, message: 'Missing capability', data: { requiredCapabilities } });
		expect(await failing).toMatch(/Set "mcpElicitation.tasks" to "auto" or "required", then start the server again\.$/);
	});
});
