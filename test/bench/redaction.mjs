// @ts-check
/**
 * How long it takes to hide secrets in 2 MB that a server has made hostile, compared with copying them: building the text anew, character
 * by character, from its UTF-16 code units. Both in processor time.
 */
import { load, withBundles } from './bundles.mjs';
import { collectGarbage, inTurns, median } from './report.mjs';

const LENGTH = 2_000_000;
const ROUNDS = 7;
const MEGABYTE = 1024 * 1024;
const GOAL = 'ratio ≤ 3';

/** @param {string} part */
const filled = (part) => part.repeat(Math.ceil(LENGTH / part.length)).slice(0, LENGTH);

/** @type {Readonly<Record<string, string>>} */
const HOSTILE = {
	'the beginning of a secret': filled('a'),
	'a secret again and again': filled('abcd'),
	'percent-encoded': filled('%41'),
	'five times percent-encoded': filled('%252525252541'),
	'one escape at each depth': `${filled('a').slice(30)}%25252541 a`,
	'no escape after %': filled('%'),
	'no entity after &': filled('&'),
	entities: filled('&#97;'),
	backslashes: filled('\\'),
	'letters with marks': filled('äü한'),
	'all escapes, of a secret': filled('\\x61bcd%26amp;'),
	'all escapes': filled("%41&amp;\\u0061ä한\\\\%25a%c3%a4\"\"'\\''&#x61;\\x61\r\n"),
	'prose and JSON': filled('the quick brown fox jumps over a lazy dog.\n{"name": "value", "n": 1}'),
};

/** Of which texts are made, two of them again and again, that could look like the beginning of a secret. */
const PARTS = [
	...[' ', 'a', '-', '.', ':', '=', '"', 'eyJ', 'sk-', '://', '@', '?token', 'Bearer ', 'cookie', '\n'],
	...['-----BEGIN PRIVATE KEY-----', 'password', '\\', "\\'password=abc"],
];

/** @returns {Promise<import('./report.mjs').Row[]>} */
export default () =>
	withBundles(async (folder) => {
		const { Secrets, redactText } = await load(folder);
		const secrets = new Secrets();
		secrets.add(Array.from({ length: 40 }, (_, index) => 'a'.repeat(1_000) + index));
		secrets.add(['aaaa', 'abcd', 'Grün & Blau']);
		secrets.hide('');
		/** @type {import('./report.mjs').Row[]} */
		const rows = [];
		for (const [name, text] of Object.entries(HOSTILE)) {
			const { hidden, copied } = await inTurns(`redaction of ${name}`, ROUNDS, {
				hidden: async () => timeOf(() => secrets.hide(text)),
				copied: async () => timeOf(() => copy(text)),
			});
			rows.push([`hiding secrets in ${name}, ms`, median(hidden), [median(copied), 'copying it'], GOAL]);
		}
		let slowest = 0;
		for (const part of PARTS.flatMap((one) => PARTS.map((two) => one + two))) {
			const text = part.repeat(60_000 / part.length);
			slowest = Math.max(
				slowest,
				timeOf(() => redactText(text)),
			);
		}
		rows.push(['hiding what looks like a secret in 60 KB, the slowest of 361 texts, ms', slowest, undefined, '≤ 300']);
		return [...rows, memory(Secrets)];
	});

/** @param {() => unknown} act */
function timeOf(act) {
	collectGarbage();
	const begun = process.cpuUsage();
	act();
	const { user, system } = process.cpuUsage(begun);
	return (user + system) / 1_000;
}

/** @param {string} text */
function copy(text) {
	let built = '';
	for (let at = 0; at < text.length; at++) {
		built += String.fromCharCode(text.charCodeAt(at));
	}
	// Until it is read, it is only a list of its parts.
	return built.charCodeAt(LENGTH - 1);
}

/**
 * As many masked values as are known at most.
 * @param {typeof import('./product.ts').Secrets} Secrets
 * @returns {import('./report.mjs').Row}
 */
function memory(Secrets) {
	collectGarbage();
	const before = process.memoryUsage();
	const most = new Secrets(500, 1_048_576);
	most.add(Array.from({ length: 500 }, (_, index) => `${index} ${'päss wort/'.repeat(30)}`));
	most.hide('');
	collectGarbage();
	const { heapUsed, arrayBuffers } = process.memoryUsage();
	const grown = heapUsed + arrayBuffers - before.heapUsed - before.arrayBuffers;
	most.hide('');
	return ['memory to search for 500 masked values, MB', grown / MEGABYTE, undefined, '≤ 40'];
}
