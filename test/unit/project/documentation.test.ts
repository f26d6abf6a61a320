import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../harness/paths.mjs';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

const pagesIn = (folder: string) => readdirSync(join(root, folder)).filter((name) => name.endsWith('.md'));
const docs = pagesIn('docs');
const chinese = pagesIn('docs/zh-cn');
const DOCUMENTS = [
	'README.md',
	'README.zh-cn.md',
	'SECURITY.md',
	'CONTRIBUTING.md',
	'test/README.md',
	...docs.map((name) => `docs/${name}`),
	...chinese.map((name) => `docs/zh-cn/${name}`),
];

/** Where the documents may start a path: the checkout, and for the tests its folder `test`. */
const BASES = ['', 'test'];
const NAMES = new Set(BASES.flatMap((base) => readdirSync(join(root, base))));

/** What a build or a test run writes. */
const GENERATED = /^(?:dist|test-results)\//;

/** Files of users and their projects, and of the package. */
const FOREIGN = new Set([
	'mcp.json',
	'.mcp.json',
	'server.json',
	'.vscode/mcp.json',
	'.mcp/elicitations/*.json',
	'api.d.ts',
	'sbom.cdx.json',
]);

/** Every word that is a path of this repository: it begins with one of its folders, or is in backticks and has an extension. */
function pathsIn(text: string): string[] {
	const words = text.split(/[\s`'"()[\]|,]+/).map((word) => word.replace(/^(?:\.\.?\/)+|[.:;]+$/g, ''));
	const withFolder = words.filter((word) => word.includes('/') && NAMES.has(word.slice(0, word.indexOf('/'))));
	const files = [...text.matchAll(/`([\w./*-]+\.(?:tsx?|mjs|cjs|json|md|yml|css))`/g)].map(([, file = '']) => file);
	return [...new Set([...withFolder, ...files])].filter((path) => !GENERATED.test(path) && !FOREIGN.has(path));
}

function isThere(path: string): boolean {
	return BASES.some((base) => {
		const full = join(root, base, path);
		if (!path.includes('*')) {
			return existsSync(full);
		}
		const pattern = new RegExp(`^${basename(path).replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
		return existsSync(dirname(full)) && readdirSync(dirname(full)).some((name) => pattern.test(name));
	});
}

/** The scripts of package.json that a document names: `npm run test:unit`, or just `test:unit`. */
function scriptsIn(text: string): string[] {
	const names = [...text.matchAll(/npm run ([\w:-]+)|`(\w+:\w+)`/g)].map(([, run, name]) => run ?? name ?? '');
	return [...new Set(names)];
}

/** The ids that a renderer of Markdown gives to headings. */
function headingsIn(text: string): string[] {
	return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} -]/gu, '')
			.replaceAll(' ', '-'),
	);
}

describe.each(DOCUMENTS)('%s', (document) => {
	const text = read(document);

	it('names only files and folders that exist', () => {
		expect(pathsIn(text).filter((path) => !isThere(path))).toEqual([]);
	});

	it('links only to files and headings that exist', () => {
		const prose = text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
		const links = [...prose.matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)];
		const broken = links.filter(([, file = '', heading = '']) => {
			const target = file ? join(root, dirname(document), file) : join(root, document);
			return !existsSync(target) || (heading !== '' && !headingsIn(readFileSync(target, 'utf8')).includes(heading));
		});
		expect(broken.map(([link]) => link)).toEqual([]);
	});

	it('names only scripts that package.json has', () => {
		expect(scriptsIn(text).filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
	});
});

describe('the check of the documents', () => {
	it('sees paths in text, commands, diagrams and globs, and scripts', () => {
		expect(
			pathsIn(
				'see `src/x/y.ts`, `package.nls*.json` and (test/z); `tools/call` by `mcp.json`\n─▶ src/mcp/a.ts: `node e2e/b.mjs`',
			),
		).toEqual(['src/x/y.ts', 'test/z', 'src/mcp/a.ts', 'e2e/b.mjs', 'package.nls*.json']);
		expect(scriptsIn('`npm run test:e2e -- a` or `test:unit`')).toEqual(['test:e2e', 'test:unit']);
		expect(isThere('package.nls*.json') && isThere('src/editor') && isThere('harness')).toBe(true);
		expect(isThere('src/nothing*.ts') || isThere('src/nothing/a.ts')).toBe(false);
	});

	it('finds the paths of the page for contributors', () => {
		expect(pathsIn(read('CONTRIBUTING.md')).length).toBeGreaterThan(50);
	});
});

describe('the documentation', () => {
	it('has every page in both languages', () => {
		expect(chinese).toEqual(docs);
	});

	it.each([['README.md', 'README.zh-cn.md'], ...chinese.map((name) => [`docs/${name}`, `docs/zh-cn/${name}`])])(
		'%s has the same sections, examples, pictures and rows as %s',
		(...pages) => {
			const [english, translation] = pages.map((page) =>
				read(page)
					.split('\n')
					.flatMap((line) => /^(#+|```|- |\d\. |\||!\[|<picture>)/.exec(line)?.[1] ?? []),
			);
			expect(translation).toEqual(english);
		},
	);

	it('begins with a README of at most 100 lines and short sentences, which says how to install', () => {
		const text = read('README.md');
		expect(text.split('\n').length).toBeLessThanOrEqual(100);
		expect(text).toContain('## Install');
		const prose = text
			.replace(/```[\s\S]*?```|^\|.*$|^!\[.*$|^#.*$|^\[.*\]\(.*\)$|^- \[.*$/gm, '')
			.replace(/\]\([^)]*\)/g, ']')
			.replace(/\n(?=\S)(?!- |\d\. )/g, ' ');
		const long = prose.split(/[.!?:](?:\s|\*|$)|\n/).filter((sentence) => sentence.trim().split(/\s+/).length > 25);
		expect(long).toEqual([]);
	});
});

it('CONTRIBUTING.md names only what the code has', () => {
	const names = [...read('CONTRIBUTING.md').matchAll(/`([A-Za-z_]+)`/g)].map(([, name = '']) => name);
	expect(names.length).toBeGreaterThan(15);
	const files = ['src', 'test', 'scripts', '.github']
		.flatMap((folder) =>
			readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
		)
		.filter((path) => /\.(?:tsx?|mjs|yml)$/.test(path) && !path.endsWith('documentation.test.ts'));
	const words = new Set(['package.json', ...files].flatMap((path) => read(path).match(/\w+/g) ?? []));
	expect(names.filter((name) => !words.has(name))).toEqual([]);
});
