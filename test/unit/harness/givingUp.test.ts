import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../harness/paths.mjs';
import { run } from '../../harness/process.mjs';

/** How the tests of a file ended, and how many attempts were made. */
async function ran(file: string): Promise<{ statuses: string[]; attempts: number }> {
	const folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-giving-up-'));
	const report = join(folder, 'report.json');
	const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
	const config = 'test/unit/harness/givingUp/vitest.config.mjs';
	const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
	try {
		const { output } = await run(process.execPath, [vitest, 'run', '--config', config, ...reporters, file], {
			cwd: root,
		});
		const { testResults } = JSON.parse(await readFile(report, 'utf8'));
		return {
			statuses: testResults[0].assertionResults.map(({ status }: { status: string }) => status),
			attempts: [...output.matchAll(/attempt \d/g)].length,
		};
	} finally {
		await rm(folder, { recursive: true });
	}
}

it('a file of end-to-end tests in which one after the other fails ends early, and without second attempts', async () => {
	const { statuses, attempts } = await ran('broken');
	expect(statuses).toEqual([...Array(5).fill('failed'), ...Array(3).fill('pending')]);
	expect(attempts).toBe(7);
});

it('one in which tests pass in between goes on to its end', async () => {
	expect((await ran('unsteady')).statuses).toEqual(Array(12).fill('passed'));
});
