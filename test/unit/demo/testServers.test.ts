import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { SSEClientTransport, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, describe, expect, it } from 'vitest';
import { testServer } from '../../harness/testServers.mjs';
import { variants } from '../../nightly.ts';
import { inTurn, Peer, textOf, type Wire } from './peer.ts';

const cleanUp: Array<() => unknown> = [];
afterEach(async () => {
	for (const each of cleanUp.splice(0).reverse()) await each();
});

/** Starts a server on a port of its choice and returns its URL. */
async function listening(name: string, flag: string): Promise<URL> {
	const child = spawn(process.execPath, [testServer(name), flag, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
	cleanUp.push(() => child.kill());
	let out = '';
	for await (const chunk of child.stdout) {
		out += chunk;
		const url = /listening (\S+)\n/.exec(out)?.[1];
		if (url !== undefined) return new URL(url);
	}
	throw new Error(`${name} ended: ${out}`);
}

function stdio(...args: readonly string[]): StdioClientTransport {
	return new StdioClientTransport({ command: process.execPath, args: [...args], stderr: 'ignore' });
}

async function connect(era: Peer['era'], transport: Transport): Promise<Peer> {
	const peer = await Peer.connect(era, transport);
	cleanUp.push(() => peer.close());
	return peer;
}

/** What the tool says it received, to the letter. */
async function seen(peer: Peer, tool: string, args: Wire = {}): Promise<Wire> {
	return (await peer.call(tool, args)).structuredContent as Wire;
}

const odd = {
	message: 'Odd',
	requestedSchema: { type: 'object', properties: { n: { type: ['integer', 'null'], multipleOf: 3 } } },
};

describe('the reference elicitations', () => {
	const { cases }: { cases: readonly Wire[] } = JSON.parse(
		readFileSync(new URL('../../fixtures/reference-elicitations.json', import.meta.url), 'utf8'),
	);
	const ask = (era: Peer['era'], name: string) => async (reference: Wire) => {
		const { sequence = [reference.params], answers = [reference.answer] } = reference;
		const peer = await connect(era, stdio(testServer(name)));
		peer.person = inTurn(...answers);
		for (const [at, params] of sequence.entries()) expect(await seen(peer, 'ask', { params })).toEqual(answers[at]);
		expect(peer.elicitations).toEqual(sequence);
	};
	const isModern = (revision: unknown) => revision === '2026-07-28';

	const legacy = cases.filter(({ revisions }: Wire) => !revisions.every(isModern));
	it.each(variants(...legacy))('$id is pushed to the client and answered untouched', ask('2025-11-25', 'sdk1.mjs'));

	const modern = cases.filter(({ revisions }: Wire) => revisions.some(isModern));
	it.each(variants(...modern))('$id is asked in a round and answered untouched', ask('2026-07-28', 'sdk2.mjs'));
});

describe.each(variants('stdio', '--http', '--sse'))('sdk1 over %s', (how) => {
	const open = async () => {
		if (how === 'stdio') return connect('2025-11-25', stdio(testServer('sdk1.mjs')));
		const url = await listening('sdk1.mjs', how);
		return connect(
			'2025-11-25',
			how === '--sse' ? new SSEClientTransport(url) : new StreamableHTTPClientTransport(url),
		);
	};

	it('passes on raw params, raw results and errors', async () => {
		const peer = await open();
		peer.person = () => ({ action: 'accept', content: { n: { deep: [null] } }, extra: 1 });
		expect(await seen(peer, 'ask', { params: odd })).toEqual({
			action: 'accept',
			content: { n: { deep: [null] } },
			extra: 1,
		});
		expect(peer.elicitations).toEqual([odd]);
		peer.person = () => Promise.reject(new Error('not today'));
		expect((await seen(peer, 'ask', { params: odd })).error.message).toContain('not today');
	});

	it('asks many at once, and later without a call', async () => {
		const peer = await open();
		peer.person = ({ message }) => ({ action: 'accept', content: { message } });
		const { answers } = await seen(peer, 'ask-many', {
			params: [
				{ ...odd, message: 'one' },
				{ ...odd, message: 'two' },
			],
		});
		expect(answers.map(({ content }: Wire) => content.message)).toEqual(['one', 'two']);
		await peer.call('ask-later', { params: { ...odd, message: 'later' } });
		expect((await peer.until(({ params }) => params?.message === 'later')).method).toBe('elicitation/create');
	});

	it('refuses with -32042 until the ids were finished', async () => {
		const peer = await open();
		const entries = [{ mode: 'url', elicitationId: 'a', url: 'https://example.com/a', message: 'A' }];
		await expect(peer.call('require-url', { entries })).rejects.toMatchObject({
			code: -32042,
			data: { elicitations: entries },
		});
		await peer.call('finish', { ids: ['a'] });
		expect((await peer.until(({ method }) => method === 'notifications/elicitation/complete')).params).toEqual({
			elicitationId: 'a',
		});
		expect(await seen(peer, 'require-url', { entries })).toEqual({ finished: ['a'] });
	});
});

describe('sdk1', () => {
	const open = () => connect('2025-11-25', stdio(testServer('sdk1.mjs')));

	it.each(['before', 'after', 'never'])('sends the completion notice of url %s', async (complete) => {
		const peer = await open();
		peer.person = () => ({ action: 'accept' });
		await peer.call('url', { url: 'https://example.com/', elicitationId: 'x', complete });
		const methods = peer.sent('server', ({ method }) => method !== undefined).map(({ method }) => method);
		const notice = 'notifications/elicitation/complete';
		const expected = {
			before: [notice, 'elicitation/create'],
			after: ['elicitation/create', notice],
			never: ['elicitation/create'],
		};
		expect(methods).toEqual(expected[complete as keyof typeof expected]);
	});

	it('reports progress, fails both ways and returns every kind of content', async () => {
		const peer = await open();
		await peer.client.callTool({ name: 'progress', arguments: { steps: 2 } }, { onprogress: () => {} });
		// On the wire: the SDK's client drops a progress notice that arrives together with the result.
		const progress = peer.sent('server', ({ method }) => method === 'notifications/progress');
		expect(progress.map(({ params }) => params.message)).toEqual(['Step 1 of 2', 'Step 2 of 2']);
		expect((await peer.call('fail')).isError).toBe(true);
		await expect(peer.call('fail', { protocol: true })).rejects.toMatchObject({ code: -32603 });
		const { content } = await peer.call('mixed-content');
		expect(content.map(({ type }) => type)).toEqual(['text', 'image', 'resource_link', 'resource']);
	});

	it('asks from a prompt and from a resource', async () => {
		const peer = await open();
		peer.person = () => ({ action: 'decline' });
		const prompt = await peer.client.getPrompt({ name: 'greet', arguments: { language: 'en' } });
		expect(JSON.stringify(prompt.messages)).toContain('decline');
		const { contents } = await peer.client.readResource({ uri: 'test://greeting' });
		expect(JSON.stringify(contents)).toContain('decline');
	});

	it('goes away with an elicitation open', async () => {
		const peer = await open();
		peer.person = () => new Promise(() => {});
		await expect(peer.call('crash', { ms: 0 })).rejects.toThrow();
	});
});

describe.each(variants('stdio', '--http'))('sdk2 over %s', (how) => {
	const open = async () => {
		const name = 'sdk2.mjs';
		return connect(
			'2026-07-28',
			how === 'stdio' ? stdio(testServer(name)) : new StreamableHTTPClientTransport(await listening(name, how)),
		);
	};

	it('passes on raw params and raw results', async () => {
		const peer = await open();
		peer.person = () => ({ action: 'accept', content: { n: 3 } });
		expect(await seen(peer, 'ask', { params: odd })).toEqual({ action: 'accept', content: { n: 3 } });
		expect(await seen(peer, 'url', { url: 'https://example.com/' })).toEqual({ action: 'accept', content: { n: 3 } });
		expect(peer.elicitations[0]).toEqual(odd);
	});

	it('plays rounds and checks that the state came back unchanged', async () => {
		const peer = await open();
		peer.person = inTurn({ action: 'accept', content: { name: 'Ada' } }, { action: 'decline' });
		const padding = 'a \u0000 😀 \u202e "';
		expect(await seen(peer, 'rounds', { count: 2, padding })).toEqual({
			answers: [{ action: 'accept', content: { name: 'Ada' } }, { action: 'decline' }],
		});
		expect(await seen(peer, 'rounds', { count: 2, silent: true })).toEqual({ answers: [null, null] });
	});

	it('asks many in one result', async () => {
		const peer = await open();
		const { answers } = await seen(peer, 'many', { params: { one: odd, two: odd } });
		expect(answers).toEqual({ one: { action: 'cancel' }, two: { action: 'cancel' } });
	});
});

describe('sdk2', () => {
	it('speaks nothing older than 2026-07-28', async () => {
		await expect(connect('2025-11-25', stdio(testServer('sdk2.mjs')))).rejects.toMatchObject({ code: -32022 });
	});
});

describe('raw', () => {
	const open = (scenario: string) => connect('2025-11-25', stdio(testServer('raw.mjs'), scenario));

	it('exit-at-once exits, silent stays and says nothing', async () => {
		const left = spawn(process.execPath, [testServer('raw.mjs'), 'exit-at-once'], { stdio: 'ignore' });
		expect(await once(left, 'exit')).toEqual([3, null]);
		const silent = spawn(process.execPath, [testServer('raw.mjs'), 'silent'], { stdio: ['pipe', 'pipe', 'ignore'] });
		let out = '';
		silent.stdout.on('data', (chunk) => {
			out += chunk;
		});
		silent.stdin.end('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n');
		expect(await once(silent, 'exit')).toEqual([0, null]);
		expect(out).toBe('');
	});

	it('noise can be heard through', async () => {
		const peer = await open('noise');
		expect(await seen(peer, 'echo', { a: 1 })).toEqual({ arguments: { a: 1 } });
	});

	it('malformed-elicit returns the response to each of its requests', async () => {
		const peer = await open('malformed-elicit');
		peer.person = (params) => ({ action: 'decline', params });
		const { tools } = await peer.client.listTools();
		expect(tools.length).toBeGreaterThan(10);
		expect((await seen(peer, 'unknown-mode')).result.params.mode).toBe('voice');
		expect((await seen(peer, 'schema-string')).result.params.requestedSchema).toBe('object');
		await peer.call('no-params');
		expect(
			peer.sent('server', (message) => message.method === 'elicitation/create' && !('params' in message)),
		).toHaveLength(1);
	});

	it('cancel-elicit withdraws its elicitations', async () => {
		const peer = await open('cancel-elicit');
		peer.person = () => new Promise(() => {});
		expect(await seen(peer, 'ask-then-cancel')).toEqual({ result: 'withdrawn' });
		const open_ = seen(peer, 'ask');
		await peer.until(({ id }) => id === 'ask-2');
		expect(await seen(peer, 'cancel')).toEqual({ cancelled: ['ask-2'] });
		expect(await open_).toEqual({ result: 'withdrawn' });
		expect(await seen(peer, 'late-answers')).toEqual({ lateAnswers: [] });
	});

	// On Windows, every signal terminates at once.
	it.skipIf(process.platform === 'win32')('stubborn survives a polite end with its child', async () => {
		const server: ChildProcess = spawn(process.execPath, [testServer('raw.mjs'), 'stubborn'], {
			stdio: ['pipe', 'pipe', 'ignore'],
		});
		server.stdin?.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pids"}}\n');
		const [chunk] = await once(server.stdout as NodeJS.ReadableStream, 'data');
		const { pid, child } = JSON.parse(String(chunk)).result.structuredContent;
		cleanUp.push(() => [pid, child].forEach((each) => void process.kill(each, 'SIGKILL')));
		expect(pid).toBe(server.pid);
		server.kill('SIGTERM');
		server.stdin?.write('{"jsonrpc":"2.0","id":2,"method":"ping"}\n');
		expect(String((await once(server.stdout as NodeJS.ReadableStream, 'data'))[0])).toContain('"id":2');
		expect([pid, child].map((each) => process.kill(each, 0))).toEqual([true, true]);
	});

	it('stderr talks there and works', async () => {
		const transport = new StdioClientTransport({
			command: process.execPath,
			args: [testServer('raw.mjs'), 'stderr'],
			stderr: 'pipe',
		});
		let heard = '';
		transport.stderr?.on('data', (chunk) => {
			heard += chunk;
		});
		const peer = await connect('2025-11-25', transport);
		expect(textOf(await peer.call('talk', { lines: 1 }))).toBe('{"lines":1}');
		expect(heard).toContain('line 200 ');
	});
});
