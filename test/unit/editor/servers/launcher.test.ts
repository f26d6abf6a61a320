import { isAbsolute } from 'node:path';
import { expect, it } from 'vitest';
import type { WorkspaceFolder } from 'vscode';
import { readInputs } from '../../../../src/config/inputs.ts';
import { SHAPES } from '../../../../src/config/shape.ts';
import type { Start } from '../../../../src/config/start.ts';
import { startSections } from '../../../../src/config/startText.ts';
import { Launcher } from '../../../../src/editor/servers/launcher.ts';
import { startModel } from '../../../../src/editor/servers/startModel.ts';
import { Secrets } from '../../../../src/privacy/secrets.ts';
import { define } from '../../config/define.ts';
import { fakeVscode } from '../vscode.ts';

const source = { kind: 'shared', uri: 'x', folder: undefined, shape: SHAPES.shared, file: undefined } as const;

/** What happens until a server is started: which values are asked for, for whom, and which URL the consent shows. */
async function launched(host: string): Promise<string[]> {
	const happened: string[] = [];
	const definition = define({
		url: 'https://${input:host}/mcp',
		headers: { Authorization: 'Bearer ${input:token}', Region: '${input:region}' },
	});
	const inputs = ['token', 'region', 'host'].map((id) => ({ id, type: 'promptString', password: id === 'token' }));
	const server = { name: 'it', source, definition, problems: [], inputs, others: [] };
	const values = {
		get: async (_source: unknown, { id, password }: { id: string; password: boolean }, { text }: { text: string }) => {
			happened.push(password ? `${id} for ${text}` : id);
			return { value: id === 'host' ? host : id, secret: password };
		},
	};
	const consent = {
		obtain: async (_server: unknown, { start }: { start: { shown: { url: string } } }) => {
			happened.push(`consent to ${start.shown.url}`);
			return true;
		},
	};
	const launcher = new Launcher(consent as never, values as never, new Secrets());
	expect(await launcher.prepare(server as never)).toMatchObject({ url: `https://${host}/mcp` });
	return happened;
}

it.each(['a.example', 'b.example'])(
	'asks for the host of a URL before the consent, which shows it, and for a secret that goes to this host (%s)',
	async (host) => {
		expect(await launched(host)).toEqual([
			'host',
			`consent to https://${host}/mcp`,
			`token for https://${host}/mcp`,
			'region',
		]);
	},
);

/** Prepares a start with what a workspace has written; returns what was asked, or why it is not started. */
async function asks(raw: object, proposed: readonly object[], typed = 'ghp_typed', settings: object = {}) {
	fakeVscode({
		workspace: {
			getConfiguration: () => ({
				get: (key: string) => (settings as Record<string, string>)[key],
				inspect: (key: string) => ({ workspaceValue: key.startsWith('theirs') ? 'set' : undefined }),
			}),
		},
	});
	const happened: string[] = [];
	const definition = define(raw);
	const { inputs } = readInputs(proposed);
	const server = { name: 'it', source, definition, problems: [], inputs, others: [] };
	const values = {
		get: async (_source: unknown, { id, password, default: value }: (typeof inputs)[number]) => {
			happened.push(id);
			return { value: value ?? typed, secret: password };
		},
	};
	const consent = {
		obtain: async (_server: unknown, { start }: { start: Start }) => {
			const rows = startSections(start, false).flatMap(({ rows }) => rows);
			happened.push(`consent: ${rows.map(({ text }) => text).join(' | ')}`);
			return true;
		},
	};
	const launcher = new Launcher(consent as never, values as never, new Secrets());
	const launched = await launcher.prepare(server as never).catch((error: Error) => error.message);
	return { happened, launched };
}

const password = (id: string, value?: string) => ({ id, type: 'promptString', password: true, default: value });
const node = { command: process.execPath };

it.each<[string, object, object[], string]>([
	[
		'the host of a URL',
		{ url: 'https://${input:x}.api.company.com/mcp', headers: { Authorization: 'Bearer ${input:token}' } },
		[password('x', 'evil.example/?'), password('token')],
		'url',
	],
	['the port of a URL', { url: 'https://api.company.com:${input:x}/mcp' }, [password('x')], 'url'],
	['all of a URL behind its scheme', { url: 'https:${input:x}' }, [password('x')], 'url'],
	[
		'the document that describes this client',
		{ url: 'https://h.example/mcp', oauth: { clientMetadataUrl: 'https://${input:x}/client' } },
		[password('x')],
		'oauth.clientMetadataUrl',
	],
	['the program', { command: '${input:x}' }, [password('x')], 'command'],
	['the folder', { ...node, cwd: '/${input:x}' }, [password('x')], 'cwd'],
	['the environment file', { ...node, envFile: '/${input:x}' }, [password('x')], 'envFile'],
	...['NODE_OPTIONS', 'GOFLAGS', 'HTTPS_PROXY', 'npm_config_registry', 'PATH'].map(
		(name): [string, object, object[], string] => [
			`the variable ${name}`,
			{ ...node, env: { [name]: '${input:x}' } },
			[password('x', '--import=./evil.js')],
			name,
		],
	),
	[
		'a variable by a setting that is secret',
		{ ...node, env: { NODE_OPTIONS: '${config:my.token}' } },
		[],
		'NODE_OPTIONS',
	],
])('starts nothing, and asks for nothing, where a secret would decide %s', async (_what, raw, inputs, member) => {
	const { happened, launched } = await asks(raw, inputs, 'x', { 'my.token': '--import=./evil.js' });
	expect(launched).toContain(`Its "${member}" depends on a secret`);
	expect(happened).toEqual([]);
});

