/** The manifest and the code know the same commands, views, settings, and context keys, and the manifest keeps its promises. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import { transformSync } from 'esbuild';
import { MEMBERS as ANSWER_MEMBERS } from '../../src/config/answers.ts';
import { MEMBERS as INPUT_MEMBERS } from '../../src/config/inputs.ts';
import { MEMBERS, readServers } from '../../src/config/readDefinition.ts';
import { SHAPES } from '../../src/config/shape.ts';
import { COMMANDS, type CommandId, viewIds } from '../../src/editor/common/commandTable.ts';
import {
	contextKeys,
	fullId,
	languageModelToolIds,
	languageModelToolName,
	type Settings,
} from '../../src/editor/common/contributions.ts';
import { difference, json, manifest, missing, read, settings, strings } from './project.ts';

interface Entry {
	readonly command: string;
	readonly when?: string;
	readonly enablement?: string;
}

const {
	commands,
	views,
	viewsWelcome,
	walkthroughs,
	menus,
	languageModelTools,
	keybindings = [],
} = manifest.contributes;
const inMenus: Entry[] = Object.values(menus as Record<string, Entry[]>).flat();
const steps: readonly { description: string; media: { svg: string }; completionEvents: string[] }[] =
	walkthroughs[0].steps;
const namesOf = (list: readonly Record<string, string>[], key: string) => list.map((each) => each[key] ?? '');
const textOf = (key: string) => strings.english[key.replaceAll('%', '')] ?? '';

const commandIds = Object.keys(COMMANDS) as CommandId[];

/** More rows in the palette are too many to read. */
const MAX_IN_PALETTE = 20;

export function* checkContributions(): Iterable<string> {
	const where = 'package.json: contributes';
	yield* difference(viewIds.map(fullId), namesOf(views.mcpElicitation, 'id'), `${where}.views`);
	yield* missing(namesOf(viewsWelcome, 'view'), viewIds.map(fullId)).map((view) => `${where}: no view ${view}`);
	const tools = namesOf(languageModelTools, 'name');
	yield* difference(languageModelToolIds.map(languageModelToolName), tools, `${where}.languageModelTools`);
	for (const { name, when, modelDescription, inputSchema } of languageModelTools) {
		const named: string[] = modelDescription.match(/mcpElicitation_\w+/g) ?? [];
		if (when !== 'mcpElicitation.callable' || inputSchema.type !== 'object' || missing(named, tools).length > 0) {
			yield `${where}: ${name} should be offered when "mcpElicitation.callable", take an object, and name only tools`;
		}
	}
	const restricted: string[] = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
	const dangerous = (['servers', 'inputs', 'answers'] as const).map(fullId);
	yield* missing(dangerous, restricted).map(
		(id) => `package.json: a workspace could run something by ${id}; restrict it`,
	);
}

const DEFAULTS: { readonly [K in keyof Settings]: Settings[K] } = {
	servers: {},
	inputs: [],
	discoverMcpJson: true,
	autoStart: false,
	'form.presentation': 'auto',
	'form.reveal': 'auto',
	'url.allowInsecure': 'loopback',
	'rateLimit.perMinute': 30,
	callTimeout: 60,
	tasks: 'auto',
	answers: [],
	'trace.maxMessages': 10_000,
	checkSchemas: true,
	agentBridge: false,
};

export function* checkSettings(): Iterable<string> {
	const shown = (entries: [string, unknown][]) => entries.map(([id, value]) => `${id} = ${JSON.stringify(value)}`);
	const promised = Object.entries(DEFAULTS).map(([id, value]): [string, unknown] => [
		fullId(id as keyof Settings),
		value,
	]);
	const declared = Object.entries(settings).map(([id, property]): [string, unknown] => [id, property.default]);
	yield* difference(shown(promised), shown(declared), 'package.json: contributes.configuration');
	const places = Object.values(settings).map(({ order }) => order);
	if (places.toSorted((one, other) => one - other).some((place, at) => place !== at)) {
		yield 'package.json: the orders of the settings are not 0, 1, 2, …';
	}
	for (const id of ['autoStart', 'url.allowInsecure', 'rateLimit.perMinute', 'agentBridge'] as const) {
		if (settings[fullId(id)]?.scope !== 'machine') {
			yield `package.json: ${id} protects the user: its scope is machine, so that no workspace has a say in it`;
		}
	}
}

/** A schema of objects, by name or in a list. */
interface Described {
	readonly additionalProperties?: { readonly properties: object };
	readonly items?: { readonly properties: object };
}

