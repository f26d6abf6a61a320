import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Answerer, ElicitationInfo, McpElicitationApi, Progress, SettledElicitation } from '../../src/api.ts';
import {
	defineServers,
	extension,
	formIsClosed,
	formIsOpen,
	present,
	rateLimit,
	run,
	until,
	whenAsked,
} from './support.ts';

const EXAMPLE = 'mcp-elicitation-test.example-answerer';

/** A built-in extension that the user has not given any consent. */
const STRANGER = 'vscode.json-language-features';

const request = { message: 'How many?', requestedSchema: { type: 'object', properties: { n: { type: 'integer' } } } };
const page = { mode: 'url', message: 'Sign in', url: 'https://login.example.com/', elicitationId: 'id-1' };

let api: McpElicitationApi;

/** Collects what an event has fired so far. */
function heard<T>(event: vscode.Event<T>): { readonly told: T[]; end(): void } {
	const told: T[] = [];
	const subscription = event((value) => told.push(value));
	return { told, end: () => subscription.dispose() };
}

/** Makes a server send an elicitation and resolves to the response it received. */
async function ask(params: object): Promise<unknown> {
	return (await api.callTool('sdk1', 'ask', { params })).structuredContent;
}

/** Resolves to the server's elicitation once the user is asked. */
async function askedOf(server: string): Promise<ElicitationInfo> {
	await formIsOpen(server);
	return until('an elicitation', () => api.pending.find((each) => each.server === server));
}

function isDeeplyFrozen(value: unknown): boolean {
	return (
		typeof value !== 'object' ||
		value === null ||
		(Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen))
	);
}

/** Called for every group of these tests, because other files use other servers. */
async function prepare(): Promise<void> {
	await defineServers();
	await present('webview');
	await rateLimit(1_000);
	api = await extension().activate();
}

