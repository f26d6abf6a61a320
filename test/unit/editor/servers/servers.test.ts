import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { beginCall } from '../../../../src/editor/calls/beginCall.ts';
import { ServerError, StartRefused } from '../../../../src/editor/servers/serverError.ts';
import { isBridged, Servers } from '../../../../src/editor/servers/servers.ts';
import { Emitter } from '../../../../src/elicitation/emitter.ts';
import { english, render } from '../../../../src/elicitation/sentence.ts';
import { type Connection, ConnectionManager } from '../../../../src/mcp/index.ts';
import { isAlive } from '../../../harness/processTree.mjs';
import { LEGACY } from '../../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../../rawServer/stdio.ts';
import { define, type TestClient, testClients } from '../../mcp/testClient.ts';
import { messages } from '../surfaces.ts';
import { CancellationError, fakeVscode } from '../vscode.ts';

messages();
/** What the settings offer to agent mode. */
let wanted: unknown;
fakeVscode({ workspace: { isTrusted: true, getConfiguration: () => ({ get: () => wanted }) } });

const initialized = {
	protocolVersion: LEGACY,
	capabilities: { tools: {} },
	serverInfo: { name: 'raw-server', version: '1' },
};
const world = testClients();
let here: TestClient;
let rawServer: RawStdioServer;
let servers: Servers;
let env: object;
let source: { readonly uri: string; readonly kind: string; readonly shape: object };
let invalid: boolean;
let replacesOwn: boolean;
/** Pending prompts for consent to start a server; true consents. */
let asked: ((agreed: boolean) => void)[];
let asking: boolean;
/** Why a start fails before anything runs. */
let failing: (() => Error) | undefined;
const changed = new Emitter<void>();

/** Changes the definition, as an edit of the settings does. */
function edit(next: object): void {
	env = next;
	changed.fire();
}

let disabled: boolean;
const definition = () => define('raw-server', { ...rawServer.definition, protocolVersion: LEGACY, env, disabled });

beforeEach(async () => {
	here = world();
	rawServer = await RawStdioServer.open({ manual: ['initialize'] });
	wanted = true;
	env = {};
	source = { uri: 'user', kind: 'user', shape: {} };
	invalid = false;
	replacesOwn = false;
	disabled = false;
	asked = [];
	asking = false;
	failing = undefined;
	const configuration = {
		settled: Promise.resolve(),
		onDidChange: changed.event,
		get servers() {
			return [
				{
					name: 'raw-server',
					source,
					...(!invalid && { definition: definition() }),
					...(replacesOwn && { replacesOwn }),
					problems: [],
					inputs: [],
					others: [],
				},
			];
		},
	};
	const launcher = {
		prepare: async (configured: { definition: object }) => {
			if (failing) {
				throw failing();
			}
			return !asking || (await new Promise((resolve) => asked.push(resolve))) ? configured.definition : undefined;
		},
		revealConsent: () => {},
	};
	servers = new Servers(
		async () => new ConnectionManager(here),
		configuration as never,
		launcher as never,
		() => 'here',
	);
	onTestFinished(async () => {
		await servers.shutdown();
		await rawServer.close();
	});
});

it('a server that is turned off in its definition is listed, and neither started nor offered', async () => {
	disabled = true;
	servers.startAll();
	await expect(servers.start('raw-server')).rejects.toThrow('It is turned off in its definition.');
	expect(servers.entries).toMatchObject([{ state: 'stopped', configured: { name: 'raw-server' } }]);
	expect(servers.entries.some(isBridged)).toBe(false);
});

it('a running server that is turned off in its definition is stopped', async () => {
	const starting = servers.start('raw-server');
	rawServer.answer(await rawServer.expect('initialize'), initialized);
	await starting;
	disabled = true;
	changed.fire();
	await vi.waitUntil(() => servers.get('raw-server')?.state === 'stopped');
});

const outcome = (promise: Promise<Connection | undefined>) =>
	promise.then(
		(connection) => connection?.state ?? 'nobody agreed',
		(error: Error) => error.message,
	);

