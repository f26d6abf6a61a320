import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesOf, hashOf } from '../../e2e/pictures/gallery.ts';
import { animation, contentOf, still } from '../../e2e/pictures/png.ts';
import { scenes } from '../../e2e/pictures/scenes.ts';
import { root } from '../../harness/paths.mjs';

const folder = join(root, 'media', 'readme');

describe.each([
	['README.md', 'en'],
	['README.zh-cn.md', 'zh-cn'],
] as const)('the pictures of %s', (readme, language) => {
	const used = [...readFileSync(join(root, readme), 'utf8').matchAll(/!\[([^\]]*)\]\((media\/[^)]*)\)/g)];

	it('are those that the script draws, each with a text in its place', () => {
		const drawn = scenes.map(({ name }) => filesOf(name, language).picture);
		expect(used.map(([, , path]) => join(root, path ?? '')).sort()).toEqual(drawn.sort());
		expect(used.filter(([, alt]) => alt === '')).toEqual([]);
	});

	it.each(scenes.map(({ name }) => name))('%s: was drawn of the text beside it', (name) => {
		const { picture, text } = filesOf(name, language);
		expect(contentOf(readFileSync(picture))).toBe(hashOf(readFileSync(text, 'utf8')));
	});
});

it('the pictures are few and small', () => {
	const pictures = readdirSync(folder).filter((name) => name.endsWith('.png'));
	expect(pictures).toHaveLength(2 * scenes.length);
	const bytes = pictures.map((name) => statSync(join(folder, name)).size);
	expect(Math.max(...bytes)).toBeLessThan(1_500_000);
	expect(bytes.reduce((sum, each) => sum + each)).toBeLessThan(3_000_000);
});

it('a picture keeps what it was drawn of, and one that moves has its first moment for whoever shows no other', () => {
	const png = readFileSync(join(root, 'media', 'icon.png'));
	const moment = { png, rests: 500 };
	expect(contentOf(png)).toBeUndefined();
	expect(contentOf(still(png, 'abc'))).toBe('abc');
	const moving = animation([moment, moment], 'def');
	expect(contentOf(moving)).toBe('def');
	const order = [...moving.toString('latin1').matchAll(/acTL|fcTL|IDAT|fdAT|IEND/g)].map(([type]) => type);
	expect(order).toEqual(['acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'IEND']);
});
