import { writeFileSync } from 'node:fs';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { discardCall, resumeCall } from '../../../../src/editor/calls/resumeCalls.ts';
import { type KeptCall, SentRounds, WaitingCalls } from '../../../../src/editor/calls/waitingCalls.ts';
import { Call } from '../../../../src/elicitation/call.ts';
import type { Checkpoint, WaitingCall } from '../../../../src/elicitation/checkpoint.ts';
import type { Elicitation } from '../../../../src/elicitation/elicitation.ts';
import { memento, secretStorage, temporaryFolder } from '../storage.ts';
import { messages, textsOf } from '../surfaces.ts';

/** The button of dialogs that the user chooses, and what the user was told. */
let choice: string | undefined;
const shown = messages((message) => message.choose(choice));

const task: Checkpoint = { kind: 'task', taskId: 'task-1', ttl: 60_000, since: 1, answered: ['a'] };
const round: Checkpoint = {
	kind: 'round',
	result: { resultType: 'input_required', requestState: 'state-of-the-server' },
	responses: { a: { action: 'accept', content: { pin: 'pin-of-the-user' } } },
};

describe('the calls that outlive their window (K16)', () => {
	const listed = new Map<string, string>();
	const secrets = new Map<string, string>();
	const reported: unknown[] = [];
	let store = vi.fn();
	let folder = '';

	/** What a window has that opens now. */
	const open = () =>
		new WaitingCalls(
			memento(listed),
			{ ...secretStorage(secrets), store: (...entry: [string, string]) => store(...entry) } as never,
			join(folder, 'sentRounds'),
			(error) => reported.push(error),
		);

	interface Kept {
		readonly name?: string;
		readonly args?: object;
		readonly definition?: string;
		readonly resumed?: WaitingCall & KeptCall;
	}

	/** Begins a call in a window. */
	const begin = (calls: WaitingCalls, { name = 'order', args = {}, definition = 'definition', resumed }: Kept = {}) => {
		const call = new Call('1', 'shop', 'tool', name, args as never, ...[undefined, undefined, undefined], definition);
		const keeper = calls.keep(call, resumed);
		return { call, keeper };
	};
	const keep = (calls: WaitingCalls, kept?: Kept) => begin(calls, kept).keeper;

	/** The only call that waits in a window, and what is kept of it. */
	const only = (calls: WaitingCalls) => calls.all[0] as WaitingCall;
	const read = (calls: WaitingCalls) => calls.read(only(calls));
	const resumable = async (calls: WaitingCalls) => ({ ...only(calls), ...((await read(calls)) as KeptCall) });

	const formIn = (call: Call, message = 'Who?', key?: string) =>
		({
			request: { mode: 'form', message, requestedSchema: {} },
			origin: { calls: [call], key },
		}) as unknown as Elicitation;

	beforeEach(() => {
		listed.clear();
		secrets.clear();
		reported.length = 0;
		choice = undefined;
		store = vi.fn(async (key: string, value: string) => void secrets.set(key, value));
		folder = temporaryFolder();
	});

	it('are listed in the next window, and not while they run', async () => {
		const calls = open();
		await keep(calls).waits(task);
		expect(calls.all).toEqual([]);
		expect(only(open())).toMatchObject({
			...{ server: 'shop', kind: 'tool', name: 'order', definition: 'definition', at: task },
		});
		expect(await read(open())).toMatchObject({ args: {}, from: task, drafts: {} });
	});

	it('have their arguments, responses, and `requestState` in secret storage only', async () => {
		const args = { token: 'token-of-the-user' };
		await keep(open(), { args }).waits(round);
		expect([...listed.values()].join()).not.toMatch(/token-of|state-of|pin-of/);
		expect(await read(open())).toMatchObject({ args, from: round, drafts: {} });
	});

	it('have the drafts of their forms in secret storage only, and give them to the same form', async () => {
		const calls = open();
		const before = begin(calls);
		await before.keeper.waits(round);
		calls.draftOf(formIn(before.call))?.change({ inputs: 'pin-of-the-user' });
		await calls.close();
		expect([...listed.values()].join()).not.toContain('pin-of');
		const next = open();
		const resumed = await resumable(next);
		expect(resumed.drafts).not.toEqual({});
		const { call, keeper } = begin(next, { resumed });
		expect(next.draftOf(formIn(call))?.content).toEqual({ inputs: 'pin-of-the-user' });
		expect(next.draftOf(formIn(call, 'Who else?'))?.content).toBeUndefined();
		expect(next.draftOf(formIn(before.call))).toBeUndefined();
		next.draftOf(formIn(call))?.forget();
		expect(next.draftOf(formIn(call))?.content).toBeUndefined();
		await keeper.ends();
		expect(secrets.size).toBe(0);
	});

	it('have a draft for each form of a round, also for forms that are the same', () => {
		const calls = open();
		const { call } = begin(calls);
		const draft = (key: string) => calls.draftOf(formIn(call, 'Who?', key));
		draft('first')?.change({ inputs: 'Ada' });
		expect(draft('second')?.content).toBeUndefined();
		draft('second')?.forget();
		expect(draft('first')?.content).toEqual({ inputs: 'Ada' });
	});

	it('keep what is entered in a picker that closes with the window', async () => {
		const calls = open();
		const { call, keeper } = begin(calls);
		await keeper.waits(round);
		const draft = calls.draftOf(formIn(call));
		const closing = calls.close();
		draft?.change({ inputs: 'Ada' });
		await closing;
		expect(Object.values((await read(open()))?.drafts ?? {})).toEqual([{ inputs: 'Ada' }]);
	});

	it('leave nothing behind when they end', async () => {
		const keeper = keep(open(), { args: { n: 1 } });
		await keeper.waits(round);
		await keeper.ends();
		await keeper.waits(task);
		expect([open().all, secrets.size]).toEqual([[], 0]);
	});

	it('are stored once where they have gone on several times meanwhile', async () => {
		const keeper = keep(open());
		const steps = Array.from({ length: 500 }, (_, at): Checkpoint => ({ ...round, responses: { at } }));
		await Promise.all(steps.map((step) => keeper.waits(step)));
		expect(store).toHaveBeenCalledTimes(1);
		expect(await read(open())).toMatchObject({ from: steps.at(-1) });
		void keeper.waits(round);
		await keeper.sends();
		expect(store).toHaveBeenCalledTimes(1);
		expect(open().all).toMatchObject([{ at: 'sent' }]);
	});

	describe('when Resume is chosen', () => {
		/** Identifies the server that has the name now. */
		const NOW = 'server of now';
		const cancelTask = vi.fn();

		/** A window with a call that waits, made to this server. */
		const window = async (definition = NOW, at: Checkpoint = round) => {
			await keep(open(), { definition }).waits(at);
			const waiting = open();
			const resume = vi.fn((resumed: never, _identity: string) => keep(waiting, { definition, resumed }).release());
			const servers = {
				settled: Promise.resolve(),
				get: () => ({ connection: { cancelTask } }),
				identityOf: () => NOW,
			};
			const context = { waiting, servers, addDemoNamed: async () => {}, resume } as never;
			const call = only(waiting);
			return {
				...{ waiting, resumed: resume },
				resume: () => resumeCall(context, call),
				discard: () => discardCall(context, call),
			};
		};

		it('go on once, however often it is chosen', async () => {
			const { waiting, resumed, resume } = await window();
			const resuming = [resume(), resume()];
			expect(waiting.all).toEqual([]);
			await Promise.all(resuming);
			expect(resumed).toHaveBeenCalledTimes(1);
		});

		it('are not discarded any more by the notification that is left', async () => {
			const { waiting, resumed, resume, discard } = await window();
			const resuming = resume();
			await discard();
			await resuming;
			expect(resumed).toHaveBeenCalledTimes(1);
			expect(waiting.all).toHaveLength(1);
			await discard();
			expect(waiting.all).toEqual([]);
		});

		it('wait again if the user does not want to go on with a server that has changed', async () => {
			const { waiting, resumed, resume } = await window('of before');
			await resume();
			expect(waiting.all).toMatchObject([{ name: 'order' }]);
			expect(resumed).not.toHaveBeenCalled();
			choice = 'Continue';
			await resume();
			expect(resumed).toHaveBeenCalledTimes(1);
			// And to no other one that takes its name until then.
			expect(resumed).toHaveBeenCalledWith(expect.anything(), NOW);
			expect(shown.map(({ text, buttons }) => [text, ...buttons])).toEqual(
				Array(2).fill(['The MCP server "shop" is not the one that "order" was called on.', 'Continue']),
			);
		});

		it.each([
			['of before', 0],
			[NOW, 1],
		])('tell no other server of their task when they are discarded: %s', async (definition, times) => {
			cancelTask.mockClear();
			await (await window(definition, task)).discard();
			expect(cancelTask).toHaveBeenCalledTimes(times);
		});

		it('do not, if their responses were sent, though the window was killed before it had stored that', async () => {
			const keeper = keep(open(), { definition: NOW });
			await keeper.waits(round);
			const before = [...listed];
			const secretsBefore = [...secrets];
			await keeper.sends();
			for (const [key, value] of before) listed.set(key, value);
			for (const [key, value] of secretsBefore) secrets.set(key, value);
			const waiting = open();
			const resume = vi.fn();
			const servers = { settled: Promise.resolve(), get: () => ({}), identityOf: () => NOW };
			await resumeCall({ waiting, servers, addDemoNamed: async () => {}, resume } as never, only(waiting));
			expect(resume).not.toHaveBeenCalled();
			expect(textsOf(shown)).toEqual([
				'shop: Your response to "order" was already sent, from another window or before this one closed. Check the log of the server before you call it again.',
			]);
			expect([open().all, secrets.size]).toEqual([[], 0]);
		});
	});

	it('get their response if a full disk does not let other windows know that', async () => {
		writeFileSync(join(folder, 'sentRounds'), 'a file, not a folder');
		const keeper = keep(open());
		await keeper.waits(round);
		expect(await keeper.sends()).toBe(true);
		expect([reported.length, only(open()).at]).toEqual([1, 'sent']);
	});

	it('can not be resumed once their responses are being sent; the next window knows that', async () => {
		const keeper = keep(open());
		await keeper.waits(round);
		await keeper.sends();
		expect(only(open()).at).toBe('sent');
		expect(secrets.size).toBe(0);
		expect(await read(open())).toBeUndefined();
	});

	it('get the response of one window if two show them (K16)', async () => {
		const one = keep(open());
		await one.waits(round);
		const calls = open();
		const other = keep(calls, { resumed: await resumable(calls) });
		await other.waits(round);
		expect([await other.sends(), await one.sends()]).toEqual([true, false]);
		const next: Checkpoint = { ...round, responses: {} };
		await other.waits(next);
		await one.ends();
		expect(await one.release()).toBeUndefined();
		expect(await read(open())).toMatchObject({ from: next });
		expect(await other.sends()).toBe(true);
		expect(reported).toEqual([]);
	});

	it('have each round sent by one of many windows, which is forgotten after a month (K16)', async () => {
		const rounds = join(folder, 'sentRounds');
		const window = () => new SentRounds(rounds);
		const added = await Promise.all(Array.from({ length: 20 }, () => window().add('one')));
		expect(added.filter(Boolean)).toHaveLength(1);
		expect([await window().has('one'), await window().has('two')]).toEqual([true, false]);
		const now = Date.now() / 1000;
		const ages = (days: number) => utimes(join(rounds, 'one'), now, now - days * 24 * 60 * 60);
		await ages(29);
		expect(await window().add('two')).toBe(true);
		expect(await readdir(rounds)).toEqual(['one', 'two']);
		await ages(31);
		expect(await window().add('three')).toBe(true);
		expect((await readdir(rounds)).sort()).toEqual(['three', 'two']);
	});

	it('wait in the same window once their session has ended, unless a response was being sent', async () => {
		const calls = open();
		const [one, two] = [keep(calls), keep(calls)];
		await one.waits(task);
		await two.waits(round);
		await two.sends();
		expect(await one.release()).toMatchObject({ at: task });
		expect(await two.release()).toBeUndefined();
		expect(calls.all).toHaveLength(1);
	});

	it('are left to the next window by one that closes', async () => {
		const calls = open();
		const keeper = keep(calls);
		await keeper.waits(round);
		await keeper.sends();
		await calls.close();
		expect(await keeper.release()).toBeUndefined();
		expect(open().all).toHaveLength(1);
	});

	it('send nothing more from a window that closes: what is cancelled with it is asked again by the next one', async () => {
		const calls = open();
		const keeper = keep(calls);
		await keeper.waits(round);
		await calls.close();
		await keeper.waits({ kind: 'round', result: {}, responses: { a: { action: 'cancel' } } });
		expect(await keeper.sends()).toBe(false);
		const next = open();
		const resumed = await resumable(next);
		expect(resumed.from).toEqual(round);
		expect(await next.isSent(resumed)).toBe(false);
	});

	const long = 'x'.repeat(30_000);

	it.each<[string, Checkpoint, Kept, sends: boolean]>([
		['a round with very long arguments', round, { args: { text: 'x'.repeat(300_000) } }, false],
		['a task whose id is very long', { ...task, taskId: long }, { args: { n: 1 } }, false],
		['a task that has asked very much', { ...task, answered: Array(10_000).fill('a key') }, { args: { n: 1 } }, false],
		['a task of a tool whose name is very long', task, { name: long, args: { n: 1 } }, false],
		['a tool whose name is very long, also while a response is sent', round, { name: long, args: { n: 1 } }, true],
	])('are not kept for %s, which the editor would read with the workspace', async (_what, at, kept, sends) => {
		const keeper = keep(open(), kept);
		await keeper.waits(at);
		await (sends && keeper.sends());
		expect([listed.get('waitingCalls'), secrets.size]).toEqual([undefined, 0]);
	});

	it('are not read from what is malformed', async () => {
		await keep(open()).waits(task);
		const [good] = JSON.parse(listed.get('waitingCalls') ?? '');
		const members = ['id', 'server', 'definition', 'kind', 'name', 'startedAt', 'at'];
		const bad = members.map((member) => ({ ...good, [member]: {} }));
		listed.set('waitingCalls', JSON.stringify([null, 'x', ...bad, good]));
		expect(open().all).toEqual([good]);
		listed.set('waitingCalls', '{"a":1}');
		expect(open().all).toEqual([]);
		await keep(open()).waits(round);
		for (const text of ['{', 'null', '{"from":{"kind":"round","result":1}}']) {
			secrets.set(`waitingCall:${only(open()).id}`, text);
			expect(await read(open())).toBeUndefined();
		}
	});

	it('report why they could not be stored', async () => {
		store.mockRejectedValue(new Error('no key ring'));
		await keep(open()).waits(round);
		expect(reported).toEqual([new Error('no key ring')]);
	});
});
