/** The requirements of the protocol and the faults, in `docs/protocol-requirements.md` and its translation, each with its tests. */
import { filesIn, missing, read } from './project.ts';

const PAGES = ['docs/protocol-requirements.md', 'docs/zh-cn/protocol-requirements.md'] as const;

/** A row of the tables, up to the last cell, which lists the tests: a requirement, or a fault by its number. */
const ROW = /^(\| ([A-Z]\d\d|\d+) \|.*\| )[^|]*\|$/gm;

/** A requirement number, or a range such as F06–F12. Not the color #F00. */
const NUMBER = /(?<![#\w])([EFURADKN])(\d\d)(?:–\1?(\d\d))?\b/g;

/** Comments on lines of their own. A requirement in a comment isn't tested. */
const COMMENTS = /^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm;

function numbersIn(text: string): string[] {
	return [...text.matchAll(NUMBER)].flatMap(([, group = '', from = '', to = from]) =>
		Array.from(
			{ length: Number(to) - Number(from) + 1 },
			(_, at) => group + String(Number(from) + at).padStart(2, '0'),
		),
	);
}

/** The faults that the names of tests name, as `fault 7: …` or `… (fault 7)`. */
const faultsIn = (text: string) => [...text.matchAll(/\bfault (\d+)(?:: |\))/g)].map(([, number = '']) => number);

/** The files of a folder by the numbers that they name. */
function filesByNumber(folder: string, pattern: RegExp, numbers: (text: string) => string[]): Map<string, string[]> {
	const found = new Map<string, string[]>();
	for (const file of filesIn(folder, pattern)) {
		for (const number of new Set(numbers(read(file)))) {
			found.set(number, [...(found.get(number) ?? []), file.slice(folder.length + 1)]);
		}
	}
	return found;
}

const tests = () =>
	filesByNumber('test', /\.test\.ts$|\/conformance\.mjs$/, (text) => [
		...numbersIn(text.replace(COMMENTS, '')),
		...faultsIn(text),
	]);

/** The pages with their columns of tests. */
export function generated(): [path: string, content: string][] {
	const found = tests();
	const listed = (number: string) =>
		found
			.get(number)
			?.map((file) => `\`${file}\``)
			.join(', ') ?? '—';
	return PAGES.map((page) => [
		page,
		read(page).replace(ROW, (_row, cells: string, number: string) => `${cells}${listed(number)} |`),
	]);
}

/** The rows of a page, each with its cells. */
const rowsOf = (page: string) =>
	[...read(page).matchAll(ROW)].map(([row, , number = '']) => {
		const [first = '', second = '', third = ''] = row.split(' | ').slice(1);
		return { number, isFault: /^\d/.test(number), cells: [first, second, third] as const };
	});

export function* checkRequirements(): Iterable<string> {
	const [page] = PAGES;
	const rows = rowsOf(page);
	const numbers = rows.map(({ number }) => number);
	if (new Set(numbers).size < numbers.length || numbers.length < 80) {
		yield `${page}: has a number twice, or hardly any`;
	}
	for (const { number, isFault, cells } of rows) {
		const [text, source, revisions] = cells;
		if (!isFault && (text.length < 20 || source.length < 10 || !/^all$|20\d\d-\d\d-\d\d/.test(revisions))) {
			yield `${page}: ${number} should say what it demands, where that is written, and for which revisions`;
		}
	}
	for (const folder of ['src', 'test']) {
		const named = filesByNumber(folder, /\.(?:tsx?|mjs)$/, numbersIn);
		yield* missing(named.keys(), numbers).map((number) => `${page}: lacks ${number} of ${folder}/${named.get(number)}`);
	}
	const found = tests();
	for (const { number, isFault } of rows) {
		// A fault shows on the wire; what a user sees of it has a test for each surface.
		const files = (found.get(number) ?? []).filter((file) => !isFault || file.startsWith('unit/'));
		if (files.length === 0) {
			yield `${page}: ${isFault ? 'fault ' : ''}${number} has no test${isFault ? ' on the wire (test/unit)' : ''}`;
		}
	}
}

/** The same numbers, sources, and revisions in both languages, and faults of which a user sees something. */
export function* checkTranslation(): Iterable<string> {
	const [english, chinese] = PAGES.map((page) =>
		rowsOf(page).map(({ number, isFault, cells: [, second, third] }) =>
			[
				number,
				...(isFault
					? [String(third === '—')]
					: (second.match(/SEP-\d+|[\d-]{10} [\w -]+(?<! )|§ [^,;)、；）]+/g) ?? [])),
				isFault ? '' : third.replace('全部', 'all').replaceAll('、', ', '),
			].join(),
		),
	);
	const at = english?.findIndex((row, index) => row !== chinese?.[index]) ?? -1;
	if (at >= 0 || english?.length !== chinese?.length) {
		yield `${PAGES[1]}: "${chinese?.[at]}" should be "${english?.[at]}"`;
	}
}
