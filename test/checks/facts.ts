/** What the pages for users say is what the interface, the settings, the command line, and the code have, in both languages. */
import { parseArgs } from 'node:util';
import { type ParseError, parse as parseJsonc } from 'jsonc-parser';
import { command as check } from '../../src/cli/check.ts';
import type { Command } from '../../src/cli/command.ts';
import { command as connect } from '../../src/cli/connect.ts';
import { command as matrix } from '../../src/cli/matrix.ts';
import { command as record } from '../../src/cli/record.ts';
import { command as run } from '../../src/cli/run.ts';
import { command as serve } from '../../src/cli/serve.ts';
import { command as tap } from '../../src/cli/tap.ts';
import { MEMBERS as ANSWER_MEMBERS, readAnswers } from '../../src/config/answers.ts';
import { readInputs } from '../../src/config/inputs.ts';
import { MEMBERS, readServers } from '../../src/config/readDefinition.ts';
import { fieldsOf } from '../../src/elicitation/form/readFields.ts';
import { isObject, type JsonObject } from '../../src/elicitation/json.ts';
import { HOLD_TIMES } from '../../src/trials/patience.ts';
import { ROWS } from '../field/schemas/case.ts';
import {
	bundle,
	CHINESE,
	difference,
	ENGLISH,
	filesIn,
	isChinese,
	json,
	manifest,
	missing,
	proseOf,
	read,
	settings,
	strings,
	translationOf,
} from './project.ts';

const COMMANDS: Readonly<Record<string, Pick<Command, 'options'>>> = {
	run,
	record,
	serve,
	tap,
	check,
	connect,
	matrix,
};
const PAGES = [...ENGLISH, ...CHINESE];

/** Code in the text: spans and blocks. */
const codeIn = (text: string) =>
	[...text.matchAll(/```\w*\n([\s\S]*?)```|`([^`\n]+)`/g)].map(([, block, span]) => block ?? span ?? '');

const blocksIn = (text: string, language: RegExp) =>
	[...text.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, name = '', code = '']) =>
		language.test(name) ? [code] : [],
	);

export function* checkNames(): Iterable<string> {
	const { commands, views } = manifest.contributes;
	const ids = [...commands, ...views.mcpElicitation].map(
		({ command, id }: { command?: string; id?: string }) => command ?? id,
	);
	for (const page of PAGES) {
		const text = read(page);
		const short = codeIn(text).filter((code) => /^(?:form|url|rateLimit|trace)\.\w+$/.test(code));
		const names = [
			...(text.match(/mcpElicitation\.[\w.]*\w/g) ?? []),
			...short.map((name) => `mcpElicitation.${name}`),
		];
		const unknown = missing(names, [...Object.keys(settings), ...ids]);
		yield* unknown.map((name) => `${page}: there is no setting, command, or view ${name}`);
	}
}

/** What VS Code itself calls its commands, and tools of the demo server. */
const FOREIGN = {
	english: ['Extensions: Install from VSIX…', 'Developer: Set Log Level…', 'Developer: Reload Window'],
	chinese: ['扩展: 从 VSIX 安装…', '开发人员: 设置日志级别…', '开发人员: 重新加载窗口'],
	both: ['MCP Elicitation', 'Book a table', 'Long report', 'Slow order'],
};
const LABELS = {
	english: [...Object.values(strings.english), ...Object.keys(bundle), ...FOREIGN.english, ...FOREIGN.both],
	chinese: [...Object.values(strings.chinese), ...Object.values(bundle), ...FOREIGN.chinese, ...FOREIGN.both],
};

/** What stands in italics: the names of commands, views, and buttons. */
export function labelsIn(text: string): string[] {
	return [...proseOf(text).matchAll(/(?<!\*)(?:\*{3}|\*)(?![\s*])([^*\n]+|[^*]+?)\*+/g)]
		.filter(([whole]) => whole.startsWith('***') === whole.endsWith('***') && !whole.endsWith('**', whole.length - 3))
		.flatMap(([, label = '']) => label.replaceAll(/\s+/g, ' ').split(' → '))
		.map((label) => label.replace(/^MCP Elicitation: /, ''));
}

export function* checkLabels(): Iterable<string> {
	for (const page of PAGES) {
		const unknown = missing(labelsIn(read(page)), isChinese(page) ? LABELS.chinese : LABELS.english);
		yield* unknown.map((label) => `${page}: nothing in the interface is called *${label}*`);
	}
	const translationsOf = (label: string) => [
		...Object.entries(strings.english).flatMap(([key, text]) => (text === label ? (strings.chinese[key] ?? []) : [])),
		...(Object.hasOwn(bundle, label) ? [bundle[label]] : []),
	];
	// The tables of settings come from the manifest.
	for (const page of ENGLISH.filter((name) => name !== 'docs/settings.md')) {
		const [english, chinese] = [page, translationOf(page)].map((each) => labelsIn(read(each))) as [string[], string[]];
		const lost = english.filter((label) => {
			const translations = translationsOf(label);
			return translations.length > 0 && !translations.some((text) => text !== undefined && chinese.includes(text));
		});
		yield* lost.map((label) => `${translationOf(page)}: does not name *${label}* as ${page} does`);
		if (english.length !== chinese.length) {
			yield `${translationOf(page)}: has ${chinese.length} names in italics, ${page} ${english.length}`;
		}
	}
}

export function* checkCode(): Iterable<string> {
	const codeOf = (page: string) => codeIn(read(page)).map((text) => text.replace(/\/\/.*/, ''));
	for (const page of ENGLISH) {
		yield* difference(codeOf(page), codeOf(translationOf(page)), `${translationOf(page)}: in its code`);
	}
}

/** None ends in punctuation right before a letter. */
export function* checkEmphasis(): Iterable<string> {
	for (const page of CHINESE) {
		const prose = read(page)
			.replace(/```[\s\S]*?```/g, '')
			.replace(/`[^`\n]*`/g, 'code');
		const spans = [...prose.matchAll(/(\*{1,3})[^*\n]+\1(.?)/gu)].map(([span]) => span);
		const odd = spans.filter((span) => /[^*\P{P}]\*+\p{L}$/u.test(span));
		yield* odd.map((span) => `${page}: Markdown does not render the emphasis of ${span}`);
	}
}

