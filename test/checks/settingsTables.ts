/** The tables of settings and commands in `docs/settings.md` and its translation, as the manifest has them. */
import { manifest, read, settings, strings } from './project.ts';

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

export function generated(): [path: string, content: string][] {
	return Object.entries(PAGES).map(([path, page]) => {
		const text = Object.entries({ settings: settingsOf(page), commands: commandsOf(page) }).reduce(
			(all, [id, rows]) =>
				all.replace(
					new RegExp(`(<!-- ${id}[^>]*-->\n)[^]*?(<!-- end of ${id} -->)`),
					(_, start, end) => `${start}\n${table([page[id as 'settings' | 'commands'], ...rows])}\n${end}`,
				),
			read(path),
		);
		return [path, text];
	});
}

/** The table of a page is where it can be updated. */
export function* checkPlaces(): Iterable<string> {
	for (const path of Object.keys(PAGES)) {
		const lost = ['settings', 'commands'].filter((id) => !read(path).includes(`<!-- end of ${id} -->`));
		yield* lost.map((id) => `${path}: has no place for the table of ${id}`);
	}
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
