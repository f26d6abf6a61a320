import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { variants } from '../../nightly.ts';
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

describe.each(variants('stdio', 'http', 'sse'))('the reference server over %s', (transport) => {
	let listening: Listening | undefined;
	beforeAll(async () => {
		if (transport !== 'stdio') listening = await everythingOn(transport === 'http' ? 'streamableHttp' : 'sse');
	});
	afterAll(() => listening?.stop());

	it('asks with a form and for URLs, by request and by error, and goes on once they are opened', async () => {
		const here = world();
		const connection = await here.connect(
			listening
				? define('everything', { type: transport, url: listening.url })
				: stdio('everything', everything, ['stdio']),
		);
		expect([connection.era, connection.revision]).toEqual(['legacy', '2025-11-25']);
		const calling = connection.callTool('trigger-elicitation-request', {});
		const [elicitation] = await here.asked();
		expect(elicitation.origin.calls.map(({ name }) => name)).toEqual(['trigger-elicitation-request']);
		expect(elicitation.request.mode).toBe('form');
		await here.registry.accept(elicitation, { name: 'Ada', check: true });
		expect(JSON.stringify(await calling)).toContain('Ada');
		for (const errorPath of [false, true]) {
			const url = `https://example.com/${transport}/${errorPath}`;
			const requiring = connection.callTool('trigger-url-elicitation', { url, errorPath });
			if (errorPath) {
				const [required] = await here.asked();
				expect(required.origin.intake).toBe('urlRequired');
				required.opened();
				required.retried();
			}
			const [page] = await here.asked();
			expect([page.origin.intake, page.request]).toMatchObject(['request', { mode: 'url', url }]);
			page.opened();
			expect(JSON.stringify(await requiring)).toContain('User completed the URL elicitation flow');
		}
	});
});

describe('the demo', () => {
	let demo: Awaited<ReturnType<typeof bundle>>;
	beforeAll(async () => {
		demo = await bundle({ demo: 'src/demo/server.ts' });
	});
	afterAll(() => demo.remove());

	it.each(['2025-11-25', '2026-07-28'])(
		'sends two elicitations at once, and requires two URLs whose buttons are pressed (%s)',
		async (protocolVersion) => {
			const here = world();
			const connection = await here.connect(stdio('demo', demo.file('demo'), [], { protocolVersion }));
			const calling = connection.callTool('two-at-once', {});
			const forms = await here.asked(2);
			forms[0].decline();
			forms[1]?.cancel();
			expect(JSON.stringify(await calling)).toMatch(/declin.*cancel|cancel.*declin/);
			const signing = connection.callTool('needs-sign-in', {});
			for (const each of await here.asked(2)) {
				each.opened();
				const answer = await fetch((each.request as Wire).url, { method: 'POST' });
				expect(answer.ok).toBe(true);
			}
			expect(JSON.stringify(await signing)).toContain('Both accounts are connected');
			expect(here.registry.elicitations.slice(2).map(({ state }) => state)).toEqual(['completed', 'completed']);
		},
	);
});
