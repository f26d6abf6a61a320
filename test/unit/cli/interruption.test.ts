import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commandLine, peer } from './commandLine.ts';

const program = commandLine();
const server = peer('hanging');

/** Runs the program in a process until its server hangs, and sends SIGINT once, or until the program ends. */
async function interrupted(args: readonly string[], again = false) {
	const { folder, file } = program();
	const child = spawn(process.execPath, [file, ...args], { cwd: folder });
	let [stdout, stderr] = ['', ''];
	child.stdout.on('data', (data) => (stdout += data));
	child.stderr.on('data', (data) => (stderr += data));
	const closed = once(child, 'close');
	await expect.poll(() => existsSync(join(folder, 'hanging'))).toBe(true);
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
		expect(await program().read('the.jsonl')).toMatch(/tools\/call[\s\S]*notifications\/cancelled/);
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
			const { run, read, write } = program();
			await write('answers.json', [{ action: 'accept' }]);
			await run(['record', server, 'ask', '--scenario', 'ask.json', '--answers', 'answers.json']);
			const scenario = JSON.parse(await read('ask.json'));
			const params = { ...scenario.params, name: 'hang' };
			await write('hang.json', { ...scenario, name: 'hang', params, elicitations: [] });
		});

		it('reports those that have run', async () => {
			const args = ['run', 'ask.json', 'hang.json', 'ask.json', '--junit', 'report.xml'];
			const { status, stdout } = await interrupted(args);
			expect(stdout).toMatch(
				/✔ ask · ask\.json .*\n! hang .*\n +It was interrupted\.\n1 passed, 0 failed, 1 could not/,
			);
			expect(await program().read('report.xml')).toContain('tests="2" failures="0" errors="1"');
			expect(status).toBe(130);
		});

		it('ends the program at once when it is pressed again', async () => {
			expect(await interrupted(['run', 'hang.json'], true)).toMatchObject({ status: 130, stdout: '' });
		});
	});
});
