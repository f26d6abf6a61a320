import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandLine } from './commandLine.ts';

const program = commandLine();
const PLANTED = 'hunter2-planted';

/** Defines servers of the current folder that need the input `api-key`, a secret. */
async function define(servers: object): Promise<void> {
	const { folder } = program();
	await mkdir(join(folder, '.vscode'), { recursive: true });
	const inputs = [{ id: 'api-key', type: 'promptString', description: 'Key', password: true }];
	await writeFile(join(folder, '.vscode', 'mcp.json'), JSON.stringify({ inputs, servers }));
}

describe('the secret input of a server that does not start', () => {
	beforeAll(async () => {
		const complain = 'console.error("Invalid key: " + process.env.API_KEY); process.exit(1);';
		await writeFile(join(program().folder, 'server.mjs'), complain);
		await define({
			exits: { command: process.execPath, args: ['server.mjs'], env: { API_KEY: '${input:api-key}' } },
			missing: { command: 'no-such-${input:api-key}', args: [] },
			silent: { type: 'http', url: 'http://127.0.0.1:1/${input:api-key}' },
			malformed: { type: 'http', url: '${input:api-key}://127.0.0.1' },
		});
	});

	it.each([
		['record', 'exits'],
		['record', 'missing'],
		['record', 'malformed'],
		['matrix', 'exits'],
		['matrix', 'silent'],
	])('is left out of what is printed: %s %s', async (command, name) => {
		const args = [command, name, 'act', ...(command === 'record' ? ['--timeline', 'the.jsonl'] : [])];
		const { status, stdout, stderr } = await program().run(args, { MCP_TEST_API_KEY: PLANTED });
		expect(stderr).toContain('‹redacted›');
		expect(stdout + stderr).not.toContain('planted');
		expect(status).toBe(2);
	});

	it('is left out of what is printed: run --server', async () => {
		const { status, stderr } = await program().run(['run', 'none.json', '--server', 'missing'], {
			MCP_TEST_API_KEY: PLANTED,
		});
		expect(stderr).toMatch(/^The command "no-such-‹redacted›" of the server was not found\./);
		expect(status).toBe(2);
	});
});
