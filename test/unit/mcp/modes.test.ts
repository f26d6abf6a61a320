import { describe, expect, it } from 'vitest';
import { variants } from '../../nightly.ts';
import { RawHttpServer } from '../../rawServer/http.ts';
import { LEGACY, type RawServer, type RawServerOptions } from '../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../rawServer/stdio.ts';
import { connectRawServer, form, page, required } from './faults/rawServerFixtures.ts';
import { type TestClient, testClients } from './testClient.ts';

const world = testClients();

const wires = variants<[name: string, open: (options?: RawServerOptions) => Promise<RawServer>]>(
	['HTTP', RawHttpServer.open],
	['stdio', RawStdioServer.open],
);

interface ClientSession {
	readonly name: string;
	/** The server's revision. */
	readonly revision: NonNullable<RawServerOptions['revision']>;
	readonly definition?: object;
	/** The client's capabilities in `initialize`. */
	readonly declares: object;
	/** `true` for a mode that is served in the session, otherwise the reason for refusal. */
	readonly form: true | RegExp;
	readonly url: true | RegExp;
}

const both = { elicitation: { form: {}, url: {} } };
const unknownTo = (revision: string) => new RegExp(`revision ${revision}, which has no elicitation in (form|url) mode`);
const undeclared = /did not declare elicitation in (form|url) mode/;

const sessions: readonly ClientSession[] = [
	{ name: 'with everything', revision: LEGACY, declares: both, form: true, url: true },
	{
		name: 'pinned to 2025-06-18',
		revision: '2025-06-18',
		definition: { protocolVersion: '2025-06-18' },
		declares: { elicitation: {} },
		form: true,
		url: unknownTo('2025-06-18'),
	},
	{
		name: 'pinned to 2025-03-26',
		revision: '2025-03-26',
		definition: { protocolVersion: '2025-03-26' },
		declares: {},
		form: unknownTo('2025-03-26'),
		url: unknownTo('2025-03-26'),
	},
	{
		name: 'for which the server chose 2025-06-18',
		revision: '2025-06-18',
		declares: both,
		form: true,
		url: unknownTo('2025-06-18'),
	},
	...(['2025-03-26', '2024-11-05'] as const).map((revision) => ({
		name: `for which the server chose ${revision}`,
		revision,
		declares: both,
		form: true as const,
		url: unknownTo(revision),
	})),
	{
		name: 'with forms alone',
		revision: LEGACY,
		definition: { elicitation: { advertise: 'form' } },
		declares: { elicitation: { form: {} } },
		form: true,
		url: undeclared,
	},
	{
		name: 'with URLs alone',
		revision: LEGACY,
		definition: { elicitation: { advertise: 'url' } },
		declares: { elicitation: { url: {} } },
		form: undeclared,
		url: true,
	},
	{
		name: 'with URLs alone pinned to 2025-06-18',
		revision: '2025-06-18',
		definition: { elicitation: { advertise: 'url' }, protocolVersion: '2025-06-18' },
		declares: {},
		form: undeclared,
		url: unknownTo('2025-06-18'),
	},
	{
		name: 'with neither',
		revision: LEGACY,
		definition: { elicitation: { advertise: 'none' } },
		declares: {},
		form: undeclared,
		url: undeclared,
	},
];

/** Expects the elicitation to reach the user, who declines. */
async function declined(here: TestClient): Promise<void> {
	const [elicitation] = await here.asked();
	elicitation.decline();
}

describe.each(wires)('over %s', (_wire, open) => {
	describe.each(sessions)('a session $name', ({ revision, definition, declares, ...served }) => {
		it('serves what was declared in it, and refuses everything else with -32602 (D04, E01, E02, E07)', async () => {
			const here = world();
			const { rawServer, connection } = await connectRawServer(here, open, { revision }, definition);
			const { tasks: _, roots: __, ...declared } = rawServer.requests('initialize').at(-1).params.capabilities;
			expect(declared).toEqual(declares);
			const calling = connection.callTool('act', {});
			const call = await rawServer.expect('tools/call');
			for (const [mode, params] of [
				['form', form],
				['url', page('1')],
			] as const) {
				const pending = rawServer.ask(params, call);
				if (served[mode] === true) {
					await declined(here);
					expect((await pending.response).result).toEqual({ action: 'decline' });
				} else {
					const { error } = await pending.response;
					expect([error.code, error.message]).toEqual([-32602, expect.stringMatching(served[mode])]);
				}
			}
			expect(here.refusals).toHaveLength([served.form, served.url].filter((reason) => reason !== true).length);
			expect(here.registry.calls[0]?.refusals).toEqual(here.refusals.map(({ reason }) => reason));
			expect(here.registry.live).toEqual([]);
			rawServer.finish(call);
			await calling;
		});

		it('honors -32042 if URL mode was declared; otherwise the call fails with the error and is not retried (D04)', async () => {
			const here = world();
			const { rawServer, connection } = await connectRawServer(here, open, { revision }, definition);
			const outcome = connection.callTool('act', {}).catch((error) => error.message);
			rawServer.fail(await rawServer.expect('tools/call'), required(page('1')));
			if (served.url === true) {
				await declined(here);
				expect(await outcome).toMatch(/was not opened or completed/);
			} else {
				expect(await outcome).toMatch(/^raw-server: .* Its error: .*Pages first/);
				expect(await outcome).toMatch(served.url);
				expect(here.registry.elicitations).toEqual([]);
			}
			await rawServer.fence();
			expect(rawServer.requests('tools/call')).toHaveLength(1);
		});
	});
});
