import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../harness/paths.mjs';
import { numbersNamedIn, pages, requirementsIn, untestedFaults, withTests } from '../../harness/protocolCoverage.mjs';

const texts = await Promise.all(pages.map((name) => readFile(join(root, name), 'utf8')));
const [requirements = [], translated = []] = texts.map(requirementsIn);
const numbers = requirements.map(({ number }) => number);

describe('the protocol requirements', () => {
	it.each(pages)('%s lists the tests there are (if not: node test/harness/protocolCoverage.mjs)', async (name) => {
		expect(texts[pages.indexOf(name)]).toBe(await withTests(name));
	});

	it('have the same numbers, sources, and revisions in both languages', () => {
		const references = ({ number, source, revisions }: (typeof requirements)[number]) => [
			number,
			...(source.match(/SEP-\d+|[\d-]{10} [\w -]+(?<! )|§ [^,;)、；）]+/g) ?? []),
			revisions.replace('全部', 'all').replaceAll('、', ', '),
		];
		expect(translated.map(references)).toEqual(requirements.map(references));
	});

	it('say what each demands, where that is written, and for which revisions', () => {
		expect(requirements.length).toBeGreaterThan(50);
		const incomplete = requirements.filter(
			({ text, source, revisions }) =>
				text.length < 20 || source.length < 10 || !/^all$|20\d\d-\d\d-\d\d/.test(revisions),
		);
		expect(incomplete).toEqual([]);
		expect(numbers).toEqual([...new Set(numbers)]);
	});

	it('each have a test', () => {
		expect(requirements.filter(({ tests }) => !tests.includes('`')).map(({ number }) => number)).toEqual([]);
	});

	it.each(['src', 'test'] as const)('include every number that is named in %s', async (folder) => {
		const named = await numbersNamedIn(folder);
		expect(named.size).toBeGreaterThan(20);
		const unknown = [...named].filter(([number]) => !numbers.includes(number));
		expect(unknown.map(([number, files]) => `${number} in ${[...files].join(', ')}`)).toEqual([]);
	});
});

it('every fault is tested on the wire', async () => {
	expect(await untestedFaults()).toEqual([]);
});
