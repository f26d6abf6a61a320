import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { webviewStrings } from '../../../src/webview/common/strings.ts';
import { type Found, Source, sources } from './l10n/sources.ts';

/*
 * The words of the Chinese texts, the same everywhere and where possible those of the editor's own Chinese:
 * elicitation 征询 · accept 接受 · decline 拒绝 · cancel 取消 · discard 放弃 · withdraw 撤回 · refuse 回绝
 * server 服务器 · tool 工具 · call 调用 · argument 参数 · form 表单 · field 字段 · entry 条目 · option 选项
 * picker 快速选取 (of a date: 选择器) · panel 面板 · timeline 时间线 · pending 待处理 · finding 发现 · problem 问题
 * schema 架构 · property 属性 · revision 修订版 · secret 机密信息 · definition 定义 · endpoint 终结点 · log 日志
 * workspace 工作区 · settings 设置 · Restricted Mode 受限模式 · trust 信任 · consent 同意 · you 你
 */

const root = join(import.meta.dirname, '../../..');
const read = (path: string): Record<string, string> => JSON.parse(readFileSync(join(root, path), 'utf8'));
const bundle = read('l10n/bundle.l10n.zh-cn.json');
/** The languages that the texts are translated into. */
const languages = readdirSync(join(root, 'l10n')).flatMap((name) => /^bundle\.l10n\.(.+)\.json$/.exec(name)?.[1] ?? []);
const all = sources('src');

/** What looks like words for people and is none. */
const NO_WORDS = new Set([
	// Examples of what to type, and the name of a time scale.
	'https://example.com/mcp',
	'npx -y @modelcontextprotocol/server-everything',
	'{ "mcpServers": { … } }',
	'UTC',
	// What a server is told, and a method of the protocol.
	'The client failed on purpose.',
	'tasks/get',
	// Selectors.
	'input, textarea, button',
	'textarea,.entries input',
	'footer .status',
	// The page's policy and markup, and the name of the extension.
	'MCP Elicitation',
	'img-src data:',
	'media-src data:',
]);

function where(found: readonly Found[]): string[] {
	return found.map(({ at, text }) => `${at} ${text}`);
}

function placeholders(text: string): string[] {
	return (text.match(/\{\w+\}/g) ?? []).sort();
}

describe('the translations', () => {
	const said = new Map(all.flatMap((source) => source.said().texts).map(({ text, at }) => [text, at]));
	for (const text of webviewStrings) {
		said.set(text, said.get(text) ?? 'src/webview/common/strings.ts');
	}

	it.each(languages)('cover every text, and nothing else: %s', (language) => {
		const translated = Object.keys(read(`l10n/bundle.l10n.${language}.json`));
		const missing = [...said].filter(([text]) => !translated.includes(text)).map(([text, at]) => `${at} ${text}`);
		expect(missing, 'texts without a translation').toEqual([]);
		const stale = translated.filter((text) => !said.has(text));
		expect(stale, 'translations of texts that nobody says any more').toEqual([]);
	});

	it('can be made from the list of the English texts, which `-u` updates', async () => {
		const english = Object.fromEntries([...said.keys()].sort().map((text) => [text, text]));
		await expect(`${JSON.stringify(english, null, 2)}\n`).toMatchFileSnapshot(join(root, 'l10n/bundle.l10n.json'));
	});

	it('can be read off the code: every text is a literal', () => {
		expect(where(all.flatMap((source) => source.said().unreadable))).toEqual([]);
	});

	it.each(languages)('keep the placeholders: %s', (language) => {
		const changed = Object.entries(read(`l10n/bundle.l10n.${language}.json`)).filter(
			([english, translation]) => placeholders(english).join() !== placeholders(translation).join(),
		);
		expect(changed).toEqual([]);
	});

	it.each(languages)('are sorted: %s', (language) => {
		const translated = Object.keys(read(`l10n/bundle.l10n.${language}.json`));
		expect(translated).toEqual(translated.toSorted());
	});
});

