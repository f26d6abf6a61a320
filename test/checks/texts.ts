/**
 * The texts of the interface, and their translations. The words of the Chinese texts, the same everywhere and where possible those of
 * the editor's own Chinese:
 * elicitation 征询 · accept 接受 · decline 拒绝 · cancel 取消 · discard 放弃 · withdraw 撤回 · refuse 回绝
 * server 服务器 · tool 工具 · call 调用 · argument 参数 · form 表单 · field 字段 · entry 条目 · option 选项
 * picker 快速选取 (of a date: 选择器) · panel 面板 · timeline 时间线 · pending 待处理 · finding 发现 · problem 问题
 * schema 架构 · property 属性 · revision 修订版 · secret 机密信息 · definition 定义 · endpoint 终结点 · log 日志
 * workspace 工作区 · settings 设置 · Restricted Mode 受限模式 · trust 信任 · consent 同意 · you 你
 */
import { readdirSync } from 'node:fs';
import { bundle, CHINESE, difference, ENGLISH, filesIn, json, manifest, read, strings } from './project.ts';
import { Source } from './source.ts';

/** The languages that the texts are translated into. */
const LANGUAGES = readdirSync('l10n').flatMap((name) => /^bundle\.l10n\.(.+)\.json$/.exec(name)?.[1] ?? []);

const SOURCES = filesIn('src', /(?<!\.d)\.tsx?$/).map((path) => new Source(path, read(path)));

/** What the code says, and where. */
const SAID = new Map(SOURCES.flatMap((source) => source.said().texts).map(({ text, at }) => [text, at] as const));

/** The list of the English texts, from which translations are made. */
export function generated(): [path: string, content: string][] {
	const english = Object.fromEntries([...SAID.keys()].sort().map((text) => [text, text]));
	return [['l10n/bundle.l10n.json', `${JSON.stringify(english, null, 2)}\n`]];
}

const placeholdersIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort().join();

export function* checkTranslations(): Iterable<string> {
	for (const file of LANGUAGES.map((language) => `l10n/bundle.l10n.${language}.json`)) {
		const translations: Record<string, string> = json(file);
		const keys = Object.keys(translations);
		yield* difference(SAID.keys(), keys, file);
		const changed = keys.filter((text) => placeholdersIn(text) !== placeholdersIn(translations[text] ?? ''));
		yield* changed.map((text) => `${file}: other placeholders than in "${text}"`);
		if (keys.join() !== keys.toSorted().join()) {
			yield `${file}: sort it`;
		}
	}
	const unreadable = SOURCES.flatMap((source) => source.said().unreadable);
	yield* unreadable.map(({ at, text }) => `${at}: write the text of ${text} as a literal`);
}

/** What is counted, in the plural; the singular where it is not the plural without its "s". */
const COUNTED: Readonly<Record<string, string>> = {
	...Object.fromEntries(
		[
			...['answers', 'arguments', 'bytes', 'calls', 'cases', 'characters', 'elicitations', 'findings', 'inputs'],
			...['levels', 'messages', 'names', 'options', 'problems', 'requests', 'responses', 'rounds', 'servers'],
			...['times', 'tools', 'URLs', 'values'],
		].map((plural) => [plural, plural.slice(0, -1)]),
	),
	entries: 'entry',
	properties: 'property',
	were: 'was',
};

/** Texts whose number is never one: it is a limit or exceeds one, or the text is for several only. */
const NEVER_ONE = new Set([
	'"{0}" requested input {1} times without finishing.',
	'"{0}" required URLs {1} times without finishing.',
	'"{0}" requests {1} inputs at once.',
	'A property has a name of {0} characters.',
	'It names {0} URLs; more than {1} are not shown.',
	'It was restarted {0} times in a row without success. {1}',
	'Required URL: retried {0} times',
	'polled {0} times',
	'restarted {0} times, last {1}',
	'{0} bytes',
	'{0} cases; choose those to run',
	'{0} characters',
	'{0} on {1} requires {2} URLs · {3} of {2} done',
	'{0} of {1} URLs done',
	'{0} on {1}: {2} requests · {3} of {2} answered',
	'{0} on {1} · round {2}: {3} requests · {4} of {3} answered',
	'{0} rounds',
	'{0}: {1} responses could not be delivered. {2}',
]);

