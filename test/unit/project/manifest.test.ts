import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { MEMBERS as ANSWER_MEMBERS } from '../../../src/config/answers.ts';
import { MEMBERS, readServers } from '../../../src/config/definition.ts';
import { MEMBERS as INPUT_MEMBERS } from '../../../src/config/inputs.ts';
import { SHAPES } from '../../../src/config/shape.ts';
import {
	commandIds,
	contextKeys,
	fullId,
	languageModelToolIds,
	languageModelToolName,
	type Settings,
	viewIds,
} from '../../../src/editor/common/contributions.ts';
import { root } from '../../harness/paths.mjs';
import { EDITORS } from '../../harness/toolchain.mjs';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json'));
const strings: Record<string, string> = JSON.parse(read('package.nls.json'));
const {
	commands,
	views,
	viewsWelcome,
	walkthroughs,
	menus,
	configuration,
	languageModelTools,
	keybindings = [],
} = manifest.contributes;
const properties: Record<string, { default: unknown; scope: string; order: number }> = configuration.properties;

/** Commands that the palette always offers, and why each of them makes sense in every window. */
const ALWAYS: Readonly<Record<string, string>> = {
	addServer: 'the first thing to do',
	openRecording: 'needs nothing but a file, and starts nothing',
	serveRecording: 'needs nothing but a file and a trusted window, which its enablement asks for',
	startDemo: 'needs nothing but a trusted window, which its enablement asks for',
	resetServerTrust: 'what was consented to outlives every window',
	showPending: 'tells, too, that nothing is pending',
	showTimeline: 'tells, too, that nothing has happened yet',
	showAnswerers: 'tells, too, that nobody answers in the place of the person',
};

/** Context keys of the editor, and settings, that conditions may read. */
const EDITORS_KEYS =
	/^(view|viewItem|resourceScheme|resourceExtname|resourceLangId|activeCustomEditorId|isWorkspaceTrusted|workspaceFolderCount|inQuickInput)$/;

/** Context keys of other features: a picker is open, there are scripts, the timeline was shown. */
const OWN_KEYS = ['picker', 'scripts', 'timelineShown', ...contextKeys].map((name) => `mcpElicitation.${name}`);

/** The context keys that complete the steps of the walkthrough. */
function outcomes(): string[] {
	const steps: { completionEvents: string[] }[] = walkthroughs[0].steps;
	return steps.flatMap(({ completionEvents }) => completionEvents.map((event) => event.replace(/^onContext:/, '')));
}

/** A schema of objects, by name or in a list. */
interface Described {
	readonly additionalProperties?: { readonly properties: object };
	readonly items?: { readonly properties: object };
}

