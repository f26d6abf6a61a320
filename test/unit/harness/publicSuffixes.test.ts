import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeBundles } from '../../../esbuild.mjs';
import { domainOf } from '../../../src/elicitation/url/urlParts.ts';

let folder = '';
let shipped = domainOf;
let suffixes: readonly string[] = [];

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-suffixes-'));
	await esbuild.build(nodeBundles(true, { urlParts: 'src/elicitation/url/urlParts.ts' }, folder));
	const require = createRequire(import.meta.url);
	shipped = require(join(folder, 'urlParts.cjs')).domainOf;
	const { labelText, edgeLength, edgeStart, edgeChild, rulesRoot } = await import(
		join(require.resolve('tldts'), '../../es6/src/data/trie.js')
	);
	let start = 0;
	const labels = Array.from(edgeLength as ArrayLike<number>, (length) => {
		start += length;
		return labelText.slice(start - length, start);
	});
	const below = (node: number): string[] =>
		labels.slice(edgeStart[node], edgeStart[node + 1]).flatMap((label, at) => {
			const under = below(edgeChild[edgeStart[node] + at]).map((rest) => `${rest}.${label}`);
			return [label, ...under];
		});
	suffixes = below(rulesRoot).map((suffix) => suffix.replace('*', 'any'));
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the list of public suffixes as it is shipped', () => {
	it('tells the same domain as the whole one for every host of a URL', () => {
		expect(suffixes.length).toBeGreaterThan(10_000);
		const hosts = suffixes.flatMap((suffix) =>
			['', 'a.', 'a.b.', 'a.b.c.'].map((name) => new URL(`http://${name}${suffix}`).hostname),
		);
		expect(hosts.filter((host) => shipped(host) !== domainOf(host))).toEqual([]);
	});

	it('tells apart who shares a private suffix, and knows the exceptions', () => {
		expect(shipped('a.b.github.io')).toBe('b.github.io');
		expect(shipped('a.www.ck')).toBe('www.ck');
		expect(shipped('a.b.any.ck')).toBe('b.any.ck');
	});
});
