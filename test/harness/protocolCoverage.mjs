// @ts-check
/**
 * Writes docs/protocol-requirements.md: which tests name which requirement of the protocol (E01 … D08) and which fault, and which
 * have none.
 *   node test/harness/protocolCoverage.mjs
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FAULTS } from './faults.mjs';
import { root } from './paths.mjs';

/** How many requirements each group has. */
const GROUPS = /** @type {const} */ ({ E: 8, F: 16, U: 13, R: 8, A: 6, D: 8 });

/** The page as it should be now. */
export async function protocolCoverage() {
	const requirements = await testsBy(numbersIn);
	const rows = Object.entries(GROUPS).flatMap(([group, count]) =>
		Array.from({ length: count }, (_, index) => `${group}${String(index + 1).padStart(2, '0')}`).map(
			(number) => `| ${number} | ${listed(requirements.get(number))} |`,
		),
	);
	const faults = await testsBy(faultsIn);
	const faultRows = FAULTS.map(
		({ fault, wire, person = '—' }, index) =>
			`| ${index + 1} | ${fault} | ${wire} | ${person} | ${listed(faults.get(String(index + 1)))} |`,
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
		'## Faults',
		'',
		'| no. | fault | on the wire | the person sees | tests |',
		'| --- | --- | --- | --- | --- |',
		...faultRows,
		'',
	].join('\n');
}

/** The faults without a test whose name begins with their number: on the wire, or in an editor where a person sees something. */
export async function untestedFaults() {
	const tests = await testsBy(faultsIn);
	return FAULTS.flatMap(({ person }, index) => {
		const files = [...(tests.get(String(index + 1)) ?? [])];
		return [
			...(files.some((file) => file.startsWith('unit/')) ? [] : [`${index + 1} on the wire`]),
			...(person === undefined || files.some((file) => file.startsWith('e2e/')) ? [] : [`${index + 1} in an editor`]),
		];
	});
}

/**
 * The test files by the numbers that they name.
 * @param {(text: string) => string[]} read
 */
async function testsBy(read) {
	const files = (await readdir(join(root, 'test'), { recursive: true, withFileTypes: true }))
		.filter((entry) => entry.isFile() && /\.test\.ts$|^conformance\.mjs$/.test(entry.name))
		.map((entry) => join(entry.parentPath, entry.name))
		.sort();
	/** @type {Map<string, Set<string>>} */
	const named = new Map();
	for (const file of files) {
		for (const number of read(await readFile(file, 'utf8'))) {
			named.set(number, (named.get(number) ?? new Set()).add(relative(join(root, 'test'), file).replaceAll('\\', '/')));
		}
	}
	return named;
}

/** @param {ReadonlySet<string>} [tests] */
function listed(tests = new Set()) {
	return tests.size === 0 ? '—' : [...tests].map((test) => `\`${test}\``).join(', ');
}

/**
 * The numbers that a test file names, ranges such as F06–F12 included.
 * @param {string} text
 */
function numbersIn(text) {
	/** @type {string[]} */
	const numbers = [];
	for (const [, group = '', from = '', to = from] of text.matchAll(/\b([EFURAD])(\d\d)(?:–[EFURAD]?(\d\d))?\b/g)) {
		for (let number = Number(from); number <= Number(to); number++) {
			numbers.push(`${group}${String(number).padStart(2, '0')}`);
		}
	}
	return numbers;
}

/**
 * The faults with which the names of tests begin.
 * @param {string} text
 */
function faultsIn(text) {
	return [...text.matchAll(/['"`]fault (\d+): /g)].map(([, number = '']) => number);
}

export const coverageFile = join(root, 'docs', 'protocol-requirements.md');

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	await writeFile(coverageFile, await protocolCoverage());
}
