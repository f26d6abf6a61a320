import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ParseError, parse as parseJsonc } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { command as check } from '../../../src/cli/check.ts';
import type { Command } from '../../../src/cli/command.ts';
import { command as matrix } from '../../../src/cli/matrix.ts';
import { command as record } from '../../../src/cli/record.ts';
import { command as run } from '../../../src/cli/run.ts';
import { command as serve } from '../../../src/cli/serve.ts';
import { MEMBERS as ANSWER_MEMBERS, readAnswers } from '../../../src/config/answers.ts';
import { MEMBERS, readServers } from '../../../src/config/definition.ts';
import { readInputs } from '../../../src/config/inputs.ts';
import { LIBRARIES } from '../../../src/elicitation/check/libraries.ts';
import { MAX_FILE_SIZE } from '../../../src/elicitation/form/file.ts';
import { fieldsOf } from '../../../src/elicitation/form/readFields.ts';
import { isObject, type JsonObject } from '../../../src/elicitation/json.ts';
import { LIMITS } from '../../../src/elicitation/limits.ts';
import { type Persona, titleOf } from '../../../src/elicitation/personas/persona.ts';
import { PERSONAS } from '../../../src/elicitation/personas/personas.ts';
import { MAX_RESTARTS } from '../../../src/mcp/restarts.ts';
import { MAX_TOTAL_SIZE } from '../../../src/trace/log.ts';
import { DEFAULT_RUNS, MAX_RUNS } from '../../../src/trials/determinism.ts';
import { SERVER_TIMEOUT } from '../../../src/trials/observe.ts';
import { HOLD_TIMES } from '../../../src/trials/patience.ts';
import { root } from '../../harness/paths.mjs';
import { ROWS } from '../../realWorld/case.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const json = (path: string) => JSON.parse(read(path));
const { contributes } = json('package.json');
const settings: Record<string, { default: unknown }> = contributes.configuration.properties;
const commandIds = contributes.commands.map(({ command }: { command: string }) => command);
const viewIds = contributes.views.mcpElicitation.map(({ id }: { id: string }) => id);

const pagesIn = (folder: string) =>
	readdirSync(join(root, folder))
		.filter((name) => name.endsWith('.md'))
		.map((name) => `${folder}/${name}`);
const ENGLISH = ['README.md', ...pagesIn('docs')];
const CHINESE = ['README.zh-cn.md', ...pagesIn('docs/zh-cn')];
const translationOf = (page: string) =>
	page === 'README.md' ? 'README.zh-cn.md' : page.replace('docs/', 'docs/zh-cn/');

