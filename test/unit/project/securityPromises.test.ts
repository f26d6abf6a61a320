import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const onOneLine = (text: string) => text.trim().replace(/\s+/g, ' ');

/** The sections that make promises, and those of the translation that must keep pace with them. */
const SECTIONS = [
	['SECURITY.md', 'What is trusted, and what is not'],
	['docs/trust.md', 'Trust'],
	['docs/trust.md', 'Privacy'],
] as const;
const TRANSLATED = [
	['Trust', '信任'],
	['Privacy', '隐私'],
] as const;

/** A section with its paragraphs and entries of lists, each on one line. */
function blocksOf(file: string, heading: string): string[] {
	const [, section = ''] = read(file).split(`\n## ${heading}\n`);
	const [own = ''] = section.split('\n## ');
	return own
		.split(/\n(?=- )|\n\n/)
		.map(onOneLine)
		.filter(Boolean);
}

function sentencesOf(file: string, heading: string): string[] {
	return blocksOf(file, heading).flatMap((block) =>
		block
			.replace(/^- /, '')
			.replaceAll('**', '')
			.split(/(?<=[.!?])\s+(?=[A-Z*`])/),
	);
}

interface Row {
	readonly sentence: string;
	readonly proofs: readonly string[];
}

function rowsOf(file: string, heading: string): Row[] {
	const [, section = ''] = read('test/security-promises.md').split(`\n## ${file}: ${heading}\n`);
	const [own = ''] = section.split('\n## ');
	return own
		.split(/\n(?=- )/)
		.filter((row) => row.startsWith('- '))
		.map((row) => {
			const [sentence = '', ...proofs] = row
				.slice(2)
				.split(/\n {2}- /)
				.map(onOneLine);
			return { sentence, proofs };
		});
}

describe.each(SECTIONS)('%s: %s', (file, heading) => {
	const rows = rowsOf(file, heading);

	it('stands in the list of promises sentence by sentence, and the list quotes nothing else', () => {
		const sentences = sentencesOf(file, heading);
		expect(sentences.length).toBeGreaterThan(3);
		expect(rows.map(({ sentence }) => sentence)).toEqual(sentences);
	});

	it('has each sentence shown by tests that there are, or marked as no promise', () => {
		const missing = rows.flatMap(({ sentence, proofs }) =>
			proofs.length === 0
				? [`no test: ${sentence}`]
				: proofs.flatMap((proof) => (proof === '—' || isThere(proof) ? [] : [proof])),
		);
		expect(missing).toEqual([]);
	});
});

/** True where a test, or a group of tests, has this name in this file. */
function isThere(proof: string): boolean {
	const [, file = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(proof) ?? [];
	const path = join(root, 'test', file);
	if (!file.endsWith('.test.ts') || !existsSync(path)) {
		return false;
	}
	const source = readFileSync(path, 'utf8');
	return ["'", '"', '`'].some((quote) => source.includes(`${quote}${name}${quote}`));
}

it.each(TRANSLATED)('the section %s says as much in Chinese', (english, chinese) => {
	expect(blocksOf('docs/zh-cn/trust.md', chinese)).toHaveLength(blocksOf('docs/trust.md', english).length);
});

it('nothing reaches for the network but what speaks to servers, signs in, or listens to the browser or agent mode', () => {
	const reaching =
		/\bfetch\b|node:(?:https?|http2|net|tls|dns|dgram)\b|WebSocket|XMLHttpRequest|EventSource|sendBeacon|[tT]elemetry(?:Logger|Sender)/;
	const allowed = [
		'src/bridge/', // agent mode, on loopback
		'src/editor/servers/authorization/loopback.ts', // the way back of a sign-in
		'src/editor/debugging/development/debuggers.ts', // a free port on loopback for a debugger
		'src/mcp/', // servers and their authorization servers
		'src/trace/case/', // writes tests that reach for servers
		'src/demo/', // a program of its own, with its own page
		'src/recordings/http.ts', // serves a recording, on loopback
	];
	const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
		.map((file) => `src/${file.replaceAll('\\', '/')}`)
		.filter((file) => file.endsWith('.ts'));
	expect(files.length).toBeGreaterThan(100);
	const found = files.filter((file) => reaching.test(read(file)) && !allowed.some((place) => file.startsWith(place)));
	expect(found).toEqual([]);
});