const STOPPED = 'raw-server: The server was stopped while it was starting. Start it again.';
const state = () => servers.get('raw-server')?.state;
const alive = () => rawServer.pids.filter(isAlive).length;

/** Waits until the server is running. */
async function up(): Promise<void> {
	const starting = servers.start('raw-server');
	rawServer.answer(await rawServer.expect('initialize'), initialized);
	await starting;
}

describe('a configured server (D06)', () => {
	it('that is stopped during the consent prompt is not started by consent', async () => {
		asking = true;
		const starting = outcome(servers.start('raw-server'));
		await vi.waitUntil(() => asked.length === 1);
		await servers.stop('raw-server');
		expect(await starting).toBe(STOPPED);
		asked[0]?.(true);
		asking = false;
		await up();
		expect([state(), rawServer.pids.length]).toEqual(['running', 1]);
	});

	it('that is stopped and started during the consent prompt is started once', async () => {
		asking = true;
		void outcome(servers.start('raw-server'));
		await vi.waitUntil(() => asked.length === 1);
		void servers.stop('raw-server');
		const starting = outcome(servers.start('raw-server'));
		await vi.waitUntil(() => asked.length === 2);
		for (const agree of asked) {
			agree(true);
		}
		rawServer.answer(await rawServer.expect('initialize'), initialized);
		expect([await starting, rawServer.pids.length]).toEqual(['running', 1]);
	});

	it('that was started automatically and then stopped stays stopped at the next automatic start', async () => {
		servers.startAll();
		rawServer.answer(await rawServer.expect('initialize'), initialized);
		await vi.waitUntil(() => state() === 'running');
		await servers.stop('raw-server');
		servers.startAll();
		// By then every server has received its start request.
		await servers.settled;
		await new Promise(setImmediate);
		expect([state(), rawServer.pids.length]).toEqual(['stopped', 1]);
	});

	it('that is stopped during a restart stays stopped', async () => {
		await up();
		const restarting = outcome(servers.restart('raw-server'));
		await servers.stop('raw-server');
		expect([await restarting, state(), alive()]).toEqual([STOPPED, 'stopped', 0]);
		expect(rawServer.pids).toHaveLength(1);
	});

	it('that is restarted while it starts is started once, for all callers', async () => {
		const starting = outcome(servers.start('raw-server'));
		await rawServer.expect('initialize');
		const restarting = outcome(servers.restart('raw-server'));
		rawServer.answer(await rawServer.expect('initialize'), initialized);
		expect([await starting, await restarting, alive()]).toEqual(['running', 'running', 1]);
	});

	it('that is restarted while it starts, and then stopped, stays stopped', async () => {
		const starting = outcome(servers.start('raw-server'));
		await rawServer.expect('initialize');
		const restarting = outcome(servers.restart('raw-server'));
		await servers.stop('raw-server');
		expect([await starting, await restarting, state(), alive()]).toEqual([STOPPED, STOPPED, 'stopped', 0]);
	});

	it('whose definition changes during the start is started with the new one, for all callers', async () => {
		const starting = outcome(servers.start('raw-server'));
		await rawServer.expect('initialize');
		edit({ CHANGED: '1' });
		rawServer.answer(await rawServer.expect('initialize'), initialized);
		expect([await starting, alive()]).toEqual(['running', 1]);
		expect(servers.get('raw-server')?.connection?.definition).toMatchObject({ env: { CHANGED: '1' } });
	});

	it('that is stopped right after its definition changed stays stopped', async () => {
		await up();
		edit({ CHANGED: '1' });
		await servers.stop('raw-server');
		await servers.shutdown();
		expect([state(), alive(), rawServer.pids.length]).toEqual(['stopped', 0, 1]);
	});

	it('whose definition changes while it stops stays stopped', async () => {
		await up();
		const stopping = servers.stop('raw-server');
		edit({ CHANGED: '1' });
		await stopping;
		await servers.shutdown();
		expect([state(), alive(), rawServer.pids.length]).toEqual(['stopped', 0, 1]);
	});
});