/** Code in the text: spans and blocks. */
const codeIn = (text: string) =>
	[...text.matchAll(/```\w*\n([\s\S]*?)```|`([^`\n]+)`/g)].map(([, a, b]) => a ?? b ?? '');

function blocksIn(text: string, language: RegExp): string[] {
	return [...text.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, name = '', code = '']) =>
		language.test(name) ? [code] : [],
	);
}

describe.each([...ENGLISH, ...CHINESE])('%s', (page) => {
	const text = read(page);

	it('names only settings, commands, and views that the manifest has', () => {
		const names = [...text.matchAll(/mcpElicitation\.[\w.]*\w/g)].map(([name]) => name);
		const known = [...Object.keys(settings), ...commandIds, ...viewIds];
		expect(names.filter((name) => !known.includes(name))).toEqual([]);
		const short = codeIn(text).filter((code) => /^(?:form|url|rateLimit|trace)\.\w+$/.test(code));
		expect(short.filter((name) => !Object.hasOwn(settings, `mcpElicitation.${name}`))).toEqual([]);
	});

	it('names commands, views, and buttons as the interface does', () => {
		expect(labelsIn(text).filter((label) => !isLabel(label, CHINESE.includes(page)))).toEqual([]);
	});

	it('names only options that the command line has', () => {
		const flags = codeIn(text).flatMap((code) => [...code.matchAll(/(?<![\w-])--([a-z-]+)/g)].map(([, flag]) => flag));
		const known = [...Object.values(COMMANDS).flatMap(({ options }) => Object.keys(options)), 'help'];
		expect(flags.filter((flag) => !known.includes(flag ?? ''))).toEqual([]);
	});

	it('has command lines that the command line accepts', () => {
		for (const line of blocksIn(text, /^sh$/).flatMap((block) => block.trim().split('\n'))) {
			const [program, name, command = '', ...args] = wordsOf(line);
			expect([program, name]).toEqual(['npx', 'mcp-elicitation']);
			const options = { ...COMMANDS[command]?.options };
			expect(parseArgs({ args, options, allowPositionals: true }).positionals, line).not.toEqual([]);
		}
	});

	it('has examples in JSON that can be used as they are', () => {
		for (const example of blocksIn(text, /^jsonc?$/)) {
			expect(problemsOf(example), example).toEqual([]);
		}
	});
});

const COMMANDS: Readonly<Record<string, Command>> = { run, record, serve, check, matrix };

/** The words of a command line, as a shell splits it. */
const wordsOf = (line: string) =>
	[...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');

/** What VS Code itself calls its commands, and tools of the demo server. */
const FOREIGN = {
	english: ['Extensions: Install from VSIX…', 'Developer: Set Log Level…', 'Developer: Reload Window'],
	chinese: ['扩展: 从 VSIX 安装…', '开发人员: 设置日志级别…', '开发人员: 重新加载窗口'],
	demo: ['Book a table', 'Long report', 'Slow order'],
};

/** What stands in italics: the names of commands, views, and buttons. */
function labelsIn(text: string): string[] {
	const prose = text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
	return [...prose.matchAll(/(?<!\*)(?:\*{3}|\*)(?![\s*])([^*\n]+|[^*]+?)\*+/g)]
		.filter(([whole]) => whole.startsWith('***') === whole.endsWith('***') && !whole.endsWith('**', whole.length - 3))
		.flatMap(([, label = '']) => label.replaceAll(/\s+/g, ' ').split(' → '))
		.map((label) => label.replace(/^MCP Elicitation: /, ''));
}

const strings = { english: json('package.nls.json'), chinese: json('package.nls.zh-cn.json') };
const bundle = json('l10n/bundle.l10n.zh-cn.json');

function isLabel(label: string, chinese: boolean): boolean {
	const known = new Set<string>([
		'MCP Elicitation',
		...Object.values<string>(chinese ? strings.chinese : strings.english),
		...(chinese ? Object.values<string>(bundle) : Object.keys(bundle)),
		...(chinese ? FOREIGN.chinese : FOREIGN.english),
		...FOREIGN.demo,
	]);
	return known.has(label);
}

/** What its reader has against an example; an example of which nobody knows what it is cannot be checked. */
function problemsOf(example: string): unknown[] {
	const errors: ParseError[] = [];
	const text = /^\s*\{/.test(example) ? example : `{${example}}`;
	const value = parseJsonc(text, errors) as JsonObject;
	if (errors.length > 0 || !isObject(value)) {
		return [errors];
	}
	const [[first = '', content] = []] = Object.entries(value);
	switch (first) {
		case 'mcpElicitation.servers':
			return readServers(content).problems;
		case 'mcpElicitation.inputs':
			return readInputs(content).problems;
		case 'mcpElicitation.answers':
			return [...readAnswers(content).problems];
		case 'mcpElicitation.agentBridge':
		case 'extensionDependencies':
			return Array.isArray(content) ? [] : [content];
		case 'command':
			return readServers({ example: value }).problems;
		case 'type':
			return fieldsOf(value).some((field) => field.kind === 'text' && field.file) ? [] : ['no file'];
		default:
			return Object.hasOwn(value, 'action') ? [...readAnswers(value).problems] : [`"${first}" is not checked`];
	}
}

describe('the pages in both languages', () => {
	it.each(CHINESE)('%s has emphasis that Markdown renders: none ends in punctuation right before a letter', (page) => {
		const prose = read(page)
			.replace(/```[\s\S]*?```/g, '')
			.replace(/`[^`\n]*`/g, 'code');
		const spans = [...prose.matchAll(/(\*{1,3})[^*\n]+\1(.?)/gu)];
		expect(spans.map(([span]) => span).filter((span) => /[^*\P{P}]\*+\p{L}$/u.test(span))).toEqual([]);
	});

	it.each(ENGLISH)('%s names as many commands', (page) => {
		const [english, chinese] = [page, translationOf(page)].map((each) => labelsIn(read(each)).length);
		// The tables of settings come from the manifest.
		expect(page === 'docs/settings.md' ? english : chinese).toBe(english);
	});

	it.each(ENGLISH)('%s names the same commands, views, and buttons', (page) => {
		const chinese = labelsIn(read(translationOf(page)));
		const translations = (label: string) => [
			...Object.entries(strings.english).flatMap(([key, text]) => (text === label ? strings.chinese[key] : [])),
			...(Object.hasOwn(bundle, label) ? [bundle[label]] : []),
		];
		// The tables of settings come from the manifest.
		const own =
			page === 'docs/settings.md' ? [] : labelsIn(read(page)).filter((label) => translations(label).length > 0);
		expect(own.filter((label) => !translations(label).some((text) => chinese.includes(text)))).toEqual([]);
	});

	it.each(ENGLISH)('%s names the same code', (page) => {
		const [english, chinese] = [page, translationOf(page)].map((each) => {
			const code = codeIn(read(each)).map((text) => text.replace(/\/\/.*/, ''));
			return [...new Set(code)].sort();
		});
		expect(chinese).toEqual(english);
	});
});

