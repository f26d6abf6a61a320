import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hashOf } from '../../e2e/pictures/gallery.ts';
import { animation, contentOf, still as packed } from '../../e2e/pictures/png.ts';
import { scenes } from '../../e2e/pictures/scenes.ts';
import { darkOf, filesOf } from '../../harness/gallery.mjs';
import { root } from '../../harness/paths.mjs';

/** A picture in the theme of the reader. */
const PICTURE =
	/^<picture>\n {2}<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\n {2}<img alt="[^"]+" src="([^"]+)">\n<\/picture>\n\n/gm;

const folder = join(root, 'media', 'readme');
const still = scenes.filter(({ moves }) => !moves);

describe.each([
	['README.md', 'docs', 'en'],
	['README.zh-cn.md', 'docs/zh-cn', 'zh-cn'],
] as const)('the pictures of %s and %s', (readme, docs, language) => {
	const drawn = scenes.map(({ name }) => filesOf(name, language).picture);

	it('are those that the script draws: in the README as images that stores show, each with a text in its place', () => {
		const text = readFileSync(join(root, readme), 'utf8');
		const used = [...text.matchAll(/!\[([^\]]+)\]\((media\/[^)]*)\)/g)].map(([, , path = '']) => join(root, path));
		expect(used.filter((path) => !drawn.includes(path))).toEqual([]);
		expect(used).toContain(drawn[0]);
		expect(text).not.toMatch(/<picture|!\[\]/);
	});

	it('are in the pages of the documentation in the theme of the reader, each with a text in its place', () => {
		const texts = readdirSync(join(root, docs))
			.filter((name) => name.endsWith('.md'))
			.map((name) => readFileSync(join(root, docs, name), 'utf8'));
		const used = texts.flatMap((text) =>
			[...text.matchAll(PICTURE)].map(([, dark = '', light = '']) =>
				[dark, light].map((path) => join(root, docs, path)),
			),
		);
		const wanted = still.map(({ name }) => filesOf(name, language).picture).map((path) => [darkOf(path), path]);
		expect(used.sort()).toEqual(wanted.sort());
		expect(texts.filter((text) => text.includes('!['))).toEqual([]);
	});

	it.each(scenes)('$name: was drawn of the text beside it', ({ name, moves }) => {
		const { picture, text } = filesOf(name, language);
		const hash = hashOf(readFileSync(text, 'utf8'));
		expect(contentOf(readFileSync(picture))).toBe(hash);
		expect(moves || contentOf(readFileSync(darkOf(picture)))).toBe(moves ?? hash);
	});
});

it('the pictures are few and small', () => {
	const pictures = readdirSync(folder).filter((name) => name.endsWith('.png'));
	expect(pictures).toHaveLength(2 * (scenes.length + still.length));
	const large = pictures.filter(
		(name) => statSync(join(folder, name)).size > (name.startsWith('tour.') ? 500_000 : 300_000),
	);
	expect(large).toEqual([]);
});

it('a picture keeps what it was drawn of, and one that moves has its first moment for whoever shows no other', () => {
	const png = readFileSync(join(root, 'media', 'icon.png'));
	const moment = { png, rests: 500 };
	expect(contentOf(png)).toBeUndefined();
	expect(contentOf(packed(png, 'abc'))).toBe('abc');
	const moving = animation([moment, moment], 'def');
	expect(contentOf(moving)).toBe('def');
	const order = [...moving.toString('latin1').matchAll(/acTL|fcTL|IDAT|fdAT|IEND/g)].map(([type]) => type);
	expect(order).toEqual(['acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'IEND']);
});