describe('a server whose definition is replaced by the same text of a workspace', () => {
	it('ends while it runs, and the other one is started after consent', async () => {
		await up();
		asking = true;
		source = { uri: 'workspace', kind: 'workspace', shape: {} };
		edit({});
		await vi.waitUntil(() => asked.length === 1);
		await vi.waitUntil(() => alive() === 0);
		asked[0]?.(true);
		rawServer.answer(await rawServer.expect('initialize'), initialized);
		await vi.waitUntil(() => state() === 'running');
		expect(alive()).toBe(1);
	});

	it('is prepared anew if that happens during the consent prompt', async () => {
		asking = true;
		const starting = outcome(servers.start('raw-server'));
		await vi.waitUntil(() => asked.length === 1);
		source = { uri: 'workspace', kind: 'workspace', shape: {} };
		edit({});
		asked[0]?.(true);
		await vi.waitUntil(() => asked.length === 2);
		asked[1]?.(false);
		expect([await starting, rawServer.pids.length]).toEqual(['nobody agreed', 0]);
	});

	it('of a workspace does not go on as the user’s own, whose text is not valid', async () => {
		source = { uri: 'workspace', kind: 'workspace', shape: {} };
		await up();
		invalid = true;
		source = { uri: 'user', kind: 'user', shape: {} };
		edit({});
		await vi.waitUntil(() => alive() === 0);
	});

	it('goes on while the text of the workspace is not valid', async () => {
		await up();
		invalid = true;
		source = { uri: 'workspace', kind: 'workspace', shape: {} };
		edit({});
		await servers.settled;
		expect([state(), alive()]).toEqual(['running', 1]);
	});
});

describe('what tells a server from others of its name', () => {
	it('stays the same over restarts, while the text is not valid, and on a temporary connection', async () => {
		const identity = servers.identityOf('raw-server');
		await up();
		invalid = true;
		edit({});
		expect(servers.identityOf('raw-server')).toBe(identity);
		invalid = false;
		edit({});
		await servers.openTemporaryConnection('raw-server', 'as', {});
		expect(servers.identityOf('as')).toBe(identity);
		await servers.closeTemporaryConnection('as');
		expect(servers.identityOf('as')).toBeUndefined();
	});

	it('changes with its definition, and with where that is', () => {
		const identities = [servers.identityOf('raw-server')];
		edit({ CHANGED: '1' });
		identities.push(servers.identityOf('raw-server'));
		source = { uri: 'workspace', kind: 'workspace', shape: {} };
		edit({});
		identities.push(servers.identityOf('raw-server'));
		expect(new Set(identities).size).toBe(3);
	});
});

describe('a call from the editor (D06)', () => {
	const request = { kind: 'tool', name: 'act', args: {} } as const;

	it('is cancelled immediately during the consent prompt of its server', async () => {
		asking = true;
		const abort = new AbortController();
		const calling = beginCall(servers, 'raw-server', request, { signal: abort.signal });
		await vi.waitUntil(() => asked.length === 1);
		abort.abort(new Error('by hand'));
		await expect(calling).rejects.toThrow('by hand');
		asked[0]?.(false);
	});

	it('that is meant for a server is not sent to another one that the user agrees to start under its name', async () => {
		const identity = servers.identityOf('raw-server');
		asking = true;
		const calling = beginCall(servers, 'raw-server', request, { identity });
		await vi.waitUntil(() => asked.length === 1);
		source = { uri: 'workspace', kind: 'workspace', shape: {} };
		edit({});
		asked[0]?.(true);
		await vi.waitUntil(() => asked.length === 2);
		asked[1]?.(true);
		rawServer.answer(await rawServer.expect('initialize'), initialized);
		await expect(calling).rejects.toThrow('so nothing was sent');
		expect(rawServer.requests('tools/call')).toEqual([]);
	});

	it('is cancelled immediately while its server starts, and the start continues', async () => {
		const abort = new AbortController();
		const calling = beginCall(servers, 'raw-server', request, { signal: abort.signal });
		const initialize = await rawServer.expect('initialize');
		abort.abort(new Error('by hand'));
		await expect(calling).rejects.toThrow('by hand');
		rawServer.answer(initialize, initialized);
		await here.until(() => here.logs.some((line) => line.includes('Connected')));
		expect([state(), rawServer.requests('tools/call').length]).toEqual(['running', 0]);
	});
});