describe('the exported API', () => {
	before(prepare);
	after(() => rateLimit(undefined));

	it('has a version and cannot be changed', () => {
		assert.equal(api.apiVersion, 1);
		assert.ok(Object.isFrozen(api));
	});

	it('starts a server and describes it', async () => {
		const changes = heard(api.onDidChangeServers);
		await run('stopServer', 'sdk1');
		const started = await api.startServer('sdk1');
		const { name, state, era, protocolVersion, tools } = started;
		assert.deepEqual([name, state, era, protocolVersion], ['sdk1', 'running', 'legacy', '2025-11-25']);
		const tool = tools.find((each) => each.name === 'ask');
		assert.equal(tool?.description, 'Sends `params` as they are and returns what came back.');
		assert.equal(tool?.inputSchema['type'], 'object');
		assert.ok(isDeeplyFrozen(started));
		await until('the change to be told', () => changes.told.length > 0);
		changes.end();
	});

	it('lists all configured servers', async () => {
		const servers = await until('the servers', () => api.servers.length >= 5 && api.servers);
		assert.deepEqual(
			servers.map(({ name }) => name).filter((name) => name !== 'flood' && name !== 'stubborn'),
			['demo', 'example', 'sdk1', 'tasks'],
		);
		assert.ok(isDeeplyFrozen(servers));
	});

	it('lists no server of a folder that was renamed or deleted', async () => {
		const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
		const folders = ['.vscode', '.vscode.off'].map((name) => join(workspace, name)) as [string, string];
		const listed = (wanted: boolean) =>
			until(`one to be ${wanted ? 'listed' : 'gone'}`, () => api.servers.some(({ name }) => name === 'one') === wanted);
		await mkdir(folders[0]);
		await writeFile(join(folders[0], 'mcp.json'), JSON.stringify({ servers: { one: { command: 'one' } } }));
		await listed(true);
		await rename(...folders);
		await listed(false);
		await rename(folders[1], folders[0]);
		await listed(true);
		await rm(folders[0], { recursive: true });
		await listed(false);
	});

	it('rejects with a sentence that names the server', async () => {
		await assert.rejects(api.startServer('nobody'), /nobody: There is no server with this name\./);
	});

	it('calls a tool, reports progress, and resolves to a frozen copy of the result', async () => {
		const steps: Progress[] = [];
		const result = await api.callTool('sdk1', 'progress', { steps: 3 }, { onProgress: (step) => steps.push(step) });
		assert.deepEqual(result.structuredContent, { steps: 3, reported: true });
		assert.deepEqual(
			steps.map(({ progress, total }) => [progress, total]),
			[
				[1, 3],
				[2, 3],
				[3, 3],
			],
		);
		assert.ok(isDeeplyFrozen(result));
	});

	it('does not begin a call whose signal was aborted before', async () => {
		const signal = AbortSignal.abort(new Error('Not even begun.'));
		await assert.rejects(api.callTool('sdk1', 'slow', { ms: 60_000 }, { signal }), /Not even begun\./);
	});

	it('lists pending elicitations and reports how they ended, without the content', async () => {
		const changes = heard(api.onDidChangePending);
		const settled = heard<SettledElicitation>(api.onDidSettleElicitation);
		const answer = ask(request);
		const pending = await askedOf('sdk1');
		assert.equal(pending.mode, 'form');
		const { id, message, state, calls, requestedSchema } = pending;
		assert.deepEqual([message, state, calls], ['How many?', 'asking', [{ kind: 'tool', name: 'ask' }]]);
		assert.deepEqual(requestedSchema, request.requestedSchema);
		assert.ok(Math.abs(Date.now() - pending.receivedAt) < 60_000);
		assert.ok(isDeeplyFrozen(pending));
		await run('declineElicitation', id);
		assert.deepEqual(await answer, { action: 'decline' });
		await until('the change to be told', () => changes.told.length > 0);
		assert.deepEqual(settled.told, [
			{ elicitation: { ...pending, state: 'declined', delivery: 'sending' }, action: 'decline', answeredBy: 'person' },
		]);
		assert.ok(settled.told.every(isDeeplyFrozen));
		assert.deepEqual(api.pending, []);
		await formIsClosed('sdk1');
		changes.end();
		settled.end();
	});

	it('lists a URL elicitation with its URL', async () => {
		const answer = ask(page);
		const pending = await until('the elicitation', () => api.pending[0]);
		assert.equal(pending.mode, 'url');
		assert.deepEqual([pending.url, pending.elicitationId], [page.url, page.elicitationId]);
		await run('cancelElicitation', pending.id);
		assert.deepEqual(await answer, { action: 'cancel' });
	});
});