/** The value of a number in a source file, which nobody else uses. */
function constant(path: string, name: string): number {
	const [, product = ''] = new RegExp(`const ${name} = ([\\d_* ]+);`).exec(read(path)) ?? [];
	return product.split('*').reduce((value, factor) => value * Number(factor.replaceAll('_', '')), 1);
}

const IN_WORDS: Readonly<Record<string, number>> = { three: 3, ten: 10, 三: 3, 十: 10 };
const numberOf = (text = '') => IN_WORDS[text] ?? Number(text.replaceAll(',', ''));

const FORMS = 'src/editor/elicitations/form/formElicitations.ts';
const kilobytes = (bytes: number) => bytes / 1024;

/** What a page says in both languages, with the number in parentheses, and where the number comes from. */
const NUMBERS: readonly (readonly [page: string, english: RegExp, chinese: RegExp, value: number])[] = [
	['pending', /most (\w+) forms of a server open/, /至多自行打开(.)个表单/, constant(FORMS, 'MAX_PANELS')],
	['pending', /More than (\w+) requests of one call/, /提出(.)个以上的请求/, constant(FORMS, 'MAX_IN_TURN')],
	[
		'pending',
		/most (\d+) requests of a server/,
		/同时至多有 (\d+) /,
		constant('src/elicitation/policy.ts', 'MAX_SHOWN'),
	],
	['pending', /At most (\d+) are held/, /至多暂缓 (\d+) 个/, constant('src/elicitation/policy.ts', 'MAX_HELD')],
	[
		'pending',
		/send (\d+) requests per/,
		/可以发送 (\d+) /,
		Number(settings['mcpElicitation.rateLimit.perMinute']?.default),
	],
	['pending', /After (\d+) rounds/, /(\d+) 轮之后/, constant('src/mcp/rounds/rounds.ts', 'MAX_ROUNDS')],
	['pending', /seconds \((\d+)\)/, /秒（(\d+)）/, Number(settings['mcpElicitation.callTimeout']?.default)],
	['pending', /up to (\w+) times in\s+total/, /总计最多(.)倍/, constant('src/mcp/calls.ts', 'MAX_EXTENSION_FACTOR')],
	['pending', /sent up to (\d+) times/, /最多发送 (\d+) 次/, constant('src/mcp/deliveries.ts', 'MAX_ATTEMPTS')],
	[
		'url-mode',
		/more than ([\d,]+) characters\.\n/,
		/超过 ([\d,]+) 个字符。\n/,
		constant('src/elicitation/url/urlSafety.ts', 'MAX_LENGTH'),
	],
	[
		'url-mode',
		/host of more than (\d+)/,
		/超过 (\d+) 个字符的主机/,
		constant('src/elicitation/url/urlSafety.ts', 'LONG_HOST'),
	],
	[
		'url-mode',
		/names more than (\d+)/,
		/列出 (\d+) 个以上/,
		constant('src/mcp/rounds/urlElicitationRequired.ts', 'MAX_URLS'),
	],
	[
		'url-mode',
		/up to (\d+) times in a row/,
		/最多连续 (\d+) 次/,
		constant('src/mcp/rounds/urlElicitationRequired.ts', 'MAX_AUTOMATIC'),
	],
	[
		'forms',
		/at most (\d+) characters and one/,
		/不超过 (\d+) 个字符时/,
		constant('src/editor/elicitations/form/presentation.ts', 'MAX_PICKER_MESSAGE'),
	],
	[
		'forms',
		/`maxLength` above (\d+)/,
		/`maxLength` 大于 (\d+)/,
		constant('src/elicitation/form/readFields.ts', 'LONG_TEXT'),
	],
	['forms', /file has at most (\d+) KB/, /文件最大 (\d+) KB/, kilobytes(MAX_FILE_SIZE)],
	['forms', /schema has at most (\d+) KB/, /架构最大 (\d+) KB/, kilobytes(LIMITS.schemaBytes)],
	['forms', /KB, (\d+) levels/, /KB、(\d+) 层/, LIMITS.nesting],
	['forms', /levels, ([\d,]+) properties/, /层、([\d,]+) 个属性/, LIMITS.properties],
	['forms', /properties, and ([\d,]+)\s+options/, /最多 ([\d,]+) 个选项/, LIMITS.options],
	['forms', /message has at most (\d+) KB/, /消息最大 (\d+) KB/, kilobytes(LIMITS.messageBytes)],
	['forms', /a request at most (\d+) KB/, /整个请求最大 (\d+) KB/, kilobytes(LIMITS.requestBytes)],
	[
		'timeline',
		/newest ([\d,]+) messages/,
		/最新的 ([\d,]+) 条/,
		Number(settings['mcpElicitation.trace.maxMessages']?.default),
	],
	['timeline', /at most (\d+) MB/, /最多占用 (\d+) MB/, MAX_TOTAL_SIZE / 1024 / 1024],
	['debugging', /up to (\d+) seconds/, /最多 (\d+) 秒/, SERVER_TIMEOUT / 1000],
	['debugging', /responses, (\d+) times or/, /调用 (\d+) 次/, DEFAULT_RUNS],
	['debugging', /times or up to (\d+)/, /或最多 (\d+) 次/, MAX_RUNS],
	[
		'debugging',
		/required URL (\d+)\s+times/,
		/URL 时重试 (\d+) 次/,
		constant('src/editor/debugging/trials/urlElicitationRequired.ts', 'RETRIES'),
	],
	['servers', /restarted up to (\d+) times/, /最多连续重启 (\d+) 次/, MAX_RESTARTS],
	['troubleshooting', /after (\d+) restarts/, /连续重启 (\d+) 次/, MAX_RESTARTS],
	['command-line', /up to (\d+) seconds/, /最多 (\d+) 秒不予/, SERVER_TIMEOUT / 1000],
	['command-line', /A call has (\d+) seconds/, /一次调用最多 (\d+) 秒/, constant('src/cli/host.ts', 'CALL_TIMEOUT')],
	['agent-mode', /after (\d+) seconds/, /如果 (\d+) 秒内/, constant('src/bridge/bridgeTasks.ts', 'MAX_SILENCE') / 1000],
	['comparison', /up to (\w+) forms of a server/, /至多打开(.)个表单/, constant(FORMS, 'MAX_PANELS')],
	[
		'comparison',
		/continue after (\d+) rounds/,
		/请求；(\d+) 轮之后/,
		constant('src/mcp/rounds/rounds.ts', 'MAX_ROUNDS'),
	],
	['trust', /for (\d+) tools/, /最多 (\d+) 个工具/, constant('src/editor/calls/recentCalls.ts', 'MAX_TOOLS')],
];

