/** What the documents name exists: files, headings, scripts. Both languages have the same structure. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { COMMANDS, type Command } from '../../src/editor/common/commandTable.ts';
import {
	CHINESE,
	ENGLISH,
	filesIn,
	isChinese,
	manifest,
	missing,
	proseOf,
	read,
	strings,
	translationOf,
} from './project.ts';

const DOCUMENTS = [...ENGLISH, ...CHINESE, 'SECURITY.md', 'CONTRIBUTING.md', 'test/README.md'];

/** What runs scripts, beside the documents. */
const PROGRAMS = [...filesIn('.github/workflows', /\.yml$/), ...filesIn('.vscode', /\.json$/)];

/** Where the documents may start a path: the checkout, and for the tests its folder `test`. */
const BASES = ['.', 'test'];
const NAMES = new Set(BASES.flatMap((base) => readdirSync(base)));

/** What a build or a test run writes. */
const GENERATED = /^(?:dist|test-results)\//;

/** Files of users and their projects, and of the package. */
const FOREIGN = new Set([
	...['mcp.json', '.mcp.json', 'server.json', '.vscode/mcp.json', '.mcp/elicitations/*.json'],
	...['api.d.ts', 'sbom.cdx.json'],
]);

/** Every word that is a path of this repository: it begins with one of its folders, or is in backticks and has an extension. */
export function pathsIn(text: string): string[] {
	const words = text.split(/[\s`'"()[\]|,]+/).map((word) => word.replace(/^(?:\.\.?\/)+|[.:;]+$/g, ''));
	const withFolder = words.filter((word) => word.includes('/') && NAMES.has(word.slice(0, word.indexOf('/'))));
	const files = [...text.matchAll(/`([\w./*-]+\.(?:tsx?|mjs|cjs|json|md|yml|css))`/g)].map(([, file = '']) => file);
	return [...new Set([...withFolder, ...files])].filter((path) => !GENERATED.test(path) && !FOREIGN.has(path));
}

function isThere(path: string): boolean {
	return BASES.some((base) => {
		const full = join(base, path);
		const pattern = new RegExp(`^${basename(path).replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
		return path.includes('*')
			? existsSync(dirname(full)) && readdirSync(dirname(full)).some((name) => pattern.test(name))
			: existsSync(full);
	});
}

/** The ids that a renderer of Markdown gives to headings. */
const headingsIn = (text: string) =>
	[...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} -]/gu, '')
			.replaceAll(' ', '-'),
	);

export function* checkPaths(): Iterable<string> {
	for (const page of DOCUMENTS) {
		const gone = pathsIn(read(page)).filter((path) => !isThere(path));
		yield* gone.map((path) => `${page}: names ${path}, which does not exist`);
	}
}

export function* checkLinks(): Iterable<string> {
	for (const page of DOCUMENTS) {
		for (const [link, file = '', heading = ''] of proseOf(read(page)).matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)) {
			const target = file ? join(dirname(page), file) : page;
			if (!existsSync(target) || (heading !== '' && !headingsIn(read(target)).includes(heading))) {
				yield `${page}: the link ${link} leads nowhere`;
			}
		}
	}
}

/** A page that names a command with our category sends its readers to the Command Palette. */
export function* checkPaletteCommands(): Iterable<string> {
	for (const page of [...ENGLISH, ...CHINESE]) {
		const texts = strings[isChinese(page) ? 'chinese' : 'english'];
		const listed = Object.entries<Command>(COMMANDS).filter(([, { palette }]) => palette !== undefined);
		const named = [...read(page).matchAll(/\*MCP Elicitation: ([^*]+)\*/g)].map(([, title = '']) => title);
		const known = listed.map(([id]) => texts[`command.${id}`] ?? '');
		yield* missing(named, known).map((title) => `${page}: the Command Palette never lists "${title}"; say where it is`);
	}
}

/** `npm run test:unit`, in a document also just `test:unit`, and `node x.mjs`. */
export function* checkScripts(): Iterable<string> {
	for (const path of [...DOCUMENTS, ...PROGRAMS]) {
		const scripts = [...read(path).matchAll(/npm run ([\w:-]+)|`(\w+:\w+)`/g)].map(([, run, name]) => run ?? name);
		yield* missing(scripts, Object.keys(manifest.scripts)).map((name) => `${path}: package.json has no script ${name}`);
	}
	for (const path of ['README.md', 'README.zh-cn.md', ...PROGRAMS]) {
		const programs = [...read(path).matchAll(/\bnode ([\w./-]+\.mjs)\b/g)].map(([, program = '']) => program);
		yield* programs.filter((program) => !isThere(program)).map((program) => `${path}: runs ${program}, which is gone`);
	}
	const files = Object.values<string>(manifest.scripts).flatMap((line) => line.match(/[\w./-]+\.mjs\b/g) ?? []);
	yield* files.filter((file) => !existsSync(file)).map((file) => `package.json: a script runs ${file}, which is gone`);
}

export function* checkTranslations(): Iterable<string> {
	yield* missing(ENGLISH.map(translationOf), CHINESE).map((page) => `${page} is missing`);
	yield* missing(CHINESE, ENGLISH.map(translationOf)).map((page) => `${page} has no English page`);
	const partsOf = (page: string) =>
		read(page)
			.split('\n')
			.flatMap((line) => /^(#+|```|- |\d\. |\||!\[|<picture>)/.exec(line)?.[1] ?? []);
	for (const page of ENGLISH) {
		const [english, chinese] = [partsOf(page), partsOf(translationOf(page))];
		const at = english.findIndex((part, index) => part !== chinese[index]);
		if (at >= 0 || chinese.length > english.length) {
			yield `${translationOf(page)}: other sections, examples, pictures, or rows than ${page}, from "${english[at] ?? ''}" number ${at + 1}`;
		}
	}
}

/** At most 100 lines and short sentences, and it says how to install. */
export function* checkReadme(): Iterable<string> {
	const text = read('README.md');
	if (text.split('\n').length > 100 || !text.includes('## Install')) {
		yield 'README.md: has more than 100 lines, or no section "Install"';
	}
	const prose = text
		.replace(/```[\s\S]*?```|^\|.*$|^!\[.*$|^#.*$|^\[.*\]\(.*\)$|^- \[.*$/gm, '')
		.replace(/\]\([^)]*\)/g, ']')
		.replace(/\n(?=\S)(?!- |\d\. )/g, ' ');
	const long = prose.split(/[.!?:](?:\s|\*|$)|\n/).filter((sentence) => sentence.trim().split(/\s+/).length > 25);
	yield* long.map((sentence) => `README.md: more than 25 words in "${sentence.trim()}"`);
}

export function* checkContributing(): Iterable<string> {
	const names = [...read('CONTRIBUTING.md').matchAll(/`([A-Za-z_]+)`/g)].map(([, name = '']) => name);
	const files = ['src', 'test', 'scripts', '.github'].flatMap((folder) => filesIn(folder, /\.(?:tsx?|mjs|yml)$/));
	const words = ['package.json', ...files].flatMap((path) => read(path).match(/\w+/g) ?? []);
	yield* missing(names, words).map((name) => `CONTRIBUTING.md: nothing in the code is called ${name}`);
}