/** A number and what it counts. At the end of a range ("{0} to {1}"), after "than", and after "and" it stands for more than one. */
const COUNT = new RegExp(
	`(?<!\\b(?:to|than|and) )\\{\\d\\}((?: (?:more|pending|scripted|MCP))*) (${Object.keys(COUNTED).join('|')})\\b(?! this)`,
);

const clausesOf = (text: string) => text.split(/[.;,?·]/).map((clause) => clause.trim());

/** The parts of a text that hold a count, as they must read for one. */
function singularsOf(text: string): string[] {
	return clausesOf(text)
		.filter((clause) => COUNT.test(clause))
		.map((clause) =>
			clause
				.replace(COUNT, (_count, kind: string, plural: string) =>
					plural === 'times' ? 'once' : `1${kind} ${COUNTED[plural]}`,
				)
				.replace(/ are\b/, ' is')
				.replace(/ were\b/, ' was')
				.replace(/ match$/, ' matches')
				.replace('from MCP servers', 'from an MCP server'),
		);
}

/** The texts with a count that have no other text for one. */
export function withoutSingular(texts: readonly string[]): string[] {
	const plain = (text: string) => text.replace(/\{\d\}/g, '{}').replace(/\bone\b/g, '1');
	const clauses = new Set(texts.flatMap(clausesOf).map(plain));
	return texts.filter((text) => singularsOf(text).some((singular) => !clauses.has(plain(singular))));
}

export function* checkCounts(): Iterable<string> {
	const [texts, ofManifest] = [Object.keys(bundle), Object.values(strings.english)];
	const plural = [...withoutSingular(texts), ...ofManifest.filter((text) => COUNT.test(text))];
	yield* plural.filter((text) => !NEVER_ONE.has(text)).map((text) => `"${text}" needs a text of its own for one`);
	const lazy = [...texts, ...ofManifest].filter((text) => /\w\(s\)/.test(text));
	yield* lazy.map((text) => `"${text}" leaves the choice between one and several to the user`);
	const gone = [...NEVER_ONE].filter((text) => singularsOf(text).length === 0 || !texts.includes(text));
	yield* gone.map((text) => `NEVER_ONE in test/checks/texts.ts names "${text}", which is said no longer`);
}

/** The texts of a manifest that a user reads, and not a language model. */
function visibleTexts(node: unknown, key = ''): string[] {
	if (typeof node === 'string') {
		return /^(displayName|title|category|name|contents|altText|(markdown|user)?(enum)?description)$/i.test(key)
			? [node]
			: [];
	}
	if (Array.isArray(node)) {
		return node.flatMap((item) => visibleTexts(item, key.replace(/s$/, '')));
	}
	return typeof node === 'object' && node !== null
		? Object.entries(node).flatMap(([name, value]) => visibleTexts(value, name))
		: [];
}

