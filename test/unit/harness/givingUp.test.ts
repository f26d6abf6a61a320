import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../harness/paths.mjs';
import { run } from '../../harness/process.mjs';

/** How the tests of a file ended. */
async function ran(file: string): Promise<string[]> {
	const folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-giving-up-'));
	const report = join(folder, 'report.json');
	const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
	const config = 'test/unit/harness/givingUp/vitest.config.mjs';
	try {
		await run(
			process.execPath,
			[vitest, 'run', '--config', config, '--reporter=json', `--outputFile=${report}`, file],
			{
				cwd: root,
			},
		);
		const { testResults } = JSON.parse(await readFile(report, 'utf8'));
		return testResults[0].assertionResults.map(({ status }: { status: string }) => status);
	} finally {
		await rm(folder, { recursive: true });
	}
}

it('a file of end-to-end tests in which one after the other fails ends early', async () => {
	expect(await ran('broken')).toEqual([...Array(5).fill('failed'), ...Array(3).fill('pending')]);
});

it('one in which tests pass in between goes on to its end', async () => {
	expect(await ran('unsteady')).toEqual(Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? 'passed' : 'failed')));
});
