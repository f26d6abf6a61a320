import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerDefinition } from '../../../src/config/definition.ts';
import {
	bundle,
	define,
	everything,
	everythingOn,
	type Listening,
	stdio,
	testClients,
	type Wire,
} from './testClient.ts';

const world = testClients();

describe('the reference server', () => {
	const listeners: Listening[] = [];
	const definitions: Record<string, ServerDefinition> = {};
	beforeAll(async () => {
		const [http, sse] = await Promise.all([everythingOn('streamableHttp'), everythingOn('sse')]);
		listeners.push(http, sse);
		definitions['stdio'] = stdio('everything', everything, ['stdio']);
		definitions['streamable HTTP'] = define('everything', { url: http.url });
		definitions['SSE'] = define('everything', { type: 'sse', url: sse.url });
	});
	afterAll(() => {
		for (const { stop } of listeners) stop();
	});

	describe.each(['stdio', 'streamable HTTP', 'SSE'])('over %s', (transport) => {
		it('asks its form and gets the answer', async () => {
			const here = world();
			const connection = await here.connect(definitions[transport] as ServerDefinition);
			expect([connection.era, connection.revision]).toEqual(['legacy', '2025-11-25']);
			const calling = connection.callTool('trigger-elicitation-request', {});
			const [elicitation] = await here.asked();
			expect(elicitation.origin.calls.map(({ name }) => name)).toEqual(['trigger-elicitation-request']);
			expect(elicitation.request.mode).toBe('form');
			await here.registry.accept(elicitation, { name: 'Ada', check: true });
			expect(JSON.stringify(await calling)).toContain('Ada');
		});

		it.each(['request', 'error'])('asks for a URL by %s, and goes on once it was opened', async (path) => {
			const here = world();
			const connection = await here.connect(definitions[transport] as ServerDefinition);
			const url = `https://example.com/${transport.replace(' ', '-')}`;
			const calling = connection.callTool('trigger-url-elicitation', { url, errorPath: path === 'error' });
			if (path === 'error') {
				const [required] = await here.asked();
				expect(required.origin.intake).toBe('urlRequired');
				required.opened();
				required.retried();
			}
			const elicitation = await here.until(() =>
				here.registry.live.find(({ request, origin }) => origin.intake === 'request' && request.mode === 'url'),
			);
			expect(elicitation.request).toMatchObject({ url });
			elicitation.opened();
			expect(JSON.stringify(await calling)).toContain('User completed the URL elicitation flow');
		});
	});
});

describe.each(['2025-11-25', '2026-07-28'])('the demo in revision %s', (protocolVersion) => {
	let demo: Awaited<ReturnType<typeof bundle>>;
	beforeAll(async () => {
		demo = await bundle({ demo: 'src/demo/server.ts' });
	});
	afterAll(() => demo.remove());

	const connect = (here: ReturnType<typeof world>) =>
		here.connect(stdio('demo', demo.file('demo'), [], { protocolVersion }));

	it('sends two elicitations at once, and each gets its own answer', async () => {
		const here = world();
		const connection = await connect(here);
		const calling = connection.callTool('two-at-once', {});
		const forms = await here.asked(2);
		forms[0].decline();
		forms[1]?.cancel();
		expect(JSON.stringify(await calling)).toMatch(/declin.*cancel|cancel.*declin/);
	});

	it('requires two URL elicitations, is satisfied by pressing their buttons, and the call goes through', async () => {
		const here = world();
		const connection = await connect(here);
		const calling = connection.callTool('needs-sign-in', {});
		for (const each of await here.asked(2)) {
			each.opened();
			const answer = await fetch((each.request as Wire).url, { method: 'POST' });
			expect(answer.ok).toBe(true);
		}
		expect(JSON.stringify(await calling)).toContain('Both accounts are connected');
		expect(here.registry.elicitations.map(({ state }) => state)).toEqual(['completed', 'completed']);
	});
});