it('starts the very program, in the very folder, that the consent has shown', async () => {
	const { happened, launched } = await asks({ command: 'node' }, []);
	const { command, cwd } = launched as unknown as { command: string; cwd: string };
	expect([command, cwd].map(isAbsolute)).toEqual([true, true]);
	expect(happened).toEqual([expect.stringContaining(command)]);
});

it('sends what was typed, never what a workspace proposes for a secret', async () => {
	const env = { NODE_AUTH_TOKEN: '${input:x}' };
	const { launched } = await asks({ ...node, env }, [password('x', 'planted')]);
	expect(launched).toMatchObject({ env: { NODE_AUTH_TOKEN: 'ghp_typed' } });
});

it('shows what a workspace has set, whatever it is called, and names what is the user’s own', async () => {
	const raw = {
		url: 'https://h.example/${config:theirs.token}',
		headers: { Authorization: '${config:theirs.key}', 'X-Key': '${config:mine}' },
	};
	const settings = { 'theirs.token': 'path', 'theirs.key': 'planted', mine: 'secret of the user' };
	const { happened } = await asks(raw, [], '', settings);
	expect(happened).toEqual([
		expect.stringMatching(/^consent: .*\/path \|.*Authorization=planted \| X-Key=\$\{config:mine\}/),
	]);
});

it('asks before for what decides, although nobody masked it, and shows it', async () => {
	const raw = { ...node, args: ['${input:later}'], env: { INIT: '${input:init}', TOKEN: '${input:token}' } };
	const plain = (id: string) => ({ id, type: 'promptString', default: `${id} of the workspace` });
	const { happened } = await asks(raw, [plain('init'), plain('later'), password('token')]);
	expect(happened).toEqual(['init', expect.stringContaining('INIT=init of the workspace'), 'later', 'token']);
	expect(happened[1]).toContain('| later of the workspace');
});

it.each<[string, unknown, string]>([
	['its text', 'tok', '{"TOKEN":"tok"}'],
	['nothing', undefined, 'The command "shell.run" of the editor returned no text for its input "x".'],
	['an object', {}, 'The command "shell.run" of the editor returned no text for its input "x".'],
	[
		'an error',
		new Error('No such command.'),
		'The editor could not run "shell.run" for its input "x": No such command.',
	],
])(
	'runs a command of the editor only after the consent, which shows it, and uses its text: %s',
	async (_what, value, end) => {
		const ran: unknown[] = [];
		const executeCommand = async (...command: unknown[]) => {
			ran.push(command);
			if (value instanceof Error) {
				throw value;
			}
			return value;
		};
		fakeVscode({ commands: { executeCommand } });
		const input = { id: 'x', type: 'command', command: 'shell.run', args: { command: 'printf tok' } };
		const { happened, launched } = await asks({ ...node, env: { TOKEN: '${input:x}' } }, [input]);
		expect(happened).toEqual([expect.stringContaining('| shell.run {"command":"printf tok"} |')]);
		expect(ran).toEqual([['shell.run', { command: 'printf tok' }]]);
		expect(typeof launched === 'string' ? launched : JSON.stringify((launched as { env: object }).env)).toContain(end);
	},
);

it('runs no command of the editor whose text would decide what runs', async () => {
	const input = { id: 'x', type: 'command', command: 'shell.run' };
	const { happened, launched } = await asks({ command: '${input:x}' }, [input]);
	expect(launched).toContain('Its "command" depends on');
	expect(happened).toEqual([]);
});

it('says of a whole command line in "command" where its arguments belong, before it asks', async () => {
	const { happened, launched } = await asks({ command: './npx -y a' }, []);
	expect(launched).toMatch(/^it: The command ".*npx -y a" was not found\. "command" is run as the name of one program/);
	expect(happened).toEqual([]);
});

it('resolves no variables in what this extension defines itself', async () => {
	const definition = define({ ...node, args: ['--server=${env:PATH}', '${input:none}', '/srv/${x}/file'] });
	const demo = { name: 'it', source: { kind: 'demo', uri: 'x' }, definition, problems: [], inputs: [], others: [] };
	const launcher = new Launcher({ obtain: async () => true } as never, {} as never, new Secrets());
	expect(await launcher.prepare(demo as never)).toMatchObject({
		args: ['--server=${env:PATH}', '${input:none}', '/srv/${x}/file'],
	});
});

/** The page that asks for consent to a server of a folder of this name. */
function pageFor(name: string) {
	fakeVscode({ workspace: { workspaceFolders: [1, 2] } });
	const definition = define({ url: 'https://h/mcp' });
	const folder = { name, uri: {} } as WorkspaceFolder;
	const server = { name: 'it', source: { ...source, folder }, problems: [], inputs: [], others: [] };
	const plan = { start: { written: definition, shown: definition, inputs: [] }, needsConsent: true };
	return startModel(server, plan, undefined);
}

it('a folder whose name has line breaks adds no lines to the consent', () => {
	expect(pageFor('app\nRun: true').place).toBe('Defined in: app‹U+000A›Run: true/.mcp.json');
});

it('a folder whose name is long does not push what is run out of view', () => {
	expect(pageFor('x'.repeat(10_000)).place).toHaveLength(300);
});
