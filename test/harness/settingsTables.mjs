// @ts-check
/** `node test/harness/settingsTables.mjs`: generates the tables of settings and commands in the documentation from the manifest. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './paths.mjs';
import { main } from './process.mjs';

const PAGES = {
	'docs/settings.md': {
		strings: 'package.nls.json',
		settings: ['setting', 'default', 'meaning'],
		commands: ['command', 'id', 'where'],
		palette: 'palette',
		comma: ', ',
		colon: ': ',
	},
	'docs/zh-cn/settings.md': {
		strings: 'package.nls.zh-cn.json',
		settings: ['设置', '默认值', '含义'],
		commands: ['命令', 'ID', '位置'],
		palette: '命令面板',
		comma: '、',
		colon: '：',
	},
};

/** @typedef {keyof typeof PAGES} PageName */
/** @typedef {Record<string, { default: unknown, order: number, markdownDescription: string, enum?: string[], markdownEnumDescriptions?: string[] }>} Properties */
/** @typedef {{ command: string, when?: string }} MenuEntry */

export const pages = /** @type {PageName[]} */ (Object.keys(PAGES));

/** @param {string} name */
const json = async (name) => JSON.parse(await readFile(join(root, name), 'utf8'));

/**
 * A page with tables that say what the manifest says.
 * @param {PageName} name
 * @returns {Promise<string>}
 */
export async function withTables(name) {
	const words = PAGES[name];
	const { contributes } = await json('package.json');
	const strings = await json(words.strings);
	// Links to settings (`#id#`) work in the editor only.
	const say = (/** @type {string} */ text) =>
		(strings[text.replaceAll('%', '')] ?? text).replace(/`#([^`]+)#`/g, '`$1`');
	const tables = {
		settings: table(words.settings, settings(contributes.configuration.properties, say, words)),
		commands: table(words.commands, commands(contributes, say, words)),
	};
	let text = await readFile(join(root, name), 'utf8');
	for (const [id, content] of Object.entries(tables)) {
		const place = new RegExp(`(<!-- ${id}[^>]*-->\n)[^]*?(<!-- end of ${id} -->)`);
		if (!place.test(text)) {
			throw new Error(`${name} has no place for the table of ${id}.`);
		}
		text = text.replace(place, (_, start, end) => `${start}\n${content}\n${end}`);
	}
	return text;
}

/**
 * @param {Properties} properties
 * @param {(text: string) => string} say
 * @param {{ colon: string }} words
 */
function settings(properties, say, { colon }) {
	return Object.entries(properties)
		.sort(([, a], [, b]) => a.order - b.order)
		.map(([id, { default: value, markdownDescription, enum: values = [], markdownEnumDescriptions }]) => {
			const meanings = markdownEnumDescriptions?.map((text, index) => `\`${values[index]}\`${colon}${say(text)}`) ?? [];
			const initial = typeof value === 'string' ? value : JSON.stringify(value);
			return [`\`${id}\``, `\`${initial}\``, [say(markdownDescription), ...meanings].join(' ')];
		});
}

/**
 * @param {{ commands: { command: string, title: string }[], views: Record<string, { id: string, name: string }[]>, menus: Record<string, MenuEntry[]> }} contributes
 * @param {(text: string) => string} say
 * @param {{ palette: string, comma: string }} words
 */
function commands({ commands, views, menus }, say, { palette, comma }) {
	const hidden = (menus['commandPalette'] ?? []).filter(({ when }) => when === 'false');
	const inViews = [...(menus['view/title'] ?? []), ...(menus['view/item/context'] ?? [])];
	return commands.map(({ command, title }) => {
		const found = Object.values(views)
			.flat()
			.filter(({ id }) => inViews.some((entry) => entry.command === command && speaksOf(entry.when, id)))
			.map(({ name }) => say(name));
		const places = hidden.some((entry) => entry.command === command) ? found : [palette, ...found];
		return [say(title), `\`${command}\``, places.join(comma)];
	});
}

/**
 * Whether a condition is about a view: `view == a.b` or `view =~ /^a\.(b|c)$/`.
 * @param {string | undefined} when
 * @param {string} view
 */
function speaksOf(when = '', view) {
	return [...when.matchAll(/\bview (?:== ([\w.]+)|=~ \/(\S+)\/)/g)].some(([, id, pattern]) =>
		id ? id === view : new RegExp(pattern ?? '').test(view),
	);
}

/**
 * @param {string[]} head
 * @param {string[][]} rows
 */
function table(head, rows) {
	const line = (/** @type {string[]} */ cells) =>
		`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
	return [head, head.map(() => '---'), ...rows].map(line).join('');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	await main(async () => {
		for (const name of pages) {
			await writeFile(join(root, name), await withTables(name));
		}
	});
}
