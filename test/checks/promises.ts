/** Every sentence of SECURITY.md and docs/trust.md that promises something names its tests in test/security-promises.md. */
import { existsSync } from 'node:fs';
import { difference, filesIn, read } from './project.ts';

/** The sections that make promises, and their translations. */
const SECTIONS = [
	['SECURITY.md', 'What is trusted, and what is not'],
	['docs/trust.md', 'Trust', '信任'],
	['docs/trust.md', 'Privacy', '隐私'],
] as const;

const onOneLine = (text: string) => text.trim().replace(/\s+/g, ' ');

const sectionOf = (file: string, heading: string) => read(file).split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

/** The paragraphs and entries of lists of a section, each on one line. */
const blocksOf = (file: string, heading: string) =>
	sectionOf(file, heading)
		.split(/\n(?=- )|\n\n/)
		.map(onOneLine)
		.filter(Boolean);

const sentencesOf = (file: string, heading: string) =>
	blocksOf(file, heading).flatMap((block) =>
		block
			.replace(/^- /, '')
			.replaceAll('**', '')
			.split(/(?<=[.!?])\s+(?=[A-Z*`])/),
	);

/** A test, or a group of tests, with this name in this file; or a check. */
function isThere(proof: string): boolean {
	const [, file = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(proof) ?? [];
	const path = `test/${file}`;
	if (file === 'checks/promises.ts') {
		return name === 'checkNetwork';
	}
	return (
		file.endsWith('.test.ts') &&
		existsSync(path) &&
		["'", '"', '`'].some((quote) => read(path).includes(`${quote}${name}${quote}`))
	);
}

export function* checkPromises(): Iterable<string> {
	const list = 'test/security-promises.md';
	for (const [file, heading, translated] of SECTIONS) {
		const rows = sectionOf(list, `${file}: ${heading}`)
			.split(/\n(?=- )/)
			.filter((row) => row.startsWith('- '))
			.map((row) =>
				row
					.slice(2)
					.split(/\n {2}- /)
					.map(onOneLine),
			);
		const sentences = sentencesOf(file, heading);
		yield* difference(
			sentences,
			rows.map(([sentence = '']) => sentence),
			`${list}: ${file}: ${heading}`,
		);
		if (sentences.length < 4) {
			yield `${file}: the section "${heading}" is gone`;
		}
		for (const [sentence, ...proofs] of rows) {
			const gone = proofs.filter((proof) => proof !== '—' && !isThere(proof));
			yield* gone.map((proof) => `${list}: there is no test ${proof}, of: ${sentence}`);
			if (proofs.length === 0) {
				yield `${list}: name a test, or "—", of: ${sentence}`;
			}
		}
		if (translated && blocksOf('docs/zh-cn/trust.md', translated).length !== blocksOf(file, heading).length) {
			yield `docs/zh-cn/trust.md: "${translated}" has more or fewer paragraphs and entries than ${file}`;
		}
	}
}

const REACHING =
	/\bfetch\b|node:(?:https?|http2|net|tls|dns|dgram)\b|WebSocket|XMLHttpRequest|EventSource|sendBeacon|[tT]elemetry(?:Logger|Sender)/;
const MAY_REACH = [
	'src/bridge/', // agent mode, on loopback, and other clients, on a socket of the user
	'src/window/', // the other end of that socket
	'src/cli/connect.ts',
	'src/editor/servers/authorization/loopback.ts', // the way back of a sign-in
	'src/editor/debugging/development/serverDebuggers.ts', // a free port on loopback for a debugger
	'src/mcp/', // servers and their authorization servers
	'src/demo/', // a program of its own, with its own page
	'src/recordings/http.ts', // serves a recording, on loopback
	'src/tap/', // passes on what a client says to the server that it names, from loopback
];

/** Nothing reaches for the network but what speaks to servers, signs in, or listens to the browser, agent mode, or other clients. */
export function* checkNetwork(): Iterable<string> {
	const files = filesIn('src', /\.ts$/).filter((file) => !MAY_REACH.some((place) => file.startsWith(place)));
	yield* files
		.filter((file) => REACHING.test(read(file)))
		.map((file) => `${file}: must not reach for the network (SECURITY.md)`);
}
