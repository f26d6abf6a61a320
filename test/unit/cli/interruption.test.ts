import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commandLine } from './commandLine.ts';

const program = commandLine();
const peer = join(import.meta.dirname, 'peers/hanging.mjs');
const server = `"${process.execPath}" "${peer}"`;

const read = (name: string) => readFile(join(program().folder, name), 'utf8');

/** Runs the program until its server hangs, and sends SIGINT once, or until the program ends. */
async function interrupted(args: readonly string[], again = false) {
	const { folder, file } = program();
	const child = spawn(process.execPath, [file, ...args], { cwd: folder });
	let [stdout, stderr] = ['', ''];
	child.stdout.on('data', (data) => (stdout += data));
	child.stderr.on('data', (data) => (stderr += data));
	const closed = once(child, 'close');
	await expect.poll(() => existsSync(join(folder, 'hanging')), { timeout: 30_000 }).toBe(true);
	child.kill('SIGINT');
	const repeated = again ? setInterval(() => child.kill('SIGINT'), 50) : undefined;
	const [status] = await closed;
	clearInterval(repeated);
	return { status, stdout, stderr };
}

// Windows ends a process that is sent SIGINT at once.
describe.skipIf(process.platform === 'win32')('Ctrl+C', () => {
	beforeEach(() => rm(join(program().folder, 'hanging'), { force: true }));

	it('ends a call that is recorded, and the timeline is written', async () => {
		const { status, stderr, stdout } = await interrupted(['record', server, 'hang', '--timeline', 'the.jsonl']);
		expect(stdout + stderr).toContain('It was interrupted.');
		expect(await read('the.jsonl')).toMatch(/tools\/call[\s\S]*notifications\/cancelled/);
		expect(status).toBe(130);
	});

	it('keeps the rows of a matrix that are known, and says that it was interrupted', async () => {
		const { status, stdout, stderr } = await interrupted(['matrix', server, 'ask']);
		expect(stdout).toMatch(/^Accept +Result .*\n +Went on\.\n$/);
		expect(stderr).toMatch(/It was interrupted\.\n$/);
		expect(status).toBe(130);
		await rm(join(program().folder, 'hanging'));
		const json = await interrupted(['matrix', server, 'ask', '--json']);
		expect(JSON.parse(json.stdout)).toMatchObject({ verdict: 'interrupted', rows: { length: 1 } });
	});

	describe('while scenarios run', () => {
		beforeAll(async () => {
			const { folder, run } = program();
			await writeFile(join(folder, 'answers.json'), '[{"action": "accept"}]');
			await run(['record', server, 'ask', '--scenario', 'ask.json', '--answers', 'answers.json']);
			const scenario = JSON.parse(await read('ask.json'));
			const hanging = { ...scenario, name: 'hang', params: { ...scenario.params, name: 'hang' }, elicitations: [] };
			await writeFile(join(folder, 'hang.json'), JSON.stringify(hanging));
		});

		it('reports those that have run', async () => {
			const args = ['run', 'ask.json', 'hang.json', 'ask.json', '--junit', 'report.xml'];
			const { status, stdout } = await interrupted(args);
			expect(stdout).toMatch(
				/✔ ask · ask\.json .*\n! hang .*\n +It was interrupted\.\n1 passed, 0 failed, 1 could not/,
			);
			expect(await read('report.xml')).toContain('tests="2" failures="0" errors="1"');
			expect(status).toBe(130);
		});

		it('ends the program at once when it is pressed again', async () => {
			const { status, stdout } = await interrupted(['run', 'hang.json'], true);
			expect(stdout).toBe('');
			expect(status).toBe(130);
		});
	});
});