/** The words of a command line, as a shell splits it. */
const wordsOf = (line: string) =>
	[...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');

export function* checkCommandLines(): Iterable<string> {
	const options = Object.values(COMMANDS).flatMap((command) => Object.keys(command.options).map((name) => `--${name}`));
	for (const page of PAGES) {
		const code = codeIn(read(page)).filter((each) => !each.startsWith('npm run '));
		const flags = code.flatMap((each) => each.match(/(?<![\w-])--[a-z-]+/g) ?? []);
		yield* missing(flags, [...options, '--help']).map((flag) => `${page}: the command line has no option ${flag}`);
		for (const line of blocksIn(read(page), /^sh$/).flatMap((block) => block.trim().split('\n'))) {
			const [program, name, command = '', ...args] = wordsOf(line);
			const known = program === 'npx' && name === 'mcp-elicitation' && Object.hasOwn(COMMANDS, command);
			if (!known || !isAccepted(command, args)) {
				yield `${page}: the command line does not accept ${line}`;
			}
		}
	}
	const page = read('docs/command-line.md');
	const untold = options.filter((flag) => !page.includes(`\`${flag}`));
	yield* untold.map((flag) => `docs/command-line.md: does not name the option ${flag}`);
}

function isAccepted(command: string, args: string[]): boolean {
	try {
		const options = { ...COMMANDS[command]?.options };
		const { positionals, values } = parseArgs({ args, options, allowPositionals: true });
		return positionals.length > 0 || values['url'] !== undefined;
	} catch {
		return false;
	}
}

export function* checkExamples(): Iterable<string> {
	for (const page of PAGES) {
		const examples = blocksIn(read(page), /^jsonc?$/).map((example) => ({ example, problems: problemsOf(example) }));
		for (const { example, problems } of examples.filter((each) => each.problems.length > 0)) {
			yield `${page}: ${JSON.stringify(problems)} in ${example}`;
		}
	}
}

/** What its reader has against an example; an example of which nobody knows what it is cannot be checked. */
function problemsOf(example: string): readonly unknown[] {
	const errors: ParseError[] = [];
	const value = parseJsonc(/^\s*\{/.test(example) ? example : `{${example}}`, errors) as JsonObject;
	if (errors.length > 0 || !isObject(value)) {
		return ['no JSON'];
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
			return Array.isArray(content) ? [] : ['no list'];
		case 'command':
			return readServers({ example: value }).problems;
		case 'type':
			return fieldsOf(value).some((field) => field.kind === 'text' && field.file) ? [] : ['no file'];
		default:
			return Object.hasOwn(value, 'action') ? [...readAnswers(value).problems] : [`"${first}" is not checked`];
	}
}

const IN_WORDS: Readonly<Record<string, number>> = { three: 3, ten: 10, 三: 3, 十: 10 };

/** The number that a text has where a pattern has braces. */
function numberIn(text: string, pattern: string): number {
	const escaped = pattern.replace(/[.*+?()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s+');
	const [, found = ''] = new RegExp(escaped.replace('{}', '([\\d,]+|\\w+|.)')).exec(text) ?? [];
	return IN_WORDS[found] ?? Number(found.replaceAll(',', '') || Number.NaN);
}

/** A number of a source file, such as `MAX_PANELS of formElicitations.ts`, or the default of a setting. */
function constantOf(source: string): number {
	const [name = '', path = ''] = source.split(' of ');
	if (path === '') {
		return Number(settings[`mcpElicitation.${name}`]?.default);
	}
	const [file = '', ...others] = filesIn('src', /\.ts$/).filter((each) => each.endsWith(`/${path}`));
	if (file === '' || others.length > 0) {
		return Number.NaN;
	}
	const [, product = ''] = new RegExp(`\\b${name}(?: =|:) ([\\d_* ]+)[;,]`).exec(read(file)) ?? [];
	return product.split('*').reduce((value, factor) => value * Number(factor.replaceAll('_', '')), 1);
}

const UNITS = { KB: 1024, MB: 1024 * 1024, ms: 1000 };

/** Numbers that pages name: the page, what it says in both languages, where the number comes from, and its unit there. */
type Row = readonly [page: string, english: string, chinese: string, source: string, unit?: keyof typeof UNITS];

export function* checkNumbers(): Iterable<string> {
	for (const [page, english, chinese, source, unit] of json('test/checks/numbers.json') as Row[]) {
		const value = constantOf(source) / (unit === undefined ? 1 : UNITS[unit]);
		for (const [path, text] of [
			[`docs/${page}.md`, english],
			[`docs/zh-cn/${page}.md`, chinese],
		] as const) {
			if (!(value > 0) || numberIn(read(path), text) !== value) {
				yield `${path}: should say "${text.replace('{}', String(value))}", by ${source} (test/checks/numbers.json)`;
			}
		}
	}
	const [first, second, third] = HOLD_TIMES;
	for (const [page, text] of [
		['docs/debugging.md', `${first}, ${second} and ${third} seconds`],
		['docs/zh-cn/debugging.md', `${first}、${second} 和 ${third} 秒`],
	] as const) {
		if (!read(page).includes(text)) {
			yield `${page}: should say "${text}"`;
		}
	}
}

/** The rows of the table of a page that has such a head, as cells. */
function rowsOf(page: string, head: RegExp): string[][] {
	const lines = read(page).split('\n');
	const start = lines.findIndex((line) => head.test(line)) + 2;
	const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
	return lines.slice(start, end).map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
}

export function* checkLists(): Iterable<string> {
	const named = rowsOf('docs/servers.md', /^\| member/).flatMap(([cell = '']) => cell.match(/\w+/g) ?? []);
	yield* difference(MEMBERS, named, 'docs/servers.md: the table of members');
	const answers = read('docs/scripted-answers.md');
	const untold = ANSWER_MEMBERS.filter((member) => !answers.includes(`\`${member}\``));
	yield* untold.map((member) => `docs/scripted-answers.md: does not name the member ${member}`);
	const shapes = ROWS.filter((row) => row !== 'specified');
	if (rowsOf('docs/forms.md', /^\| the schema has/).length !== shapes.length) {
		yield `docs/forms.md: needs one row for each of the shapes of test/field/schemas: ${shapes.join(', ')}`;
	}
}
