import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { NODE_ENTRIES, nodeModules } from '../../../esbuild.mjs';
import { sourcesOf } from '../../harness/bundles.mjs';
import { asPackaged, packageExtension } from '../../harness/package.mjs';

const { readZip } = createRequire(createRequire(import.meta.url).resolve('@vscode/vsce/package.json'))('./out/zip') as {
	readZip(path: string, wanted: (name: string) => boolean): Promise<Map<string, Buffer>>;
};

let folder = '';
let first = '';
let files = new Map<string, Buffer>();

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-vsix-'));
	const { vsix } = await packageExtension(folder);
	first = await hashOf(vsix);
	files = await readZip(vsix, () => true);
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

async function hashOf(vsix: string): Promise<string> {
	return createHash('sha256')
		.update(await readFile(vsix))
		.digest('hex');
}

// The reader of packages knows every name in lower case.
const text = (name: string) => files.get(`extension/${name.toLowerCase()}`)?.toString() ?? '';

describe('the package', () => {
	it('is the same to the byte when it is made again, in another place of the world', async () => {
		vi.stubEnv('TZ', 'Asia/Shanghai');
		const { vsix } = await packageExtension(folder);
		expect(await hashOf(vsix)).toBe(first);
	}, 120_000);

	it('holds programs, texts and pictures that are used, and no sources, maps or screenshots', () => {
		const names = [...files.keys()];
		expect(names).toEqual(
			expect.arrayContaining([
				'extension/dist/extension.cjs',
				'extension/dist/api.d.ts',
				'extension/media/walkthrough/url.svg',
			]),
		);
		expect(names.filter((name) => /\.map$|screenshots|\/src\/|\/test\/|node_modules|\.vsix$/.test(name))).toEqual([]);
		expect(names.filter((name) => /sourceMappingURL/.test(files.get(name)?.toString() ?? ''))).toEqual([]);
	});

	it('names every bundled package in its notices and in its bill of materials', async () => {
		const { metafile } = await esbuild.build(nodeModules(true, NODE_ENTRIES));
		const names = sourcesOf(metafile?.outputs ?? {}).flatMap(
			(source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? [],
		);
		expect(names).toEqual(expect.arrayContaining(['@modelcontextprotocol/client', 'ajv', 'jose', 'tldts', 'zod']));
		const { components } = JSON.parse(text('sbom.cdx.json'));
		const listed = components.map(({ name, purl }: { name: string; purl?: string }) => (purl ? name : []));
		expect(listed.flat()).toEqual([...new Set(names)].sort());
		const notices = text('THIRD-PARTY-NOTICES.txt');
		for (const { name, version, licenses } of components) {
			expect(notices).toContain(`${[name, version].filter(Boolean).join(' ')} (${licenses[0].expression})`);
		}
	});

	it('shows no picture and no link in its pages that lead nowhere', () => {
		for (const [, target] of text('readme.md').matchAll(/\]\(([^)]*)\)/g)) {
			expect(target).toMatch(/^(https:|#)/);
		}
		expect(
			asPackaged('[中文](a.md)\n\nA\n\n![a](media/a.png)\n\n![b](https://x/b.png) [c](src/c.ts) [`d`](#d)\n'),
		).toBe('A\n\n![b](https://x/b.png) c [`d`](#d)\n');
	});
});