describe('an answerer of another extension', () => {
	const registered: vscode.Disposable[] = [];
	let person: ReturnType<typeof whenAsked>;

	/** Registers an answerer on behalf of the example extension, for elicitations of `sdk1`. */
	function register(answer: Answerer['answer'], id = EXAMPLE): vscode.Disposable {
		const registration = api.registerAnswerer({ id, servers: ['sdk1'], answer });
		registered.push(registration);
		return registration;
	}

	before(async () => {
		await prepare();
		person = whenAsked((message) => (message.includes(EXAMPLE) ? 'Allow' : undefined));
	});

	after(async () => {
		person.end();
		await rateLimit(undefined);
	});

	afterEach(async () => {
		for (const registration of registered.splice(0)) {
			registration.dispose();
		}
		await formIsClosed('sdk1');
	});

	it('calls a tool and responds to its elicitation, as in the example, after the user consented', async () => {
		const settled = heard(api.onDidSettleElicitation);
		const result = await vscode.commands.executeCommand('exampleAnswerer.confirm');
		assert.deepEqual(result, { action: 'accept', content: {} });
		const [first] = await until('the end of the elicitation', () => settled.told.length > 0 && settled.told);
		assert.deepEqual([first?.elicitation.server, first?.action, first?.answeredBy], ['example', 'accept', 'extension']);
		assert.deepEqual(person.asked, [`Allow the extension Example Answerer (${EXAMPLE}) to respond on your behalf?`]);
		await vscode.commands.executeCommand('exampleAnswerer.confirm');
		assert.equal(person.asked.length, 1);
		settled.end();
	});

	it('responds to forms and URLs in every way', async () => {
		const answers: Parameters<typeof register>[0][] = [
			() => ({ action: 'accept', content: { n: 3 } }),
			async () => ({ action: 'decline' }),
			() => ({ action: 'cancel' }),
			() => ({ action: 'error', code: -32000, message: 'No, on purpose.' }),
		];
		const received: unknown[] = [];
		for (const answer of answers) {
			const registration = register(answer);
			received.push(await ask(request));
			registration.dispose();
		}
		const [accepted, declined, cancelled, failed] = received;
		assert.deepEqual(
			[accepted, declined, cancelled],
			[{ action: 'accept', content: { n: 3 } }, { action: 'decline' }, { action: 'cancel' }],
		);
		assert.match(JSON.stringify(failed), /-32000.*No, on purpose\./);
		register(() => ({ action: 'accept' }));
		assert.deepEqual(await ask(page), { action: 'accept' });
		await run('cancelElicitation');
	});

	it('gets a frozen copy of the elicitation, and a signal when it ends', async () => {
		let seen: ElicitationInfo | undefined;
		let over: AbortSignal | undefined;
		register((elicitation, signal) => {
			seen = elicitation;
			over = signal;
			return new Promise(() => {});
		});
		const answer = ask(request);
		const info = await until('the elicitation to be put', () => seen);
		assert.equal(info.message, 'How many?');
		assert.ok(isDeeplyFrozen(info));
		assert.equal(over?.aborted, false);
		await run('cancelElicitation', info.id);
		assert.deepEqual(await answer, { action: 'cancel' });
		await until('the signal', () => over?.aborted);
	});

	it('gives way when the user opens the elicitation or the answerer is disposed', async () => {
		let asked = 0;
		const registration = register(() => {
			asked++;
			return new Promise(() => {});
		});
		const first = ask(request);
		const { id } = await until('the elicitation to be put', () => asked > 0 && api.pending[0]);
		await run('openElicitation', id);
		await formIsOpen('sdk1');
		await run('declineElicitation', id);
		assert.deepEqual(await first, { action: 'decline' });
		await formIsClosed('sdk1');

		const second = ask(request);
		await until('the elicitation to be put', () => asked > 1);
		registration.dispose();
		await run('declineElicitation', (await askedOf('sdk1')).id);
		assert.deepEqual(await second, { action: 'decline' });
	});

	it('leaves an elicitation to the user if it returns nothing or an invalid result', async () => {
		const answers: Answerer['answer'][] = [
			() => undefined,
			() => ({ action: 'accept', content: { n: 'three' } }),
			() => ({ action: 'agree' }) as never,
			() => ({ action: 'accept', content: [] }) as never,
			() => ({ action: 'error', message: 'No.' }) as never,
			() => {
				throw new Error('Out of order.');
			},
		];
		for (const answer of answers) {
			const registration = register(answer);
			const received = ask(request);
			await run('declineElicitation', (await askedOf('sdk1')).id);
			assert.deepEqual(await received, { action: 'decline' });
			registration.dispose();
			await formIsClosed('sdk1');
		}
	});

	it('gets no elicitation without the user’s consent', async () => {
		let asked = false;
		register(() => {
			asked = true;
			return { action: 'accept' };
		}, STRANGER);
		const answer = ask(request);
		await run('declineElicitation', (await askedOf('sdk1')).id);
		assert.deepEqual(await answer, { action: 'decline' });
		assert.equal(asked, false);
		assert.match(person.asked.at(-1) ?? '', /^Allow the extension .*vscode\.json-language-features/);
	});

	it('must exist and have an `answer` function', () => {
		assert.throws(
			() => api.registerAnswerer({ id: 'nobody.nothing', answer: () => undefined }),
			/no extension "nobody/,
		);
		assert.throws(() => api.registerAnswerer({ id: EXAMPLE } as never), /must have a function "answer"/);
	});
});
