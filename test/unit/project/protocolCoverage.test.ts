import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
	numbersNamedIn,
	requirementsFile,
	requirementsIn,
	untestedFaults,
	withTests,
} from '../../harness/protocolCoverage.mjs';

const page = await readFile(requirementsFile, 'utf8');
const requirements = requirementsIn(page);
const numbers = requirements.map(({ number }) => number);

describe('docs/protocol-requirements.md', () => {
	it('lists the tests there are (if not: node test/harness/protocolCoverage.mjs)', async () => {
		expect(page).toBe(await withTests(page));
	});

	it('says of each requirement what it demands, where that is written, and for which revisions', () => {
		expect(requirements.length).toBeGreaterThan(50);
		const incomplete = requirements.filter(
			({ text, source, revisions }) =>
				text.length < 20 || source.length < 10 || !/^all$|20\d\d-\d\d-\d\d/.test(revisions),
		);
		expect(incomplete).toEqual([]);
		expect(numbers).toEqual([...new Set(numbers)]);
	});

	it('has a test for each requirement', () => {
		expect(requirements.filter(({ tests }) => !tests.includes('`')).map(({ number }) => number)).toEqual([]);
	});

	it.each(['src', 'test'] as const)('has every number that is named in %s', async (folder) => {
		const named = await numbersNamedIn(folder);
		expect(named.size).toBeGreaterThan(20);
		const unknown = [...named].filter(([number]) => !numbers.includes(number));
		expect(unknown.map(([number, files]) => `${number} in ${[...files].join(', ')}`)).toEqual([]);
	});
});

it('every fault is tested on the wire, and in an editor where a user sees something of it', async () => {
	expect(await untestedFaults()).toEqual([]);
});
