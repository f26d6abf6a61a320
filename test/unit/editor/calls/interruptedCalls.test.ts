import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { itByNight, variants } from '../../../nightly.ts';
import { RawHttpServer } from '../../../rawServer/http.ts';
import { LEGACY, MODERN, type RawServer } from '../../../rawServer/rawServer.ts';
import { ask, form, request } from '../../mcp/faults/rawServerFixtures.ts';
import { CAPABILITIES, modernTask, Polls, related, task, taskTool } from '../../mcp/tasks/taskFixtures.ts';
import { bundle, type Wire } from '../../mcp/testClient.ts';

let product: Awaited<ReturnType<typeof bundle>>;
beforeAll(async () => {
	product = await bundle({
		host: 'test/unit/editor/calls/interruptedHost.ts',
		reaper: 'src/mcp/process/reaper.ts',
	});
});
afterAll(() => product.remove());

/** A window: its extension host, as one process. */
class Host {
	readonly told: Wire[] = [];
	readonly #child;

	constructor(file: string, { definition }: RawServer) {
		const args = [product.file('host'), product.file('reaper'), file, JSON.stringify(definition)];
		this.#child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
		createInterface({ input: this.#child.stdout }).on('line', (line) => this.told.push(JSON.parse(line)));
		onTestFinished(() => void this.#child.kill('SIGKILL'));
	}

	/** What the user was told, once there is that much of it. */
	async tells(what: string, count = 1): Promise<Wire> {
		const found = () => this.told.filter((line) => line[what] !== undefined);
		await vi.waitUntil(() => found().length >= count);
		return found()[count - 1];
	}

	does(...line: [act: string, content?: object]): void {
		this.#child.stdin.write(`${JSON.stringify(line)}\n`);
	}

	/** Enters something in the form, and waits until that is stored. */
	async drafts(inputs: object): Promise<void> {
		this.does('draft', inputs);
		await vi.waitUntil(() => this.told.some(({ stored }) => stored === 'waitingDrafts'));
	}

	async ends(how: 'reload' | 'kill'): Promise<void> {
		const closed = once(this.#child, 'close');
		if (how === 'kill') {
			this.#child.kill('SIGKILL');
		} else {
			this.does('reload');
		}
		await closed;
	}
}

/** A server, and windows that open one after another with the same storage. */
async function world(how: 'reload' | 'kill', revision: typeof LEGACY | typeof MODERN) {
	const folder = await mkdtemp(join(tmpdir(), 'interrupted-'));
	const file = join(folder, 'storage.json');
	await writeFile(file, '{}');
	const tools = [taskTool('optional')];
	const server = await RawHttpServer.open({
		revision,
		tools,
		...(revision === LEGACY && { capabilities: { tasks: CAPABILITIES } }),
	});
	onTestFinished(async () => {
		await server.close();
		await rm(folder, { recursive: true });
	});
	let host = new Host(file, server);
	return {
		server,
		get host() {
			return host;
		},
		/** Ends the window at this stage, and opens the next one. */
		next: async () => {
			await host.ends(how);
			host = new Host(file, server);
		},
	};
}

const NAME = { name: 'Ada' };
const done = { content: [], structuredContent: { done: true } };
const accepted = { action: 'accept', content: NAME };

describe.each(variants('reload', 'kill'))('after a %s', (how) => {
	it('a task of 2026-07-28 goes on from every stage: its tool ran once, each request was responded to once (K16)', async () => {
		const here = await world(how, MODERN);
		const { server } = here;
		const created = { ...modernTask('working', { pollIntervalMs: 600_000 }), resultType: 'task' };
		server.answer(await server.expect('tools/call'), created);
		await here.host.tells('stored', 2);
		expect(server.requests('tasks/get')).toEqual([]);
		await here.next(); // before the first poll

		const inputRequests = { who: request(form) };
		const polls = new Polls(server, modernTask('input_required', { inputRequests }));
		expect(await here.host.tells('asked')).not.toHaveProperty('draft');
		await here.next(); // while asked

		await here.host.tells('asked');
		await here.host.drafts(NAME);
		await here.next(); // with a draft

		expect(await here.host.tells('asked')).toMatchObject({ draft: NAME });
		here.host.does('accept', NAME);
		const update = await server.expect('tasks/update');
		expect(update.params.inputResponses).toEqual({ who: accepted });
		polls.report(modernTask('working'));
		await here.next(); // while the response is on its way

		await polls.more(2);
		polls.report(modernTask('input_required', { inputRequests: { again: request({ ...form, message: 'Again?' }) } }));
		expect(await here.host.tells('asked')).toMatchObject({ asked: 'Again?' });
		here.host.does('accept', NAME);
		const stored = here.host.told.length;
		server.answer(await server.expect('tasks/update'), { resultType: 'complete' });
		await vi.waitUntil(() => here.host.told.slice(stored).some((line) => line.stored === 'waitingCalls'));
		// The server has acknowledged the response, and not yet looked at it.
		await here.next(); // after it

		await polls.more(2);
		expect(here.host.told.filter(({ asked }) => asked !== undefined)).toEqual([]);
		polls.report(modernTask('completed', { result: done }));
		expect((await here.host.tells('result')).result).toMatchObject(done);
		expect(server.requests('tools/call')).toHaveLength(1);
		expect(server.requests('tasks/update')).toHaveLength(2);
		expect(server.requests('tasks/cancel')).toEqual([]);
	});

	itByNight('a task of 2025-11-25 goes on from every stage, if its server still knows it (K16)', async () => {
		const here = await world(how, LEGACY);
		const { server } = here;
		server.answer(await server.expect('tools/call'), { task: task('working', { pollInterval: 600_000 }) });
		await here.host.tells('stored', 2);
		await here.next(); // before the first poll

		const polls = new Polls(server, task('input_required'));
		/** What the server does each time that a session waits for the result. */
		const asks = async () => {
			const listening = await server.expect('tasks/result');
			const { response } = server.ask(related('task-1', form), listening);
			await here.host.tells('asked');
			return { listening, response };
		};
		await asks();
		await here.next(); // while asked

		await asks();
		await here.host.drafts(NAME);
		await here.next(); // with a draft

		const { response } = await asks();
		expect(await here.host.tells('asked')).toMatchObject({ draft: NAME });
		here.host.does('accept', NAME);
		expect((await response).result).toMatchObject(accepted);
		polls.report(task('working'));
		await here.next(); // after the response

		await polls.more(1);
		polls.report(task('completed'));
		server.answer(await server.expect('tasks/result'), { ...done, ...related('task-1', {}) });
		expect((await here.host.tells('result')).result).toMatchObject(done);
		expect(here.host.told.filter(({ asked }) => asked !== undefined)).toEqual([]);
		expect(server.requests('tools/call')).toHaveLength(1);
		expect(server.requests('tasks/cancel')).toEqual([]);
	});

	it('a call in rounds goes on from every stage; a response on its way is lost, and the user is told (K16)', async () => {
		const here = await world(how, MODERN);
		const { server } = here;
		server.answer(await server.expect('tools/call'), ask({ who: request(form) }, 'opaque') as object);
		await here.host.tells('asked');
		await here.next(); // while asked

		await here.host.tells('asked');
		await here.host.drafts(NAME);
		await here.next(); // with a draft

		expect(await here.host.tells('asked')).toMatchObject({ draft: NAME });
		here.host.does('accept', NAME);
		const retry = await server.expect('tools/call');
		expect(retry.params).toMatchObject({ requestState: 'opaque', inputResponses: { who: accepted } });
		server.answer(retry, ask({ again: request({ ...form, message: 'Again?' }) }, 'second') as object);
		await here.host.tells('asked', 2);
		await here.next(); // after the response

		expect(await here.host.tells('asked')).toMatchObject({ asked: 'Again?' });
		here.host.does('accept', NAME);
		await server.expect('tools/call');
		await here.next(); // while the response is on its way

		expect(await here.host.tells('lost')).toEqual({ lost: 'act' });
		expect(server.requests('tools/call')).toHaveLength(3);
		expect(here.host.told.filter(({ asked, result }) => asked ?? result)).toEqual([]);
	});
});