export function* checkManifestTexts(): Iterable<string> {
	const tools = manifest.contributes.languageModelTools.map(
		({ name: _, inputSchema: __, ...tool }: Record<string, unknown>) => tool,
	);
	const shown = visibleTexts({ ...manifest, contributes: { ...manifest.contributes, languageModelTools: tools } });
	const own = shown.filter((text) => !/^%.+%$/.test(text) && !/^(mcp-elicitation|MCP Elicitation)$/.test(text));
	yield* own.map((text) => `package.json: "${text}" belongs into package.nls.json`);
	const keys = [...read('package.json').matchAll(/"%([^%"]+)%"/g)].map(([, key = '']) => key);
	const fixed = (text = '') => (text.match(/\(command:[^)]*\)|`[^`]*`/g) ?? []) as string[];
	for (const file of ['package.nls.json', ...LANGUAGES.map((language) => `package.nls.${language}.json`)]) {
		const texts: Record<string, string> = json(file);
		yield* difference(keys, Object.keys(texts), file);
		for (const [key, text] of Object.entries(strings.english)) {
			const lost = fixed(text).filter((part) => !fixed(texts[key]).includes(part));
			yield* lost.map((part) => `${file}: ${key} should keep ${part} as it is`);
		}
	}
}

export function* checkChinese(): Iterable<string> {
	const names = /\{\d\}|MCP( Elicitation)?|JSON|URL|KB|[\p{P}\s]/gu;
	for (const [key, text] of [...Object.entries(bundle), ...Object.entries(strings.chinese)]) {
		if (text.replace(names, '') !== '' && !/\p{Script=Han}/u.test(text)) {
			yield `"${key}" is not translated: ${text}`;
		}
		if (/\p{Script=Han}[\w{`$]|[\w`]\p{Script=Han}/u.test(text)) {
			yield `needs a space between Chinese and Latin letters, numbers, or placeholders: ${text}`;
		}
		if (/\p{Script=Han}( \(|[,;:?!.()"])|\}:|[,;?!()"]\p{Script=Han}/u.test(text)) {
			yield `needs the punctuation of Chinese: ${text}`;
		}
	}
}

/** What texts for users do not say, and what they say instead: one word for one thing, from the specification or VS Code. */
const WRONG_WORDS: readonly (readonly [RegExp, string])[] = [
	[/\bquestions?\b/i, 'request'],
	[/\b(answers?|answering|repl(y|ies|ied|ying))\b/i, 'response, respond'],
	[/\b(pages?|sites?)\b/i, 'URL'],
	[/\bgo(es|ing)? on\b/i, 'continue'],
	[/\b(stand-?ins?|actors?|in your place)\b/i, 'auto-responder, on your behalf'],
	[/\bstorms?\b/i, 'rate limit'],
	[/\bcatalogues?\b/i, 'server features'],
	[/\bneighbou?rs?\b/i, 'duplicate server'],
	[/\brehears(e|al|als)\b/i, 'run'],
	[/\b(misfits?|misanswers?)\b/i, 'schema violation'],
	[/\b(scrubbed|discreet(ly)?)\b/i, 'redacted'],
	[/\bwild\b/i, 'real-world'],
	[/\bfleets?\b/i, 'connections'],
	[/\b(halts?|halted)\b/i, 'round limit, stop'],
	[/提问|回答|答复|作答/, '请求, 响应'],
	[/[^:] …/, '… without a space before it'],
];

/** Code, targets of links, examples of URLs, the name of a feature, and what a page in the browser says about itself. */
const OTHER_WORDS =
	/```.*?```|`[^`]*`|\]\([^)]*\)|\/page\b|\bscripted answers?\b|脚本化答复|["“]answer["”]|\bthis page\b/gis;

export function wrongWords(text: string): string[] {
	const rest = text.replace(OTHER_WORDS, '');
	return WRONG_WORDS.flatMap(([wrong, right]) => {
		const found = wrong.exec(rest);
		const near = found ? rest.slice(Math.max(0, found.index - 40), found.index + 40).replaceAll('\n', ' ') : '';
		return found ? [`say "${right}" for "${found[0].trim()}" in: ${near}`] : [];
	});
}

export function* checkWords(): Iterable<string> {
	yield* Object.entries(bundle).flat().flatMap(wrongWords);
	yield* [strings.english, strings.chinese].flatMap((texts) => Object.values(texts)).flatMap(wrongWords);
	// It quotes the specification.
	for (const page of [...ENGLISH, ...CHINESE, 'SECURITY.md'].filter(
		(name) => name !== 'docs/protocol-requirements.md',
	)) {
		const paragraphs = read(page).replace(OTHER_WORDS, '').split('\n\n');
		yield* paragraphs.flatMap(wrongWords).map((problem) => `${page}: ${problem}`);
	}
}

/** What looks like words for people and is none. */
const NO_WORDS = new Set([
	// Examples of what to type, and the name of a time scale.
	...['https://example.com/mcp', 'npx -y @modelcontextprotocol/server-everything', '{ "mcpServers": { … } }', 'UTC'],
	// What a server is told, and a method of the protocol.
	...['The client failed on purpose.', 'tasks/get'],
	// Selectors.
	...['input, textarea, select, button', 'textarea,.entries input', 'footer .status'],
	// The page's policy and markup, and the name of the extension.
	...['MCP Elicitation', 'img-src data:', 'media-src data:'],
]);

/** Words for people are never written into the code of a surface without being said. */
export function* checkUnsaid(): Iterable<string> {
	for (const source of SOURCES) {
		if (/^src\/(editor\/|webview\/|extension\.ts)/.test(source.path)) {
			const found = [...source.unsaidProse(), ...source.unsaidWords()];
			// Markup is no prose.
			const unsaid = found.filter(({ text }) => !NO_WORDS.has(text) && !/^("?>|<[!/])/.test(text));
			yield* unsaid.map(({ at, text }) => `${at}: say "${text}" with localize, localizeNative, localizable, or t`);
		}
	}
}
