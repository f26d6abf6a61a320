import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergeConfig } from 'vitest/config';
import { root } from '../harness/paths.mjs';
import unit from '../vitest.config.mjs';

/** @type {readonly import('./sites.mjs').Mutant[]} */
const mutants = JSON.parse(readFileSync(process.env.MUTANTS ?? '', 'utf8'));
/** Puts every mutant behind a switch. @type {import('vite').Plugin} */
const switches = {
	name: 'mutants',
	enforce: 'pre',
	transform(source, id) {
		const file = id.split('?')[0];
		const inFile = mutants.filter((mutant) => join(root, mutant.file) === file);
		return inFile
			.sort((one, other) => other.start - one.start)
			.reduce((text, { id: mutant, start, end, to }) => {
				const was = source.slice(start, end);
				const becomes =
					to === '' ? `if (!__mutant(${mutant})) { ${was} }` : `(__mutant(${mutant}) ? (${to}) : (${was}))`;
				return text.slice(0, start) + becomes + text.slice(end);
			}, source);
	},
};

const { globalSetup, projects, ...test } = unit.test;
/** What hangs by a mutant is found out soon (ms). */
const limit = { testTimeout: 30_000, hookTimeout: 30_000 };
const isSearch = process.env.MUTANT_RUNS !== undefined;

/** The unit tests, with mutants in the source. */
export default {
	test: {
		...test,
		maxWorkers: isSearch ? 1 : test.maxWorkers,
		globalSetup: ['test/mutants/folder.mjs'],
		provide: { mutant: -1 },
		projects: projects.map((project) =>
			mergeConfig(project, {
				plugins: [switches],
				test: { setupFiles: ['test/mutants/setup.ts'], ...(isSearch ? limit : {}) },
			}),
		),
	},
};
