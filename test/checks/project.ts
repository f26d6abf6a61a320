/** The files of the project, from its folder, in which the checks run. */
import { readdirSync, readFileSync } from 'node:fs';

export const read = (path: string): string => readFileSync(path, 'utf8');

export const json = (path: string) => JSON.parse(read(path));

/** The files below a folder, with slashes. */
export function filesIn(folder: string, pattern: RegExp): string[] {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
		.filter((path) => pattern.test(path))
		.sort();
}

export const manifest = json('package.json');

export const settings: Readonly<Record<string, { default: unknown; scope: string; order: number }>> =
	manifest.contributes.configuration.properties;

/** Texts of the manifest by key, in English and in Chinese. */
export const strings: Readonly<Record<'english' | 'chinese', Readonly<Record<string, string>>>> = {
	english: json('package.nls.json'),
	chinese: json('package.nls.zh-cn.json'),
};

/** All other texts: the English ones with the Chinese. */
export const bundle: Readonly<Record<string, string>> = json('l10n/bundle.l10n.zh-cn.json');

const pagesIn = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.md'));

/** The pages for users, in English and in Chinese. */
export const ENGLISH = ['README.md', ...pagesIn('docs').map((name) => `docs/${name}`)];
export const CHINESE = ['README.zh-cn.md', ...pagesIn('docs/zh-cn').map((name) => `docs/zh-cn/${name}`)];

export const translationOf = (page: string) =>
	page === 'README.md' ? 'README.zh-cn.md' : page.replace('docs/', 'docs/zh-cn/');

export const isChinese = (page: string) => page.includes('zh-cn');

/** A page without its code. */
export const proseOf = (text: string) => text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '');

/** The items that one list has and another lacks. */
export function missing<T>(wanted: Iterable<T>, found: Iterable<T>): T[] {
	const there = new Set(found);
	return [...new Set(wanted)].filter((item) => !there.has(item));
}

/** Says what two lists that should have the same items do not share. */
export function* difference(wanted: Iterable<string>, found: Iterable<string>, where: string): Iterable<string> {
	const [wantedAll, foundAll] = [[...wanted], [...found]];
	yield* missing(wantedAll, foundAll).map((item) => `${where} lacks ${item}`);
	yield* missing(foundAll, wantedAll).map((item) => `${where} has ${item}, which should not be there`);
}