describe('the numbers', () => {
	it.each(NUMBERS)('of %s are those of the code: %s', (page, english, chinese, value) => {
		expect(value).toBeGreaterThan(0);
		expect(numberOf(english.exec(read(`docs/${page}.md`))?.[1])).toBe(value);
		expect(numberOf(chinese.exec(read(`docs/zh-cn/${page}.md`))?.[1])).toBe(value);
	});

	it('of the patience trial are those of the code', () => {
		const [first, second, third] = HOLD_TIMES;
		expect(read('docs/debugging.md')).toContain(`${first}, ${second} and ${third} seconds`);
		expect(read('docs/zh-cn/debugging.md')).toContain(`${first}、${second} 和 ${third} 秒`);
	});
});

describe('the lists', () => {
	const rowsOf = (page: string, header: RegExp) => {
		const lines = read(page).split('\n');
		const start = lines.findIndex((line) => header.test(line)) + 2;
		const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
		return lines.slice(start, end).map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
	};

	it('of options has every option of every command', () => {
		const flags = Object.values(COMMANDS).flatMap(({ options }) => Object.keys(options).map((name) => `--${name}`));
		expect(flags.filter((flag) => !read('docs/command-line.md').includes(`\`${flag}`))).toEqual([]);
	});

	it('of members has every member of a definition and of a scripted answer', () => {
		const named = rowsOf('docs/servers.md', /^\| member/).flatMap(([cell = '']) => cell.match(/\w+/g) ?? []);
		expect(named.sort()).toEqual([...MEMBERS].sort());
		const page = read('docs/scripted-answers.md');
		expect(ANSWER_MEMBERS.filter((member) => !page.includes(`\`${member}\``))).toEqual([]);
	});

	it('of real-world schemas has a row for each shape that is tested', () => {
		expect(rowsOf('docs/forms.md', /^\| the schema has/)).toHaveLength(
			ROWS.filter((row) => row !== 'specified').length,
		);
	});

	it('of libraries has all of them, with their versions', () => {
		const page = read('docs/checking.md').replaceAll(/\s+/g, ' ');
		for (const { name, version } of LIBRARIES) {
			const [short = ''] = /[\w-]+$/.exec(name) ?? [];
			const release = version.replace(/\.\d+$/, '').replaceAll('.', '\\.');
			expect(page, name).toMatch(new RegExp(`${short}\`[^,]* ${release}\\b`));
		}
	});

	it('of other clients in docs/checking.md has all of them, with their versions and sources', () => {
		const rows = rowsOf('docs/checking.md', /^\| client/);
		const missing = (PERSONAS as readonly Persona[]).filter(({ name, version = '', source }) => {
			const [words, kind] = [name.split(/ with| outside| desktop/)[0] ?? '', Object.keys(source)[0]];
			const release = version.replace(/^(\d+\.\d+)\..*/, '$1');
			return !rows.some(([cell = '', how]) => cell.includes(words) && cell.includes(release) && how === kind);
		});
		expect(missing.map(titleOf), 'clients without a row, or with another version or source in it').toEqual([]);
	});
});

