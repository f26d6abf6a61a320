import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Outputs, sourcesOf } from '../../../scripts/build.mjs';
import { asPackaged, packageExtension } from '../../../scripts/package.mjs';
import { isPreRelease } from '../../../scripts/release.mjs';
import { LIMITS, packaged, problemsOf } from '../../harness/packaged.mjs';
import { built } from '../../harness/paths.mjs';
import { itByNight } from '../../nightly.ts';

/** What `vsce publish` and `ovsx publish` read a package with, and what they demand of its manifest. */
const vsce = createRequire(createRequire(import.meta.url).resolve('@vscode/vsce/package.json'));
const { readZip, readVSIXPackage } = vsce('./out/zip') as {
	readZip(path: string, wanted: (name: string) => boolean): Promise<Map<string, Buffer>>;
	readVSIXPackage(path: string): Promise<{ manifest: Manifest; xmlManifest: XmlManifest }>;
};
const { validateManifestForPackaging } = vsce('./out/package') as {
	validateManifestForPackaging(manifest: Manifest): unknown;
};

interface Manifest {
	readonly publisher: string;
	readonly name: string;
	readonly version: string;
	readonly description: string;
	readonly enabledApiProposals?: readonly string[];
}

/** As the XML is parsed: every element is a list. */
interface XmlManifest {
	readonly PackageManifest: {
		readonly Metadata: readonly [
			Readonly<Record<'DisplayName' | 'Tags' | 'Categories' | 'Icon' | 'License', readonly [string]>> & {
				readonly Description: readonly [{ readonly _: string }];
				readonly Properties: readonly [
					{ readonly Property: readonly { readonly $: Readonly<Record<'Id' | 'Value', string>> }[] },
				];
				readonly Identity: readonly [{ readonly $: Readonly<Record<'Id' | 'Publisher' | 'Version', string>> }];
			},
		];
		readonly Assets: readonly [
			{ readonly Asset: readonly { readonly $: Readonly<Record<'Type' | 'Path', string>> }[] },
		];
	};
}

/** https://code.visualstudio.com/api/references/extension-manifest */
const CATEGORIES = [
	...['AI', 'Azure', 'Chat', 'Data Science', 'Debuggers', 'Education', 'Extension Packs', 'Formatters', 'Keymaps'],
	...['Language Packs', 'Linters', 'Machine Learning', 'Notebooks', 'Other', 'Programming Languages', 'SCM Providers'],
	...['Snippets', 'Testing', 'Themes', 'Visualization'],
];

let folder = '';
let packed = '';
let first = '';
let again = '';
let outputs: Outputs = {};
let files = new Map<string, Buffer>();

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-vsix-'));
	packed = built ? await packaged() : (await packageExtension(folder)).vsix;
	first = await hashOf(packed);
	files = await readZip(packed, () => true);
	vi.stubEnv('TZ', 'Asia/Shanghai');
	const second = await packageExtension(await mkdtemp(join(folder, 'again-')));
	vi.unstubAllEnvs();
	again = await hashOf(second.vsix);
	outputs = second.outputs;
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function hashOf(vsix: string): Promise<string> {
	return createHash('sha256')
		.update(await readFile(vsix))
		.digest('hex');
}

// The reader of packages knows every name in lower case.
const text = (name: string) => files.get(`extension/${name.toLowerCase()}`)?.toString() ?? '';

