import { readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { root } from '../../harness/paths.mjs';
import { run } from '../../harness/process.mjs';
import { itByNight } from '../../nightly.ts';

interface File {
	readonly name: string;
	readonly assertionResults: readonly { readonly status: string }[];
}

itByNight(
	'a file of end-to-end tests ends early if one after the other fails, and not if some pass in between',
	async () => {
		const report = join(tmpdir(), `mcp-elicitation-giving-up-${process.pid}.json`);
		const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
		const options = [
			'--config',
			'test/unit/harness/givingUp/vitest.config.mjs',
			'--reporter=json',
			`--outputFile=${report}`,
		];
		await run(process.execPath, [vitest, 'run', ...options], { cwd: root });
		const { testResults }: { testResults: readonly File[] } = JSON.parse(await readFile(report, 'utf8'));
		await rm(report);
		const ended = (file: string) =>
			testResults.find(({ name }) => name.endsWith(`${file}.file.ts`))?.assertionResults.map(({ status }) => status);
		expect(ended('broken')).toEqual([...Array(5).fill('failed'), ...Array(3).fill('pending')]);
		expect(ended('unsteady')).toEqual(Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? 'passed' : 'failed')));
	},
);