describe('the comparison', () => {
	const rows = read('docs/comparison.md')
		.split('\n')
		.filter((line) => /^\| (?!---|behavior)/.test(line))
		.map((line) => line.slice(2, -2).split(' | '));
	const persona = (id: string) => (PERSONAS as readonly Persona[]).find((each) => each.id === id);
	const measured = (text: string) => rows.find(([behavior]) => behavior?.includes(text)) ?? [];

	it('says of every cell about another client how it was found', () => {
		expect(rows.length).toBeGreaterThan(15);
		const cells = rows.flatMap((row) => row.slice(1, -1));
		expect(cells).toHaveLength(3 * rows.length);
		expect(cells.flatMap((cell) => cell.split(/;/)).filter((claim) => !/\((?:m|t|c)\)/.test(claim))).toEqual([]);
	});

	it('agrees with what was measured', () => {
		const [editor, inspector, mcpjam] = [persona('vscode'), persona('inspector'), persona('mcpjam-2')];
		expect(read('docs/comparison.md')).toContain(`| VS Code ${editor?.version} |`);
		expect(inspector?.version).toMatch(/^2\.12\./);
		expect(mcpjam?.version).toMatch(/^2\.45\./);
		for (const keyword of ['pattern', 'exclusiveMinimum', 'multipleOf', 'minLength', 'format']) {
			const [, byEditor, byInspector, byMcpjam] = measured(`\`${keyword}\``);
			expect(byEditor, keyword).toBe(editor?.form?.ignores?.includes(keyword) ? 'no (m)' : 'yes (m)');
			expect(byInspector, keyword).toBe(inspector?.form?.ignores?.includes(keyword) ? 'no (m)' : 'yes (m)');
			expect(byMcpjam, keyword).toBe(mcpjam?.form?.ignores?.includes(keyword) ? 'not in the form (c)' : 'yes (c)');
		}
		expect(measured('revisions')[1]).toContain(`${Object.keys(editor?.declares ?? {}).join(' and ')} (m)`);
		expect(editor?.form?.blank).toEqual({ number: null, boolean: false });
		expect(measured('left blank')[1]).toContain('number: `null`, Boolean: `false` (m)');
		expect(inspector?.form?.blank).toEqual({});
		expect([editor, inspector].map((each) => each?.form?.losesFalsyDefaults)).toEqual([true, false]);
		expect([editor, inspector].map((each) => each?.several)).toEqual(['newest', 'oneByOne']);
	});
});