describe('the manifest', () => {
	it('contributes the commands that the code knows, and nothing else', () => {
		const contributed = commands.map(({ command }: { command: string }) => command);
		expect(contributed.sort()).toEqual(commandIds.map(fullId).sort());
	});

	it('contributes the tools of language models that the code knows, and nothing else', () => {
		const names = languageModelTools.map(({ name }: { name: string }) => name);
		expect(names.sort()).toEqual(languageModelToolIds.map(languageModelToolName).sort());
		for (const { modelDescription, inputSchema } of languageModelTools) {
			expect(inputSchema.type).toBe('object');
			const named = String(modelDescription).match(/mcpElicitation_\w+/g) ?? [];
			expect(names).toEqual(expect.arrayContaining(named));
		}
	});

	it('offers the tools of language models only where there is a server whose tools they could call', () => {
		for (const { name, when } of languageModelTools) {
			expect(when, name).toBe('mcpElicitation.callable');
		}
		expect(contextKeys).toContain('callable');
	});

	it('contributes the views that the code knows, and nothing else', () => {
		const contributed = views.mcpElicitation.map(({ id }: { id: string }) => id);
		expect(contributed.sort()).toEqual(viewIds.map(fullId).sort());
		for (const { view } of viewsWelcome) {
			expect(contributed).toContain(view);
		}
	});

	it('contributes the settings that the code reads, with the promised defaults', () => {
		const defaults: { readonly [K in keyof Settings]: Settings[K] } = {
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
		const expected = Object.entries(defaults).map(([id, value]) => [fullId(id as keyof Settings), value]);
		const declared = Object.entries(properties).map(([id, property]) => [id, property.default]);
		expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(expected));
	});

	it('gives every setting a place of its own', () => {
		const places = Object.values(properties).map(({ order }) => order);
		expect(places.toSorted((one, other) => one - other)).toEqual([...places.keys()]);
	});

	it('offers only its own commands in menus', () => {
		const offered = Object.values(menus as Record<string, { command: string }[]>).flat();
		for (const { command } of offered) {
			expect(commandIds.map(fullId)).toContain(command);
		}
		expect(offered.length).toBeGreaterThan(0);
	});

	it('offers every command in the palette only where it makes sense, or says why it always does', () => {
		const conditions = new Map<string, string>(
			menus.commandPalette.map(({ command, when }: { command: string; when: string }) => [command, when]),
		);
		expect(conditions.size).toBe(menus.commandPalette.length);
		const unconditional = commandIds.filter((id) => !conditions.get(fullId(id)));
		expect(unconditional.sort()).toEqual(Object.keys(ALWAYS).sort());
	});

	it('reads in its conditions only what the editor or its own code says, and every occasion that the code tells', () => {
		const entries: { when?: string; enablement?: string }[] = [
			...Object.values(menus as Record<string, object[]>).flat(),
			...commands,
			...viewsWelcome,
			...keybindings,
		];
		const keys = new Set(outcomes());
		for (const { when, enablement } of entries) {
			const words = `${when ?? ''} ${enablement ?? ''}`.replace(/=~ \/.*?\/(?= |$)|==\s*\S+|> \d+|\bfalse\b/g, '');
			for (const [key] of words.matchAll(/[\w.-]+/g)) {
				keys.add(key);
			}
		}
		const settings = Object.keys(properties).map((id) => `config.${id}`);
		const unknown = [...keys].filter((key) => !EDITORS_KEYS.test(key) && ![...OWN_KEYS, ...settings].includes(key));
		expect(unknown).toEqual([]);
		expect(OWN_KEYS.filter((key) => !keys.has(key))).toEqual([]);
	});

	it('names in the conditions of its menus only entries that its trees have', () => {
		const conditions: string[] = menus['view/item/context'].map(({ when }: { when: string }) => when);
		const named = conditions.flatMap((when) => [...when.matchAll(/viewItem == (\w+)/g)].map(([, name = '']) => name));
		const code = ['src/elicitation', 'src/editor']
			.flatMap((folder) =>
				readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
			)
			.filter((file) => file.endsWith('.ts'))
			.map(read)
			.join('\n');
		expect(named.filter((name) => !code.includes(`'${name}'`))).toEqual([]);
		expect(named).toContain('rateLimit');
	});

	it('titles its commands like the editor does, under one category, with an icon of the theme', () => {
		const small = /^(a|an|and|as|by|for|from|in|of|or|the|to|with|…)$/;
		for (const { command, title, category, icon = '$(none)' } of commands) {
			const words = (strings[title.replaceAll('%', '')] ?? '').split(' ');
			expect(category).toBe('MCP Elicitation');
			expect(icon, command).toMatch(/^\$\([a-z-]+\)$/);
			expect(
				words.filter((word, index) => (index === 0 || !small.test(word)) && !/^[A-Z]/.test(word) && word !== '…'),
			).toEqual([]);
		}
	});

	it('welcomes in every view and every state of a window with exactly what can be done there', () => {
		const shown = (view: string, state: Readonly<Record<string, boolean>>) =>
			viewsWelcome
				.filter(({ view: of, when = '' }: { view: string; when?: string }) => {
					const terms = when.split(' && ').filter(Boolean);
					return of === `mcpElicitation.${view}` && terms.every((term) => holds(term, state));
				})
				.map(({ contents }: { contents: string }) => contents.replaceAll('%', '').replace('welcome.', ''));
		const holds = (term: string, state: Readonly<Record<string, boolean>>): boolean =>
			term.startsWith('!') ? !holds(term.slice(1), state) : state[term] === true;
		const trusted = { isWorkspaceTrusted: true, 'mcpElicitation.settled': true };
		const folder = { ...trusted, 'workspaceFolderCount > 0': true };
		const discovers = { 'config.mcpElicitation.discoverMcpJson': true };
		const callable = { 'mcpElicitation.callable': true };
		expect(shown('servers', { ...trusted, ...discovers })).toEqual(['servers']);
		expect(shown('servers', { ...folder, ...discovers })).toEqual(['servers', 'discovered']);
		expect(shown('servers', folder)).toEqual(['servers', 'undiscovered']);
		expect(shown('servers', {})).toEqual(['restricted']);
		// Until the definitions are read, it is not known whether there is a server.
		expect(shown('servers', { isWorkspaceTrusted: true })).toEqual([]);
		expect(shown('timeline', trusted)).toEqual(['timeline']);
		expect(shown('timeline', { ...trusted, ...callable })).toEqual(['timeline', 'call']);
		expect(shown('timeline', callable)).toEqual(['timeline']);
		expect(shown('pending', {})).toEqual(['pending']);
	});

	it('has one color in the icon of its views, which the editor replaces by that of the theme', () => {
		const icon = read(manifest.contributes.viewsContainers.activitybar[0].icon);
		const colors = [...icon.matchAll(/(?:fill|stroke)="([^"]*)"/g)].map(([, color]) => color);
		expect(new Set(colors.filter((color) => color !== 'none')).size).toBe(1);
	});

	it('promises no editor that it is not tested in', () => {
		const [, minor] = EDITORS.oldest.codeServer.split('.');
		expect(manifest.engines.vscode).toBe(`^1.${minor}.0`);
	});

	it('offers what is about an item in the menu of items, and nowhere else', () => {
		for (const [menu, entries] of Object.entries(menus as Record<string, { when: string }[]>)) {
			const about = entries.filter(({ when }) => when.includes('viewItem'));
			expect(about.length, menu).toBe(menu === 'view/item/context' ? entries.length : 0);
		}
	});

	it('leads through its own commands, with pictures of which the theme decides the colors', () => {
		const steps: { description: string; media: { svg: string } }[] = walkthroughs[0].steps;
		for (const { description, media } of steps) {
			expect(strings[description.replaceAll('%', '')]).toContain('](command:mcpElicitation.');
			const colors = [...read(media.svg).matchAll(/(?:fill|stroke)="([^"]*)"/g)].map(([, color]) => color);
			expect(colors.filter((color) => !/^(none|var\(--vscode-[\w-]+\))$/.test(color ?? ''))).toEqual([]);
			// In Light Modern this green has a contrast of 1.9:1.
			expect(colors).not.toContain('var(--vscode-testing-iconPassed)');
		}
		expect(steps.length).toBeGreaterThan(0);
	});

	it('completes the steps of its walkthrough by what came of them, not by a click', () => {
		expect(outcomes()).toHaveLength(walkthroughs[0].steps.length);
		expect(OWN_KEYS).toEqual(expect.arrayContaining(outcomes()));
	});

	it('binds keys only while something of its own is open', () => {
		for (const { command, when } of keybindings) {
			expect(command).toMatch(/^mcpElicitation\./);
			expect(when).toMatch(/mcpElicitation\./);
		}
	});

	it('restricts every setting by which a workspace could run or open something', () => {
		expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual(
			expect.arrayContaining(['servers', 'inputs', 'answers'].map((id) => fullId(id as keyof Settings))),
		);
	});

	it('leaves no workspace a say in what protects the user', () => {
		for (const id of ['autoStart', 'url.allowInsecure', 'rateLimit.perMinute', 'agentBridge'] as const) {
			expect(properties[fullId(id)]?.scope, id).toBe('machine');
		}
	});

	it('describes every member of a definition, an input and a scripted answer that is read', () => {
		const { servers, inputs } = {
			servers: properties['mcpElicitation.servers'],
			inputs: properties['mcpElicitation.inputs'],
		} as {
			servers: Described;
			inputs: Described;
		};
		expect(Object.keys(servers.additionalProperties?.properties ?? {}).sort()).toEqual([...MEMBERS].sort());
		expect(Object.keys(inputs.items?.properties ?? {}).sort()).toEqual([...INPUT_MEMBERS].sort());
		const answers: Described = properties['mcpElicitation.answers'] as object;
		expect(Object.keys(answers.items?.properties ?? {}).sort()).toEqual([...ANSWER_MEMBERS].sort());
	});

	it.each(['stdio', 'http', 'sse', 'local', 'streamable-http', 'streamableHttp', 'streamablehttp', 'STDIO', 7, null])(
		'the schema of the settings accepts a type of server if it is read (%j)',
		(type) => {
			const accepts = new Ajv2020({ strict: false }).compile(properties['mcpElicitation.servers'] as object);
			const servers = { it: { type, command: 'node', url: 'https://h/mcp' } };
			expect(accepts(servers)).toBe(readServers(servers).problems.length === 0);
		},
	);

	it('describes the files that people write by what it says of its own settings', () => {
		const schemas = manifest.contributes.jsonValidation.map(({ url }: { url: string }) => JSON.parse(read(url)));
		const [shared] = schemas;
		expect(Object.keys(shared.properties)).toEqual([...SHAPES.shared.members]);
		const references = [...JSON.stringify(schemas).matchAll(/"\$ref":"([^"]+)"/g)].map(
			([, reference]) => reference ?? '',
		);
		expect(references).toHaveLength(4);
		for (const reference of references) {
			const [, setting = '', part] =
				/^vscode:\/\/schemas\/settings\/user#\/properties\/([^/]+)(?:\/(.+))?$/.exec(reference) ?? [];
			expect(Object.keys(properties)).toContain(setting);
			expect(part === undefined || Object.hasOwn(properties[setting] ?? {}, part), reference).toBe(true);
		}
	});

	it('publishes the types of its API, which hold nothing but types', () => {
		expect(manifest.types).toBe('./dist/api.d.ts');
		expect(read('.vscodeignore')).toContain('!dist/api.d.ts\n');
		expect(transformSync(read('src/api.ts'), { loader: 'ts' }).code.trim()).toBe('');
	});

	it('has a text for every key, and a key for every text', () => {
		const used = [...read('package.json').matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key);
		expect([...new Set(used)].sort()).toEqual(Object.keys(strings).sort());
	});

	it('names only commands of its own or of the editor in the links of its texts', () => {
		const links = Object.values(strings).flatMap((text) => [...text.matchAll(/\]\(command:([^)]+)\)/g)]);
		expect(links.length).toBeGreaterThan(0);
		for (const [, command] of links) {
			const [id, args = '%5B%5D'] = (command ?? '').split('?');
			expect(/^workbench\./.test(id ?? '') || commandIds.some((own) => fullId(own) === id), command).toBe(true);
			expect(JSON.parse(decodeURIComponent(args)), command).toBeInstanceOf(Array);
		}
	});
});
