import { expect, it } from 'vitest';
import { variants } from '../../nightly.ts';
import { testServer } from '../mcp/testClient.ts';
import { commandLine, ending, node, peer } from './commandLine.ts';

const program = commandLine();
const form = {
	message: 'How many?',
	requestedSchema: { type: 'object', properties: { n: { type: 'integer', minimum: 3 } }, required: ['n'] },
};

/** A server of 2026-07-28 does not wait itself, so that the last trial takes the whole time. */
const SERVERS = variants(
	[peer('impatient'), ['result', 'result', 'result', 'isError', 'error']],
	[node(testServer('sdk2.mjs')), ['result', 'result', 'result', 'failed', 'waiting']],
);

it.each(SERVERS)(
	'shows every way in which the requests of a server can end: %s',
	async (server, outcomes) => {
		const { status, stdout, stderr } = await program().run([
			...['matrix', server, 'ask', JSON.stringify({ params: form }), '--json'],
		]);
		expect([status, stderr]).toEqual([0, '']);
		const { verdict, rows } = JSON.parse(stdout);
		expect(verdict).toBe('passed');
		expect(rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual(outcomes);
		expect(rows[0]).toMatchObject({ trial: 'Accept', message: '{"action":"accept","content":{"n":3}}', requests: 1 });
	},
	120_000,
);

it('fails if the call whose requests are accepted does not succeed', async () => {
	expect(await program().run(['matrix', peer('impatient'), 'refuse'])).toEqual(
		ending(1, /^Accept +Result that reports an error .*\n +\{"action":"accept"/),
	);
});

it.each<[what: string, args: readonly string[], why: RegExp]>([
	['a tool that requests nothing', ['sdk1', 'progress'], /requested nothing \(Result\), so there is nothing to try/],
	[
		'a call that fails at once',
		['sdk1', 'fail', '{"protocol": true}'],
		/requested nothing \(JSON-RPC error: -32603: .*failed as a request\.\), so/,
	],
	['arguments that are no object', ['sdk1', 'ask', '[]'], /no JSON object/],
	['arguments that are no JSON', ['sdk1', 'ask', '{'], /not JSON/],
	['a server that nobody defined', ['sdk2', 'ask'], /Did you mean "sdk1"\?/],
	['no tool', ['sdk1'], /See "mcp-elicitation matrix --help"/],
])('could not run for %s', async (_, args, why) => {
	const { run, write } = program();
	const servers = { sdk1: { command: process.execPath, args: [testServer('sdk1.mjs')] } };
	await write('.mcp.json', { mcpServers: servers });
	expect(await run(['matrix', ...args])).toEqual(ending(2, '', why));
});

it('cancels what the server requests outside of the call, where nobody can respond, and says so', async () => {
	const { stderr } = await program().run(['matrix', peer('early'), 'act']);
	expect(stderr).toContain('Cancelled, because nobody can respond here: How many?');
	expect(stderr).toContain('requested nothing (Result)');
});