it.each([
	['the user', 'user', true],
	['the workspace', 'workspace', false],
	['a file of the workspace', 'mcpJson', false],
])('a name in the settings offers a server to agent mode if it is defined by %s: %s', async (_who, kind, offered) => {
	source = { uri: kind, kind, shape: {} };
	const isOffered = (setting: unknown) => {
		wanted = setting;
		return servers.entries.map(isBridged);
	};
	expect(isOffered(['raw-server'])).toEqual([offered]);
	expect(isOffered(true)).toEqual([true]);
	expect(isOffered(['other'])).toEqual([false]);
	replacesOwn = kind !== 'user';
	expect(isOffered(true)).toEqual([offered]);
});

it('a temporary connection is not offered to agent mode, as its server is', async () => {
	expect(await servers.openTemporaryConnection('raw-server', 'raw-server (forms only)', { advertise: 'form' })).toBe(
		true,
	);
	expect(servers.entries.map((entry) => [entry.configured.name, isBridged(entry)])).toEqual([
		['raw-server', true],
		['raw-server (forms only)', false],
	]);
	await servers.closeTemporaryConnection('raw-server (forms only)');
});

describe('a server that could not be started', () => {
	const WRONG = () => new ServerError('raw-server', 'The command "no-such" was not found.', 'Check it.', ['command']);

	it.each<[what: string, () => Error]>([
		['its command is not there, or a variable has no value', WRONG],
		['something else goes wrong before it runs', () => new Error('No memory is left.')],
	])('has failed, with the reason, because %s', async (_what, wrong) => {
		failing = wrong;
		await expect(servers.start('raw-server')).rejects.toThrow();
		expect(servers.get('raw-server')).toMatchObject({ state: 'failed', failure: { server: 'raw-server' } });
		const text = render(servers.get('raw-server')?.failure?.what ?? { text: '' }, english);
		expect(failing().message).toContain(text);
		failing = undefined;
		await up();
		expect(servers.get('raw-server')).toMatchObject({ state: 'running' });
		expect(servers.get('raw-server')?.failure).toBeUndefined();
	});

	it('has failed as well where its definition has become wrong while it ran', async () => {
		await up();
		failing = WRONG;
		edit({ CHANGED: '1' });
		await vi.waitUntil(() => state() === 'failed' && alive() === 0);
	});

	it.each<[what: string, () => unknown, after: string]>([
		['when its definition changes', () => edit({ CHANGED: '1' }), 'stopped'],
		['unless its definition is the same', () => edit({}), 'failed'],
		['when the user stops it', () => servers.stop('raw-server'), 'stopped'],
	])('is as new %s', async (_when, act, after) => {
		failing = WRONG;
		await expect(servers.start('raw-server')).rejects.toThrow();
		await act();
		expect(state()).toBe(after);
	});

	it.each<[what: string, () => Error | undefined]>([
		['does not agree', () => undefined],
		['enters nothing', () => new StartRefused('raw-server', 'Nothing was entered.', 'Start it again.')],
		['cancels what precedes it', () => new CancellationError()],
	])('has not failed where the user %s', async (_what, refusal) => {
		failing = refusal() && (refusal as () => Error);
		asking = failing === undefined;
		const starting = outcome(servers.start('raw-server'));
		if (asking) {
			await vi.waitUntil(() => asked.length === 1);
			asked[0]?.(false);
		}
		await starting;
		expect(servers.get('raw-server')).toMatchObject({ state: 'stopped' });
		expect(servers.get('raw-server')?.failure).toBeUndefined();
	});
});

it('a server that the user restarts is restarting until it runs again, not stopped', async () => {
	await up();
	const states: (string | undefined)[] = [];
	servers.onDidChange(() => states.push(state()));
	const restarting = servers.restart('raw-server');
	rawServer.answer(await rawServer.expect('initialize'), initialized);
	await restarting;
	expect(states).not.toContain('stopped');
	expect([states[0], state()]).toEqual(['restarting', 'running']);
});