/** What is counted, in the plural and the singular. */
const COUNTED: Readonly<Record<string, string>> = {
	answers: 'answer',
	arguments: 'argument',
	bytes: 'byte',
	calls: 'call',
	cases: 'case',
	characters: 'character',
	elicitations: 'elicitation',
	entries: 'entry',
	findings: 'finding',
	inputs: 'input',
	levels: 'level',
	messages: 'message',
	names: 'name',
	options: 'option',
	problems: 'problem',
	properties: 'property',
	requests: 'request',
	responses: 'response',
	rounds: 'round',
	servers: 'server',
	times: 'time',
	tools: 'tool',
	URLs: 'URL',
	values: 'value',
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

/**
 * A number and what it counts. At the end of a range ("{0} to {1}"), after "than", and after "and" it stands for more
 * than one.
 */
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

function withoutSingular(texts: readonly string[]): string[] {
	const plain = (text: string) => text.replace(/\{\d\}/g, '{}').replace(/\bone\b/g, '1');
	const clauses = new Set(texts.flatMap(clausesOf).map(plain));
	return texts.filter(
		(text) => !NEVER_ONE.has(text) && singularsOf(text).some((singular) => !clauses.has(plain(singular))),
	);
}

describe('texts with a count', () => {
	const texts = Object.keys(bundle);

	it('have a text of their own for one', () => {
		expect(withoutSingular(texts)).toEqual([]);
		expect(Object.values(read('package.nls.json')).filter((text) => COUNT.test(text))).toEqual([]);
	});

	it('do not leave the choice to the user', () => {
		expect([...texts, ...Object.values(read('package.nls.json'))].filter((text) => /\w\(s\)/.test(text))).toEqual([]);
	});

	it('that are said of several only are still said', () => {
		expect([...NEVER_ONE].filter((text) => singularsOf(text).length === 0 || !texts.includes(text))).toEqual([]);
	});

	it('are found where the one is missing', () => {
		expect(withoutSingular(['{0} calls', '1 call'])).toEqual([]);
		expect(withoutSingular(['{0} messages exported.', '1 message'])).toEqual(['{0} messages exported.']);
		expect(withoutSingular(['At least {0} entries; you have {1}.', 'At least one entry.'])).toEqual([]);
		expect(withoutSingular(['{0} held, {1} more were cancelled.', '1 held.'])).toHaveLength(1);
		expect(withoutSingular(['polled {0} times at most', '{0} to {1} calls', 'longer than {0} bytes'])).toHaveLength(1);
	});
});

describe('the manifest', () => {
	const english = read('package.nls.json');
	const { contributes, ...rest } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const tools = contributes.languageModelTools.map(
		({ name: _, inputSchema: __, ...tool }: Record<string, unknown>) => tool,
	);
	const shown = visibleTexts({ ...rest, contributes: { ...contributes, languageModelTools: tools } });

	it.each(languages)('has its texts in English and %s, and no others', (language) => {
		const keys = shown.flatMap((text) => /^%(.+)%$/.exec(text)?.[1] ?? []).sort();
		expect(keys.length).toBeGreaterThan(40);
		expect(Object.keys(english).sort()).toEqual([...new Set(keys)]);
		expect(Object.keys(read(`package.nls.${language}.json`)).sort()).toEqual([...new Set(keys)]);
	});

	it('says nothing but its names outside of them', () => {
		const others = shown.filter((text) => !text.startsWith('%'));
		expect([...new Set(others)]).toEqual(['mcp-elicitation', 'MCP Elicitation']);
	});

	it.each(languages)('keeps commands and code as they are: %s', (language) => {
		const translated = read(`package.nls.${language}.json`);
		const fixed = (text = '') => (text.match(/\(command:[^)]*\)|`[^`]*`/g) ?? []).sort();
		for (const [key, text] of Object.entries(english)) {
			expect(fixed(translated[key]), key).toEqual(expect.arrayContaining(fixed(text)));
		}
	});
});

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

describe('the Chinese', () => {
	const texts = [...Object.entries(bundle), ...Object.entries(read('package.nls.zh-cn.json'))];

	it('is Chinese, but for names', () => {
		const names = /\{\d\}|MCP( Elicitation)?|JSON|URL|KB|[\p{P}\s]/gu;
		expect(texts.filter(([, text]) => text.replace(names, '') !== '' && !/\p{Script=Han}/u.test(text))).toEqual([]);
	});

	it('has a space between Chinese and Latin letters, numbers or placeholders', () => {
		expect(texts.filter(([, text]) => /\p{Script=Han}[\w{`$]|[\w`]\p{Script=Han}/u.test(text))).toEqual([]);
	});

	it('has the punctuation of Chinese', () => {
		expect(
			texts.filter(([, text]) => /\p{Script=Han}( \(|[,;:?!.()"])|\}:|[,;?!()"]\p{Script=Han}/u.test(text)),
		).toEqual([]);
	});
});

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

function wrongWords(text: string): string[] {
	const rest = text.replace(OTHER_WORDS, '');
	return WRONG_WORDS.flatMap(([wrong, right]) => {
		const found = wrong.exec(rest);
		return found
			? [
					`${found[0].trim()} (say: ${right}) in: ${text.length > 200 ? rest.slice(Math.max(0, found.index - 40), found.index + 40) : text}`,
				]
			: [];
	});
}

/** What users read outside the editor. `docs/protocol-requirements.md` quotes the specification. */
const DOCUMENTS = [
	'README.md',
	'README.zh-cn.md',
	'SECURITY.md',
	...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.md') && name !== 'protocol-requirements.md')
		.map((name) => `docs/${name}`),
];

describe('the words of the glossary', () => {
	it.each(['package.nls.json', 'package.nls.zh-cn.json'])('are used in %s', (file) => {
		expect(Object.values(read(file)).flatMap(wrongWords)).toEqual([]);
	});

	it('are used in every text, in both languages', () => {
		expect(Object.entries(bundle).flat().flatMap(wrongWords)).toEqual([]);
	});

	it.each(DOCUMENTS)('are used in %s', (file) => {
		const paragraphs = readFileSync(join(root, file), 'utf8').replace(OTHER_WORDS, '').split('\n\n');
		expect(paragraphs.flatMap(wrongWords)).toEqual([]);
	});

	it('are missed where others stand', () => {
		expect(wrongWords('A question …').length).toBe(2);
		expect(wrongWords('Its answer is a page.').length).toBe(2);
		expect(wrongWords('The scripted answer `answer` responds, see [it](question.md).')).toEqual([]);
	});
});

describe('words for people', () => {
	const surfaces = all.filter(({ path }) => /^src\/(editor\/|webview\/(?!common\/strings)|extension\.ts)/.test(path));
	const known = (text: string) => NO_WORDS.has(text) || (webviewStrings as readonly string[]).includes(text);

	it('are never written into the code of a surface without being said', () => {
		const found = surfaces.flatMap((source) => [...source.unsaidProse(), ...source.unsaidWords()]);
		// Markup is no prose.
		expect(where(found.filter(({ text }) => !known(text) && !/^"?>|^<(!DOCTYPE|\/style)/.test(text)))).toEqual([]);
	});
});

describe('the reading of the code', () => {
	const header = "import { localizeNative as say2, localize as t } from '../common/localize.ts';\n";
	const source = (code: string) => new Source('src/editor/a/b.ts', header + code);

	it('finds what is said, under any name, in both branches of a choice', () => {
		const { texts, unreadable } = source(
			"t(one ? 'One.' : 'Two\\'s.');\nsay2('Three {0}', t('four'));\nu('no');",
		).said();
		expect(where(texts)).toEqual([
			'src/editor/a/b.ts:2 One.',
			"src/editor/a/b.ts:2 Two's.",
			'src/editor/a/b.ts:3 Three {0}',
			'src/editor/a/b.ts:3 four',
		]);
		expect(unreadable).toEqual([]);
	});

	it.each(['t(text)', "t('a' + b)", 't(`a ${b}`)', 't(`a`)', "t(c ? 'a' : b)"])('objects to %s', (code) => {
		expect(where(source(code).said().unreadable)).toEqual([`src/editor/a/b.ts:2 ${code}`]);
	});

	it.each([
		"vscode.window.showInformationMessage('Done');",
		'vscode.window.showErrorMessage(`${name} failed`);',
		"item.tooltip = broken ? 'Broken' : '';",
		"item.name = 'Pending';",
		"showQuickPick(items, { placeHolder: 'Choose' });",
		"new vscode.TreeItem('Others');",
		'const items = [{ label: `$(close) Cancel` }];',
		"withProgress({ title: ['Calling', name].join(' ') });",
	])('finds the words in %s', (code) => {
		const found = [...source(code).unsaidWords(), ...source(code).unsaidProse()];
		expect(found.length).toBeGreaterThan(0);
	});

	it.each([
		'<p class="a">Done</p>',
		"<p>{broken ? 'Broken' : ''}</p>",
		'<input placeholder="Search" />',
		"<p>{fill('By {0}', name)}</p>",
	])('finds the words in the page %s', (code) => {
		expect(new Source('src/webview/a/b.tsx', code).unsaidWords().length).toBeGreaterThan(0);
	});

	it('finds none in the rest of a page', () => {
		const code = '<p class="note own">{t("Done")} · <b style={`top: ${at}px`}>×</b></p>';
		const page = new Source('src/webview/a/b.tsx', code);
		expect([...page.unsaidWords(), ...page.unsaidProse()]).toEqual([]);
	});

	it.each([
		"item.tooltip = t('Broken');",
		"const items = [{ label: `$(close) ${t('Cancel')}` }, { label: `$(${bad ? 'error' : 'edit'}) ${name}` }];",
		"item.contextValue = 'tool';",
		"type A = { title: 'some words' };",
		"const title = state === 'some words' ? '' : name;",
	])('finds none in %s', (code) => {
		expect(source(code).unsaidWords()).toEqual([]);
	});
});

describe('the host', () => {
	it('fills in what the editor has looked up', async () => {
		vi.doMock('vscode', () => ({ l10n: { bundle, t: (text: string) => bundle[text] ?? text } }));
		const { localizeNative, nativeText, localize, translations } = await import(
			'../../../src/editor/common/localize.ts'
		);
		expect(localize('requested by tool {0}', '{1}')).toBe('由工具 {1} 发起');
		expect(localize('uses "${{0}}", but no such folder is open.', 'workspaceFolder')).toContain('“${workspaceFolder}”');
		expect(localize('A URL template, like /users/{id}.')).toContain('/users/{id}');
		expect(localizeNative('{0} asks: {1}', 'demo', 'Go\u202e?')).toMatch(/^demo 询问：Go/);
		const inner = { text: 'At least {0} of {1} must be chosen.', args: [2, 1] };
		expect(nativeText({ text: '"{0}" is required, but no response can be valid: {1}', args: ['a', inner] })).toBe(
			'“a”为必填项，但任何响应都不可能有效：1 个选项中至少选 2 个。',
		);
		expect(translations()).toBe(bundle);
	});
});
