import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { REDACTED } from '../../../src/privacy/secrets.ts';
import { scenarioFile } from '../../../src/trace/case/scenario.ts';
import { caseOf, clerk, SECRETS } from '../trace/case/stage.ts';
import { commandLine, ending, node } from './commandLine.ts';

const program = commandLine();

/** The command line of a server that serves a recording. */
const mock = (recording: string) => `${node(program().file)} serve ${recording}`;

describe.each([
	['with sessions', []],
	['without sessions', ['modern']],
])('a recording of a server %s', (_, args) => {
	it('stands in for it: the scenario of the same call passes over stdio and over HTTP', async () => {
		const { folder, run, file, write } = program();
		const content = { name: 'Ada', door_code: SECRETS.MCP_TEST_DOOR_CODE, pin: 4711 };
		await write('answers.json', { action: 'accept', content });
		const files = ['--timeline', 'the.jsonl', '--scenario', 'the.json', '--answers', 'answers.json'];
		expect(await run(['record', node(clerk, ...args), 'take', '{}', ...files])).toMatchObject({ status: 0 });
		const env = { MCP_TEST_DOOR_CODE: 'other', MCP_TEST_PIN: '1' };
		expect(await run(['run', 'the.json', '--command', mock('the.jsonl')], env)).toEqual(ending(0, /1 passed/));
		const http = spawn(process.execPath, [file, 'serve', 'the.jsonl', '--port', '0'], { cwd: folder });
		const [said] = (await once(createInterface({ input: http.stdout }), 'line')) as [string];
		const url = said.slice(said.indexOf('http:'));
		expect(await run(['run', 'the.json', '--url', url], env)).toEqual(ending(0, /1 passed/));
		http.kill('SIGINT');
		const ended = await once(http, 'exit');
		// On Windows, every signal terminates at once.
		if (process.platform !== 'win32') {
			expect(ended).toEqual([0, null]);
		}
	});
});

it('stands in for a server that repeats a secret in a request, which the recording lacks', async () => {
	const { run, write } = program();
	const asked = (code: string) => ({ message: `Use ${code}?`, requestedSchema: { type: 'object', properties: {} } });
	const called = (code: string) => ({ name: 'deploy', arguments: { code } });
	const lines = [
		['sent', { method: 'tools/call', params: called(REDACTED) }],
		['received', { method: 'elicitation/create', params: asked(REDACTED) }],
		['sent', { result: { action: 'decline' } }],
		['received', { result: { content: [] } }],
	].map(([direction, message]) =>
		JSON.stringify({ server: 's', direction, message: { jsonrpc: '2.0', id: 1, ...(message as object) } }),
	);
	await write('secret.jsonl', lines.join('\n'));
	const scenario = caseOf({
		params: called('‹CODE›'),
		elicitations: [{ turn: 1, asked: { mode: 'form', ...asked('‹CODE›') }, answer: { action: 'decline' } }],
		variables: [{ name: 'CODE', type: 'string', role: 'argument' }],
	});
	await write('secret.json', scenarioFile(scenario, '.'));
	const args = ['run', 'secret.json', '--command', mock('secret.jsonl')];
	expect(await run(args, { CODE: 'planted' })).toEqual(ending(0, /1 passed/));
});

const LINE = { server: 's', direction: 'received', message: { jsonrpc: '2.0', method: 'notifications/message' } };

it('says that the last line of the recording was cut off', async () => {
	const { folder, file, write } = program();
	await write('cut.jsonl', `${JSON.stringify(LINE)}\n${JSON.stringify(LINE).slice(0, -20)}`);
	const child = spawn(process.execPath, [file, 'serve', 'cut.jsonl'], { cwd: folder });
	const [said] = await once(createInterface({ input: child.stderr }), 'line');
	expect(said).toBe('The recording ends in the middle of a line; what it held is missing.');
	child.stdin.end();
	expect(await once(child, 'exit')).toEqual([0, null]);
});

it.each<[string, readonly string[], RegExp]>([
	[
		'there is no message in it',
		['empty.jsonl'],
		/^The recording has no messages\. Name a timeline that was exported as JSON Lines\.\n$/,
	],
	['its port is none', ['empty.jsonl', '--port', '65536'], /"65536" is no port/],
	['it is not there', ['nowhere.jsonl'], /There is no file/],
	['none is named', [], /serve takes one recording/],
])('is not served if %s', async (_, args, why) => {
	const { run, write } = program();
	await write('empty.jsonl', '\n');
	expect(await run(['serve', ...args])).toEqual(ending(2, '', why));
});

it('says which port is taken', async () => {
	const { run, write } = program();
	await write('one.jsonl', `${JSON.stringify(LINE)}\n`);
	const taken = createServer().listen(0, '127.0.0.1');
	await once(taken, 'listening');
	const { port } = taken.address() as AddressInfo;
	const ran = await run(['serve', 'one.jsonl', '--port', String(port)]);
	taken.close();
	const why = `^The port ${port} cannot be used: .*EADDRINUSE.*\\. Give another one, or 0 for any free port\\.\n$`;
	expect(ran).toEqual(ending(2, '', new RegExp(why)));
});