const TYPES = [
	'stdio',
	'http',
	'sse',
	'local',
	'remote',
	'streamable_http',
	'streamable-http',
	'streamableHttp',
	'streamablehttp',
	'STDIO',
	7,
	null,
];

export function* checkSchemas(): Iterable<string> {
	const schema = (id: string) => settings[`mcpElicitation.${id}`] as unknown as Described & object;
	for (const [id, members] of [
		['servers', MEMBERS],
		['inputs', INPUT_MEMBERS],
		['answers', ANSWER_MEMBERS],
	] as const) {
		const described = schema(id).additionalProperties ?? schema(id).items;
		yield* difference(members, Object.keys(described?.properties ?? {}), `package.json: the schema of ${id}`);
	}
	const accepts = new Ajv2020({ strict: false }).compile(schema('servers'));
	for (const type of TYPES) {
		const servers = { it: { type, command: 'node', url: 'https://h/mcp' } };
		if (accepts(servers) !== (readServers(servers).problems.length === 0)) {
			yield `package.json: the schema of servers and the code do not agree on the type ${JSON.stringify(type)}`;
		}
	}
	const files = namesOf(manifest.contributes.jsonValidation, 'url');
	const [shared = ''] = files;
	yield* difference(SHAPES.shared.members, Object.keys(json(shared).properties), shared);
	const references = files.flatMap((file) => [...read(file).matchAll(/"\$ref": ?"([^"]+)"/g)].map(([, to = '']) => to));
	const known = references.filter((reference) => {
		const [, id = '', part] =
			/^vscode:\/\/schemas\/settings\/user#\/properties\/([^/]+)(?:\/(.+))?$/.exec(reference) ?? [];
		return Object.hasOwn(settings, id) && (part === undefined || Object.hasOwn(settings[id] ?? {}, part));
	});
	if (known.length !== 4 || references.length !== 4) {
		yield `${files.join(', ')}: should refer to four schemas of settings, not to ${references.join(', ')}`;
	}
}

/** Context keys of the editor that conditions may read. */
const OF_EDITOR =
	/^(view|viewItem|resourceScheme|resourceExtname|resourceLangId|activeCustomEditorId|isWorkspaceTrusted|workspaceFolderCount|inQuickInput)$/;

export function* checkConditions(): Iterable<string> {
	const conditional = commandIds.filter((id) => inMenus.some(({ when = '' }) => when.split(' ').includes(fullId(id))));
	// Of other features: a picker is open, the timeline was shown.
	const own = ['picker', 'timelineShown', ...contextKeys, ...conditional].map((name) => `mcpElicitation.${name}`);
	const outcomes = steps.flatMap((step) => step.completionEvents.map((event) => event.replace(/^onContext:/, '')));
	const entries: Entry[] = [...inMenus, ...commands, ...viewsWelcome, ...keybindings];
	const keys = entries.flatMap(({ when = '', enablement = '' }) => {
		const words = `${when} ${enablement}`.replace(/=~ \/.*?\/(?= |$)|==\s*\S+|> \d+|\bfalse\b/g, '');
		return words.match(/[\w.-]+/g) ?? [];
	});
	const readable = [...own, ...Object.keys(settings).map((id) => `config.${id}`)];
	const unknown = missing([...keys, ...outcomes], readable).filter((key) => !OF_EDITOR.test(key));
	yield* unknown.map((key) => `package.json: nothing sets the context key ${key}`);
	yield* missing(own, [...keys, ...outcomes]).map((key) => `package.json: no condition reads the context key ${key}`);
	if (outcomes.length !== steps.length || missing(outcomes, own).length > 0) {
		yield 'package.json: each step of the walkthrough is completed by one context key of ours, not by a click';
	}
	const listed = missing(
		commandIds.map(fullId),
		(menus.commandPalette as Entry[]).filter(({ when }) => when === 'false').map(({ command }) => command),
	);
	if (listed.length > MAX_IN_PALETTE) {
		yield `package.json: the palette may list ${listed.length} commands; ${MAX_IN_PALETTE} are enough`;
	}
	for (const { command, when = '' } of keybindings as Entry[]) {
		if (!command.startsWith('mcpElicitation.') || !when.includes('mcpElicitation.')) {
			yield `package.json: the key of ${command} should work only while something of ours is open`;
		}
	}
}

/** What is shown in empty views, by the state of a window. */
const WELCOMES: readonly (readonly [view: string, state: readonly string[], contents: readonly string[]])[] = [
	['servers', ['trusted', 'settled', 'discovers'], ['servers']],
	['servers', ['trusted', 'settled', 'folder', 'discovers'], ['servers', 'discovered']],
	['servers', ['trusted', 'settled', 'folder'], ['servers', 'undiscovered']],
	['servers', [], ['restricted']],
	// Until the definitions are read, it is not known whether there is a server.
	['servers', ['trusted'], []],
	// Rows of servers may take the editor a while.
	['servers', ['trusted', 'settled', 'defined'], []],
	['timeline', ['trusted', 'settled'], ['timeline']],
	['timeline', ['trusted', 'settled', 'callable'], ['timeline', 'call']],
	['timeline', ['callable'], ['timeline']],
	['pending', [], ['pending']],
];
const TERMS: Readonly<Record<string, string>> = {
	trusted: 'isWorkspaceTrusted',
	settled: 'mcpElicitation.settled',
	defined: 'mcpElicitation.defined',
	folder: 'workspaceFolderCount > 0',
	discovers: 'config.mcpElicitation.discoverMcpJson',
	callable: 'mcpElicitation.callable',
};

export function* checkWelcomes(): Iterable<string> {
	for (const [view, state, contents] of WELCOMES) {
		const truths = state.map((name) => TERMS[name]);
		const holds = (term: string) => (term.startsWith('!') ? !truths.includes(term.slice(1)) : truths.includes(term));
		const shown = (viewsWelcome as { view: string; when?: string; contents: string }[])
			.filter((each) => each.view === `mcpElicitation.${view}`)
			.filter(({ when = '' }) => when.split(' && ').filter(Boolean).every(holds))
			.map((each) => each.contents.replace(/%|welcome\./g, ''));
		if (shown.join() !== contents.join()) {
			yield `package.json: ${view} with ${state.join(', ')} welcomes with ${shown.join(', ')}, not ${contents.join(', ')}`;
		}
	}
}

const colorsOf = (svg: string) => [...read(svg).matchAll(/(?:fill|stroke)="([^"]*)"/g)].map(([, color = '']) => color);

/** Titles like those of the editor, and pictures of which the theme decides the colors. */
export function* checkLooks(): Iterable<string> {
	const small = /^(a|an|and|as|by|for|from|in|of|or|the|to|with|…)$/;
	for (const { command, title, category, icon = '$(none)' } of commands) {
		const words = textOf(title).split(' ');
		const lower = words.filter((word, at) => (at === 0 || !small.test(word)) && !/^[A-Z]/.test(word) && word !== '…');
		if (category !== 'MCP Elicitation' || !/^\$\([a-z-]+\)$/.test(icon) || lower.length > 0) {
			yield `package.json: ${command} needs our category, an icon of the theme, and a title in title case`;
		}
	}
	const icon = manifest.contributes.viewsContainers.activitybar[0].icon;
	if (new Set(colorsOf(icon).filter((color) => color !== 'none')).size !== 1) {
		yield `${icon}: should have one color, which the editor replaces by that of the theme`;
	}
	for (const { description, media } of steps) {
		const odd = colorsOf(media.svg).filter((color) => !/^(none|var\(--vscode-[\w-]+\))$/.test(color));
		// In Light Modern this green has a contrast of 1.9:1.
		if (odd.length > 0 || colorsOf(media.svg).includes('var(--vscode-testing-iconPassed)')) {
			yield `${media.svg}: its colors should be those of the theme, and not testing-iconPassed`;
		}
		if (!textOf(description).includes('](command:mcpElicitation.')) {
			yield `package.nls.json: ${description} should lead to one of our commands`;
		}
	}
	for (const [, command = ''] of Object.values(strings.english)
		.join()
		.matchAll(/\]\(command:([^)]+)\)/g)) {
		const [id = '', args = '%5B%5D'] = command.split('?');
		const known = id.startsWith('workbench.') || commandIds.some((own) => fullId(own) === id);
		if (!known || !/^\[.*\]$/.test(decodeURIComponent(args))) {
			yield `package.nls.json: there is no command ${command}, or its arguments are no list`;
		}
	}
}

/** The types of the API hold nothing but types. */
export function* checkApi(): Iterable<string> {
	if (manifest.types !== './dist/api.d.ts' || !read('.vscodeignore').includes('!dist/api.d.ts\n')) {
		yield 'package.json and .vscodeignore: dist/api.d.ts is to be published as the types';
	}
	if (transformSync(read('src/api.ts'), { loader: 'ts' }).code.trim() !== '') {
		yield 'src/api.ts: should hold nothing but types';
	}
}
