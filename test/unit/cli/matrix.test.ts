import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { variants } from '../../nightly.ts';
import { testServer } from '../mcp/testClient.ts';
import { commandLine } from './commandLine.ts';

const program = commandLine();
const form = {
	message: 'How many?',
	requestedSchema: { type: 'object', properties: { n: { type: 'integer', minimum: 3 } }, required: ['n'] },
};

/** A server of 2026-07-28 does not wait itself, so that the last trial takes the whole time. */
const SERVERS = variants(
	[join(import.meta.dirname, 'peers/impatient.mjs'), ['result', 'result', 'result', 'isError', 'error']],
	[testServer('sdk2.mjs'), ['result', 'result', 'result', 'failed', 'waiting']],
);

it.each(SERVERS)(
	'shows every way in which the requests of a server can end: %s',
	async (file, outcomes) => {
		const args = ['matrix', `"${process.execPath}" "${file}"`, 'ask', JSON.stringify({ params: form }), '--json'];
		const { status, stdout, stderr } = await program().run(args);
		expect([status, stderr]).toEqual([0, '']);
		const { verdict, rows } = JSON.parse(stdout);
		expect(verdict).toBe('passed');
		expect(rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual(outcomes);
		expect(rows[0]).toMatchObject({ trial: 'Accept', message: '{"action":"accept","content":{"n":3}}', requests: 1 });
	},
	120_000,
);

it('fails if the call whose requests are accepted does not succeed', async () => {
	const peer = join(import.meta.dirname, 'peers/impatient.mjs');
	const { status, stdout } = await program().run(['matrix', `"${process.execPath}" "${peer}"`, 'refuse']);
	expect(stdout).toMatch(/^Accept +Result that reports an error .*\n +\{"action":"accept"/);
	expect(status).toBe(1);
});

it('could not run for a tool that requests nothing, arguments that are no object, or a server that nobody defined', async () => {
	const { folder, run } = program();
	const servers = { sdk1: { command: process.execPath, args: [testServer('sdk1.mjs')] } };
	await writeFile(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
	for (const [args, why] of [
		[['sdk1', 'progress'], /requested nothing \(Result\), so there is nothing to try/],
		[
			['sdk1', 'fail', '{"protocol": true}'],
			/requested nothing \(JSON-RPC error: -32603: .*failed as a request\.\), so/,
		],
		[['sdk1', 'ask', '[]'], /no JSON object/],
		[['sdk1', 'ask', '{'], /not JSON/],
		[['sdk2', 'ask'], /Did you mean "sdk1"\?/],
		[['sdk1'], /See "mcp-elicitation matrix --help"/],
	] as const) {
		const { status, stdout, stderr } = await run(['matrix', ...args]);
		expect(stderr).toMatch(why);
		expect([status, stdout]).toEqual([2, '']);
	}
});

it('cancels what the server requests outside of the call, where nobody can respond, and says so', async () => {
	const peer = join(import.meta.dirname, 'peers/early.mjs');
	const { stderr } = await program().run(['matrix', `"${process.execPath}" "${peer}"`, 'act']);
	expect(stderr).toContain('Cancelled, because nobody can respond here: How many?');
	expect(stderr).toContain('requested nothing (Result)');
});
