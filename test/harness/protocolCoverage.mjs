// @ts-check
/**
 * Writes test/protocol-coverage.md: which tests name which requirement of the protocol (E01 … A06), and which have none.
 *   node test/harness/protocolCoverage.mjs
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './paths.mjs';

/** How many requirements each group has. */
const GROUPS = /** @type {const} */ ({ E: 8, F: 16, U: 13, R: 8, A: 6 });

/** The page as it should be now. */
export async function protocolCoverage() {
	const files = (await readdir(join(root, 'test'), { recursive: true, withFileTypes: true }))
		.filter((entry) => entry.isFile() && /\.test\.ts$/.test(entry.name))
		.map((entry) => join(entry.parentPath, entry.name))
		.sort();
	/** @type {Map<string, Set<string>>} */
	const named = new Map();
	for (const file of files) {
		for (const number of numbersIn(await readFile(file, 'utf8'))) {
			named.set(number, (named.get(number) ?? new Set()).add(relative(join(root, 'test'), file).replaceAll('\\', '/')));
		}
	}
	const rows = Object.entries(GROUPS).flatMap(([group, count]) =>
		Array.from({ length: count }, (_, index) => `${group}${String(index + 1).padStart(2, '0')}`).map((number) => {
			const tests = [...(named.get(number) ?? [])];
			return `| ${number} | ${tests.length === 0 ? '—' : tests.map((test) => `\`${test}\``).join(', ')} |`;
		}),
	);
	return [
		'# Protocol coverage',
		'',
		'Generated from the names of the tests.',
		'',
		'| requirement | tests |',
		'| --- | --- |',
		...rows,
		'',
	].join('\n');
}

/**
 * The numbers that a test file names, ranges such as F06–F12 included.
 * @param {string} text
 */
function numbersIn(text) {
	/** @type {string[]} */
	const numbers = [];
	for (const [, group = '', from = '', to = from] of text.matchAll(/\b([EFURA])(\d\d)(?:–[EFURA]?(\d\d))?\b/g)) {
		for (let number = Number(from); number <= Number(to); number++) {
			numbers.push(`${group}${String(number).padStart(2, '0')}`);
		}
	}
	return numbers;
}

export const coverageFile = join(root, 'test', 'protocol-coverage.md');

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	await writeFile(coverageFile, await protocolCoverage());
}
