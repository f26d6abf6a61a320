// @ts-check
/**
 * Updates the test columns of docs/protocol-requirements.md and of its translation. The requirements and the faults themselves are
 * written by hand.
 *   node test/harness/protocolCoverage.mjs
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './paths.mjs';

/** The page in both languages. */
export const pages = ['docs/protocol-requirements.md', 'docs/zh-cn/protocol-requirements.md'];

/** A row of the requirement tables, up to the last cell, which lists the tests. */
const ROW = /^(\| ([A-Z]\d\d) \|.*\| )[^|]*\|$/gm;

/** A row of the table of faults, in the same way. */
const FAULT_ROW = /^(\| (\d+) \|.*\| )[^|]*\|$/gm;

/** A requirement number, or a range such as F06–F12. Not the color #F00. */
const NUMBER = /(?<![#\w])([EFURADKN])(\d\d)(?:–\1?(\d\d))?\b/g;

/** Comments on lines of their own. A requirement in a comment isn't tested. */
const COMMENTS = /^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm;

/**
 * A page with its test columns as they should be.
 * @param {string} name
 */
export async function withTests(name) {
	const page = await readFile(join(root, name), 'utf8');
	const requirements = await testsBy((text) => numbersIn(text.replace(COMMENTS, '')));
	const faults = await testsBy(faultsIn);
	return page
		.replace(ROW, (_row, cells, number) => `${cells}${listed(requirements.get(number))} |`)
		.replace(FAULT_ROW, (_row, cells, number) => `${cells}${listed(faults.get(number))} |`);
}

/**
 * The requirements of the page, each with its cells.
 * @param {string} page
 */
export function requirementsIn(page) {
	return [...page.matchAll(ROW)].map(([row, , number = '']) => {
		const [text = '', source = '', revisions = '', tests = ''] = row.split(' | ').slice(1);
		return { number, text, source, revisions, tests };
	});
}

/**
 * The numbers that a folder names, comments included, and where.
 * @param {'src' | 'test'} folder
 */
export async function numbersNamedIn(folder) {
	return named(await filesOf(folder, /\.(?:tsx?|mjs)$/), numbersIn);
}

/** The numbers of the faults that no test shows on the wire. What the user sees of them is tested once for each surface. */
export async function untestedFaults() {
	const [page = ''] = pages;
	const tests = await testsBy(faultsIn);
	const numbers = [...(await readFile(join(root, page), 'utf8')).matchAll(FAULT_ROW)].map(
		([, , number = '']) => number,
	);
	return numbers.filter((number) => ![...(tests.get(number) ?? [])].some((file) => file.startsWith('unit/')));
}

/**
 * The test files by the numbers that they name.
 * @param {(text: string) => string[]} read
 */
async function testsBy(read) {
	return named(await filesOf('test', /\.test\.ts$|[/\\]conformance\.mjs$/), read);
}

/**
 * @param {string} folder
 * @param {RegExp} pattern
 */
async function filesOf(folder, pattern) {
	const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name))
		.filter((file) => pattern.test(file))
		.sort();
}

/**
 * @param {readonly string[]} files
 * @param {(text: string) => string[]} read
 */
async function named(files, read) {
	/** @type {Map<string, Set<string>>} */
	const found = new Map();
	for (const file of files) {
		const [, ...path] = relative(root, file).split(/[/\\]/);
		for (const number of read(await readFile(file, 'utf8'))) {
			found.set(number, (found.get(number) ?? new Set()).add(path.join('/')));
		}
	}
	return found;
}

/** @param {ReadonlySet<string>} [tests] */
function listed(tests = new Set()) {
	return tests.size === 0 ? '—' : [...tests].map((test) => `\`${test}\``).join(', ');
}

/** @param {string} text */
function numbersIn(text) {
	/** @type {string[]} */
	const numbers = [];
	for (const [, group = '', from = '', to = from] of text.matchAll(NUMBER)) {
		for (let number = Number(from); number <= Number(to); number++) {
			numbers.push(`${group}${String(number).padStart(2, '0')}`);
		}
	}
	return numbers;
}

/**
 * The faults that the names of tests name, as `fault 7: …` or `… (fault 7)`.
 * @param {string} text
 */
function faultsIn(text) {
	return [...text.matchAll(/\bfault (\d+)(?:: |\))/g)].map(([, number = '']) => number);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	for (const name of pages) {
		await writeFile(join(root, name), await withTests(name));
	}
}
