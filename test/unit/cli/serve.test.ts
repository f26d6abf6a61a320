import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import type { RecordedCase } from '../../../src/trace/case/recordedCase.ts';
import { scenarioFile } from '../../../src/trace/case/scenario.ts';
import { REDACTED } from '../../../src/trace/secrets.ts';
import { clerk, SECRETS } from '../trace/case/stage.ts';
import { commandLine } from './commandLine.ts';

const program = commandLine();

describe.each([
	['with sessions', []],
	['without sessions', ['modern']],
])('a recording of a server %s', (_, args) => {
	it('stands in for it: the scenario of the same call passes over stdio and over HTTP', async () => {
		const { folder, run, file } = program();
		const content = { name: 'Ada', door_code: SECRETS.MCP_TEST_DOOR_CODE, pin: 4711 };
		await writeFile(join(folder, 'answers.json'), JSON.stringify({ action: 'accept', content }));
		const line = [process.execPath, clerk, ...args].map((word) => `"${word}"`).join(' ');
		const files = ['--timeline', 'the.jsonl', '--scenario', 'the.json', '--answers', 'answers.json'];
		expect(await run(['record', line, 'take', '{}', ...files])).toMatchObject({ status: 0 });
		const mock = `"${process.execPath}" "${file}" serve the.jsonl`;
		const env = { MCP_TEST_DOOR_CODE: 'other', MCP_TEST_PIN: '1' };
		const overStdio = await run(['run', 'the.json', '--command', mock], env);
		expect(overStdio.stdout).toContain('1 passed');
		const http = spawn(process.execPath, [file, 'serve', 'the.jsonl', '--port', '0'], { cwd: folder });
		const [said] = (await once(createInterface({ input: http.stdout }), 'line')) as [string];
		const url = said.slice(said.indexOf('http:'));
		const overHttp = await run(['run', 'the.json', '--url', url], env);
		expect(overHttp.stdout).toContain('1 passed');
		http.kill('SIGINT');
		const ending = await once(http, 'exit');
		// On Windows, every signal terminates at once.
		if (process.platform !== 'win32') {
			expect(ending).toEqual([0, null]);
		}
	});
});

it('stands in for a server that repeats a secret in a request, which the recording lacks', async () => {
	const { folder, run, file } = program();
	const requestedSchema = { type: 'object', properties: {} };
	const result = { content: [] };
	const asked = (code: string) => ({ message: `Use ${code}?`, requestedSchema });
	const called = (code: string) => ({ name: 'deploy', arguments: { code } });
	const jsonrpc = '2.0';
	const messages = [
		['sent', { jsonrpc, id: 1, method: 'tools/call', params: called(REDACTED) }],
		['received', { jsonrpc, id: 1, method: 'elicitation/create', params: asked(REDACTED) }],
		['sent', { jsonrpc, id: 1, result: { action: 'decline' } }],
		['received', { jsonrpc, id: 1, result }],
	].map(([direction, message]) => JSON.stringify({ server: 's', direction, message }));
	await writeFile(join(folder, 'secret.jsonl'), messages.join('\n'));
	const scenario: RecordedCase = {
		...{ name: 'deploy', revision: '2025-11-25', method: 'tools/call', params: called('‹CODE›'), isTask: false },
		server: { type: 'stdio', command: 'none', args: [], cwd: '.', env: {} },
		capabilities: { elicitation: { form: {} } },
		elicitations: [{ turn: 1, asked: { mode: 'form', ...asked('‹CODE›') }, answer: { action: 'decline' } }],
		expected: { result },
		variables: [{ name: 'CODE', type: 'string', role: 'argument' }],
	};
	const site = { file: 'secret.json', workspaceFolder: { relative: '.' } };
	await writeFile(join(folder, 'secret.json'), scenarioFile(scenario, site));
	const mock = `"${process.execPath}" "${file}" serve secret.jsonl`;
	const { stdout } = await run(['run', 'secret.json', '--command', mock], { CODE: 'planted' });
	expect(stdout).toContain('1 passed');
});

it('says that the last line of the recording was cut off', async () => {
	const { folder, file, run } = program();
	const server = `"${process.execPath}" "${clerk}"`;
	await run(['record', server, 'take', '{}', '--timeline', 'whole.jsonl']);
	const whole = await readFile(join(folder, 'whole.jsonl'), 'utf8');
	await writeFile(join(folder, 'cut.jsonl'), whole.slice(0, -20));
	const child = spawn(process.execPath, [file, 'serve', 'cut.jsonl'], { cwd: folder });
	const [said] = await once(createInterface({ input: child.stderr }), 'line');
	expect(said).toBe('The recording ends in the middle of a line; what it held is missing.');
	child.stdin.end();
	expect(await once(child, 'exit')).toEqual([0, null]);
});

it('is not served if there is no message in it, or the port is none', async () => {
	const { folder, run } = program();
	await writeFile(join(folder, 'empty.jsonl'), '\n');
	expect(await run(['serve', 'empty.jsonl'])).toEqual({
		status: 2,
		stdout: '',
		stderr: 'The recording has no messages. Name a timeline that was exported as JSON Lines.\n',
	});
	for (const [args, why] of [
		[['empty.jsonl', '--port', '65536'], /"65536" is no port/],
		[['nowhere.jsonl'], /There is no file/],
		[[], /serve takes one recording/],
	] as const) {
		const { status, stderr } = await run(['serve', ...args]);
		expect(stderr).toMatch(why);
		expect(status).toBe(2);
	}
});

it('says which port is taken', async () => {
	const { folder, run } = program();
	const line = { server: 's', direction: 'received', message: { jsonrpc: '2.0', method: 'notifications/message' } };
	await writeFile(join(folder, 'one.jsonl'), `${JSON.stringify(line)}\n`);
	const taken = createServer().listen(0, '127.0.0.1');
	await once(taken, 'listening');
	const { port } = taken.address() as AddressInfo;
	const { status, stderr } = await run(['serve', 'one.jsonl', '--port', String(port)]);
	taken.close();
	expect(stderr).toMatch(
		new RegExp(`^The port ${port} cannot be used: .*EADDRINUSE.*\\. Give another one, or 0 for any free port\\.\n$`),
	);
	expect(status).toBe(2);
});