describe('the package', () => {
	it('is the same to the byte when it is made again, in another place of the world', () => {
		expect(again).toBe(first);
	});

	it('is refused where it is too big, or where a window loads too much', () => {
		expect(problemsOf({ bytes: LIMITS.package, outputs })).toEqual([]);
		const [path, entry] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === 'src/extension.ts') ?? [
			'',
		];
		const bytesInOutput = 1;
		const inputs = { 'src/mcp/client.ts': { bytesInOutput }, 'node_modules/ajv/dist/2020.js': { bytesInOutput } };
		const big = { ...outputs, [path]: { ...entry, inputs } };
		expect(problemsOf({ bytes: LIMITS.package + 1, outputs: big as never })).toEqual([
			expect.stringContaining('the package has'),
			expect.stringContaining('src/mcp/client.ts is loaded when a window opens'),
			expect.stringContaining('ajv/dist/2020.js is loaded when a window opens'),
			'src/extension.ts is not loaded when a window opens',
			expect.stringContaining('ajv/dist/2020.js can be loaded in the extension host'),
		]);
	});

	it('holds programs, texts and pictures that are used, and no sources, maps or screenshots', () => {
		const names = [...files.keys()];
		expect(names).toEqual(
			expect.arrayContaining([
				'extension/dist/extension.mjs',
				'extension/dist/api.d.ts',
				'extension/media/walkthrough/url.svg',
			]),
		);
		expect(
			names.filter((name) => /\.map$|screenshots|\/site\/|\/src\/|\/test\/|node_modules|\.vsix$/.test(name)),
		).toEqual([]);
		expect(names.filter((name) => /sourceMappingURL/.test(files.get(name)?.toString() ?? ''))).toEqual([]);
	});

	it('holds scripts and styles that can be part of the HTML of a page: none ends the element that it is in', () => {
		const parts = [...files].filter(([name]) => name.startsWith('extension/dist/webview/'));
		expect(parts.map(([name]) => name)).toEqual(
			expect.arrayContaining(['extension/dist/webview/requests.js', 'extension/dist/webview/form.css']),
		);
		expect(parts.filter(([, part]) => /<!--|<\/?(?:script|style)/i.test(String(part)))).toEqual([]);
	});

	it('holds the types of the API where its manifest says', async () => {
		const { types } = JSON.parse(text('package.json')) as { types: string };
		expect(text(types.replace('./', ''))).toBe(await readFile('src/api.ts', 'utf8'));
	});

	it('keeps the code of the timeline and of results out of a form, which is waited for', () => {
		expect(text('dist/webview/records.js')).toContain('treeitem');
		expect(text('dist/webview/requests.js')).not.toContain('treeitem');
	});

	it('can be published: the tools of the Marketplace and of Open VSX read it, and miss nothing in it', async () => {
		const { manifest, xmlManifest } = await readVSIXPackage(packed);
		expect(() => validateManifestForPackaging(manifest)).not.toThrow();
		expect(manifest.version).toMatch(/^\d+\.\d+\.\d+$/);
		expect(manifest.enabledApiProposals).toBeUndefined();
		const { Metadata, Assets } = xmlManifest.PackageManifest;
		const [{ Identity, DisplayName, Description, Tags, Categories, Icon, License }] = Metadata;
		const { name: Id, publisher: Publisher, version: Version } = manifest;
		expect(Identity[0].$).toMatchObject({ Id, Publisher, Version });
		expect(DisplayName[0]).toBe('MCP Elicitation');
		expect(Description[0]._.length).toBeLessThanOrEqual(200);
		expect(Tags[0].split(',').length).toBeLessThanOrEqual(30);
		expect(Categories[0].split(',').filter((category) => !CATEGORIES.includes(category))).toEqual([]);
		expect(text('media/icon.png')).not.toBe('');
		expect([Icon[0], License[0]].map((path) => files.has(path.toLowerCase()))).toEqual([true, true]);
		for (const { $ } of Assets[0].Asset) {
			expect([...files.keys()], $.Type).toContain($.Path.toLowerCase());
		}
		const [width, height] = [16, 20].map((offset) => files.get('extension/media/icon.png')?.readUInt32BE(offset));
		expect(Math.min(width ?? 0, height ?? 0)).toBeGreaterThanOrEqual(128);
		expect(text('readme.md').match(/\.svg\b|<svg|http:\/\/(?!127\.0\.0\.1|localhost)/g) ?? []).toEqual([]);
	});

	it('is a pre-release for the stores where its minor version is odd', async () => {
		const { manifest, xmlManifest } = await readVSIXPackage(packed);
		const { Property } = xmlManifest.PackageManifest.Metadata[0].Properties[0];
		const { Value } = Property.find(({ $ }) => $.Id === 'Microsoft.VisualStudio.Code.PreRelease')?.$ ?? {};
		expect(Value === 'true').toBe(isPreRelease(manifest.version));
	});

	it('names every bundled package in its notices and in its bill of materials', () => {
		const names = sourcesOf(outputs).flatMap(
			(source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? [],
		);
		expect(names).toEqual(
			expect.arrayContaining([
				'@modelcontextprotocol/client',
				'@modelcontextprotocol/server',
				'ajv',
				'preact',
				'tldts',
				'zod',
			]),
		);
		const { components } = JSON.parse(text('sbom.cdx.json'));
		const listed = components.map(({ name, purl }: { name: string; purl?: string }) => (purl ? name : []));
		expect(listed.flat().sort()).toEqual([...new Set(names)].sort());
		const notices = text('THIRD-PARTY-NOTICES.txt');
		for (const { name, version, licenses } of components) {
			expect(notices).toContain(`${[name, version].filter(Boolean).join(' ')} (${licenses[0].license.id})`);
		}
	});

	itByNight(
		'shows the pictures of the README once it is told where the repository is',
		async () => {
			const repository = 'https://code.example/owner/mcp-elicitation';
			const { vsix } = await packageExtension(await mkdtemp(join(folder, 'published-')), repository);
			const published = await readZip(vsix, (name) => name === 'extension/readme.md');
			const markdown = published.get('extension/readme.md')?.toString() ?? '';
			const pictures = [...markdown.matchAll(/!\[[^\]]+\]\(([^)]*)\)/g)].map(([, url]) => url);
			expect(pictures.length).toBeGreaterThan(3);
			expect(pictures.filter((url) => !url?.startsWith(`${repository}/raw/HEAD/media/readme/`))).toEqual([]);
			expect(markdown).toContain(`](${repository}/blob/HEAD/README.zh-cn.md)`);
		},
		120_000,
	);

	it('shows no picture and no link in its pages that lead nowhere', () => {
		for (const [, target] of text('readme.md').matchAll(/\]\(([^)]*)\)/g)) {
			expect(target).toMatch(/^(https:|#)/);
		}
		expect(
			asPackaged('[中文](a.md)\n\nA\n\n![a](media/a.png)\n\n![b](https://x/b.png) [c](src/c.ts) [`d`](#d)\n'),
		).toBe('A\n\n![b](https://x/b.png) c [`d`](#d)\n');
	});
});