describe('the check of the facts', () => {
	it('sees labels, commands in other words, and what a shell would see', () => {
		expect(labelsIn('*MCP Elicitation: Add\nServer…*, **bold**, `*`, ***Replay Call…***, *A → B*, 2 * 3')).toEqual([
			'Add Server…',
			'Replay Call…',
			'A',
			'B',
		]);
		expect(ENGLISH.flatMap((page) => labelsIn(read(page))).length).toBeGreaterThan(70);
		expect(CHINESE.flatMap((page) => labelsIn(read(page))).length).toBeGreaterThan(70);
		expect([isLabel('Add Server…', false), isLabel('Append Server', false), isLabel('Add Server…', true)]).toEqual([
			true,
			false,
			false,
		]);
		expect(wordsOf(`a "b c" '{"d": 1}'`)).toEqual(['a', 'b c', '{"d": 1}']);
	});

	it('rejects examples that have problems', () => {
		expect(problemsOf('{ "mcpElicitation.servers": { "a": { "comand": "b" } } }')).not.toEqual([]);
		expect(problemsOf('{ "action": "acept" }')).not.toEqual([]);
		expect(problemsOf('{ "a": 1 }')).not.toEqual([]);
		expect(problemsOf('{ "a": ')).not.toEqual([]);
	});
});
