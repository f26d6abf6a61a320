/**
 * Tables of the documentation, as the data have them that they are about: settings and commands, which are in the manifest,
 * and what is known of other clients and of libraries.
 */
import { LIBRARIES } from '../../src/elicitation/check/libraries.ts';
import { PERSONAS, type Persona } from '../../src/elicitation/personas/persona.ts';
import { aboutAll, factsOf, provenanceOf } from '../../src/elicitation/personas/problemsAs.ts';
import { english, render, type Translate } from '../../src/elicitation/sentence.ts';
import { bundle, manifest, read, settings, strings } from './project.ts';

const PAGES = {
	'docs/settings.md': {
		texts: strings.english,
		settings: ['setting', 'default', 'meaning'],
		commands: ['command', 'id', 'where'],
		palette: 'palette',
		comma: ', ',
		colon: ': ',
	},
	'docs/zh-cn/settings.md': {
		texts: strings.chinese,
		settings: ['设置', '默认值', '含义'],
		commands: ['命令', 'ID', '位置'],
		palette: '命令面板',
		comma: '、',
		colon: '：',
	},
};

type Page = (typeof PAGES)[keyof typeof PAGES];

interface Property {
	readonly default: unknown;
	readonly order: number;
	readonly markdownDescription: string;
	readonly enum?: readonly string[];
	readonly markdownEnumDescriptions?: readonly string[];
}

/** The tables of each page, by the name that stands in the comments around them: the head, and the rows. */
const TABLES = (): [path: string, tables: Readonly<Record<string, string[][]>>][] => [
	...Object.entries(PAGES).map(([path, page]): [string, Record<string, string[][]>] => [
		path,
		{ settings: [page.settings, ...settingsOf(page)], commands: [page.commands, ...commandsOf(page)] },
	]),
	[
		'docs/checking.md',
		factsIn(['library', 'version', 'side'], ['client', 'version', 'source', 'how it responds'], english),
	],
	[
		'docs/zh-cn/checking.md',
		factsIn(['库', '版本', '一侧'], ['客户端', '版本', '来源', '如何响应'], (text, ...values) =>
			english(bundle[text] ?? text, ...values),
		),
	],
];

export function generated(): [path: string, content: string][] {
	return TABLES().map(([path, tables]) => {
		const text = Object.entries(tables).reduce(
			(all, [id, rows]) =>
				all.replace(
					new RegExp(`(<!-- ${id}[^>]*-->\n)[^]*?(<!-- end of ${id} -->)`),
					(_, start, end) => `${start}\n${table(rows)}\n${end}`,
				),
			read(path),
		);
		return [path, text];
	});
}

/** The table of a page is where it can be updated. */
export function* checkPlaces(): Iterable<string> {
	for (const [path, tables] of TABLES()) {
		const lost = Object.keys(tables).filter((id) => !read(path).includes(`<!-- end of ${id} -->`));
		yield* lost.map((id) => `${path}: has no place for the table of ${id}`);
	}
}

/** What is known of libraries and of other clients. */
function factsIn(libraries: string[], clients: string[], translate: Translate) {
	const say = (persona: Persona) =>
		[...aboutAll(persona, 'form').map(([note]) => note), ...factsOf(persona)]
			.map((note) => render(note, translate))
			.join('<br>');
	return {
		libraries: [libraries, ...LIBRARIES.map(({ name, version, side }) => [name, version, side])],
		clients: [
			clients,
			...PERSONAS.map((persona) => [
				...[persona.name, persona.version ?? '', render(provenanceOf(persona), translate), say(persona)],
			]),
		],
	};
}

/** A text of the manifest. Links to settings (`#id#`) work in the editor only. */
const say = ({ texts }: Page, text: string) =>
	(texts[text.replaceAll('%', '')] ?? text).replace(/`#([^`]+)#`/g, '`$1`');

function settingsOf(page: Page): string[][] {
	return Object.entries(settings as unknown as Record<string, Property>)
		.sort(([, one], [, other]) => one.order - other.order)
		.map(([id, { default: value, markdownDescription, enum: values = [], markdownEnumDescriptions = [] }]) => {
			const meanings = markdownEnumDescriptions.map((text, at) => `\`${values[at]}\`${page.colon}${say(page, text)}`);
			const initial = typeof value === 'string' ? value : JSON.stringify(value);
			return [`\`${id}\``, `\`${initial}\``, [say(page, markdownDescription), ...meanings].join(' ')];
		});
}

function commandsOf(page: Page): string[][] {
	const { commands, views, menus } = manifest.contributes;
	const hidden = menus.commandPalette.filter(({ when }: { when?: string }) => when === 'false');
	const has = (entries: readonly { command: string }[], command: string) =>
		entries.some((entry) => entry.command === command);
	return commands.map(({ command, title }: { command: string; title: string }) => {
		const found = (Object.values(views).flat() as { id: string; name: string }[])
			.filter(({ id }) =>
				has(
					[...menus['view/title'], ...menus['view/item/context']].filter(({ when }) => speaksOf(when, id)),
					command,
				),
			)
			.map(({ name }) => say(page, name));
		const places = has(hidden, command) ? found : [page.palette, ...found];
		return [say(page, title), `\`${command}\``, places.join(page.comma)];
	});
}

/** Whether a condition is about a view: `view == a.b` or `view =~ /^a\.(b|c)$/`. */
function speaksOf(when = '', view: string): boolean {
	return [...when.matchAll(/\bview (?:== ([\w.]+)|=~ \/(\S+)\/)/g)].some(([, id, pattern]) =>
		id ? id === view : new RegExp(pattern ?? '').test(view),
	);
}

function table([head = [], ...rows]: readonly (readonly string[])[]): string {
	const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
	return [head, head.map(() => '---'), ...rows].map(line).join('');
}
