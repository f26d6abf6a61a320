import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Memento, SecretStorage } from 'vscode';
import { type KeptCall, type WaitingCall, WaitingCalls } from '../../../../src/editor/calls/waitingCalls.ts';
import { Call } from '../../../../src/elicitation/call.ts';
import type { Checkpoint } from '../../../../src/elicitation/checkpoint.ts';
import type { Elicitation } from '../../../../src/elicitation/elicitation.ts';

/** The button of dialogs that the user chooses, and what the user was told. */
const user = vi.hoisted(() => ({ choice: undefined as string | undefined, told: [] as string[] }));

vi.mock('vscode', async () => (await import('../vscode.ts')).fakeVscode());
vi.mock('../../../../src/editor/common/notifications.ts', () => ({
	showModal: async () => user.choice,
	notify: async (_severity: string, text: string) => void user.told.push(text),
}));

const { discardCall, hashOf, resumeCall } = await import('../../../../src/editor/calls/resumeCalls.ts');

const task: Checkpoint = { kind: 'task', taskId: 'task-1', ttl: 60_000, since: 1, answered: ['a'] };
const round: Checkpoint = {
	kind: 'round',
	result: { resultType: 'input_required', requestState: 'state-of-the-server' },
	responses: { a: { action: 'accept', content: { pin: 'pin-of-the-user' } } },
};

describe('the calls that outlive their window (K16)', () => {
	const memento = new Map<string, string>();
	const secrets = new Map<string, string>();
	const reported: unknown[] = [];
	let writes = 0;
	let folder = '';

	/** What a window has that opens now. */
	const open = () =>
		new WaitingCalls(
			'waitingCalls',
			{
				get: (key: string, other: unknown) => JSON.parse(memento.get(key) ?? JSON.stringify(other)),
				update: async (key: string, value: unknown) => void memento.set(key, JSON.stringify(value)),
			} as unknown as Memento,
			{
				get: async (key: string) => secrets.get(key),
				store: async (key: string, value: string) => {
					writes++;
					secrets.set(key, value);
				},
				delete: async (key: string) => void secrets.delete(key),
			} as unknown as SecretStorage,
			join(folder, 'sentRounds'),
			(error) => reported.push(error),
		);

	const keep = (calls: WaitingCalls, args: object = {}, resumed?: WaitingCall & KeptCall) => {
		const call = new Call('1', 'shop', 'tool', 'order', args);
		return calls.keep(
			() => call,
			async () => 'definition',
			resumed,
		);
	};

	const only = (calls: WaitingCalls) => calls.all[0] as WaitingCall;

	beforeEach(() => {
		memento.clear();
		secrets.clear();
		reported.length = 0;
		user.told.length = 0;
		writes = 0;
		folder = mkdtempSync(join(tmpdir(), 'mcp-elicitation-waiting-'));
		onTestFinished(() => rmSync(folder, { recursive: true }));
	});

	it('are listed in the next window, and not while they run', async () => {
		const calls = open();
		await keep(calls).waits(task);
		expect(calls.all).toEqual([]);
		const [call] = open().all;
		expect(call).toMatchObject({ server: 'shop', kind: 'tool', name: 'order', definition: 'definition', at: task });
		expect(await open().read(call as never)).toMatchObject({ args: {}, from: task, drafts: {} });
	});

	it('have their arguments, responses, and `requestState` in secret storage only', async () => {
		await keep(open(), { token: 'token-of-the-user' }).waits(round);
		expect([...memento.values()].join()).not.toMatch(/token-of|state-of|pin-of/);
		const [call] = open().all;
		expect(await open().read(call as never)).toMatchObject({
			args: { token: 'token-of-the-user' },
			from: round,
			drafts: {},
		});
	});

	it('have the drafts of their forms in secret storage only, and give them to the same form', async () => {
		const calls = open();
		const call = new Call('1', 'shop', 'tool', 'order', {});
		const keeper = calls.keep(
			() => call,
			async () => 'definition',
		);
		keeper.begins(call);
		await keeper.waits(round);
		const formIn = (cause: Call, message = 'Who?') =>
			({
				request: { mode: 'form', message, requestedSchema: {} },
				origin: { calls: [cause] },
			}) as unknown as Elicitation;
		calls.draftOf(formIn(call))?.change({ inputs: 'pin-of-the-user' });
		await calls.close();
		expect([...memento.values()].join()).not.toContain('pin-of');
		const next = open();
		const [waiting] = next.all;
		const kept = waiting && (await next.read(waiting));
		expect(kept?.drafts).not.toEqual({});
		const resumed = new Call('2', 'shop', 'tool', 'order', {});
		const again = next.keep(
			() => resumed,
			async () => 'definition',
			waiting && kept && { ...waiting, ...kept },
		);
		again.begins(resumed);
		expect(next.draftOf(formIn(resumed))?.content).toEqual({ inputs: 'pin-of-the-user' });
		expect(next.draftOf(formIn(resumed, 'Who else?'))?.content).toBeUndefined();
		expect(next.draftOf(formIn(call))).toBeUndefined();
		next.draftOf(formIn(resumed))?.forget();
		expect(next.draftOf(formIn(resumed))?.content).toBeUndefined();
		await again.ends();
		expect(secrets.size).toBe(0);
	});

	it('have a draft for each form of a round, also for forms that are the same', () => {
		const calls = open();
		const call = new Call('1', 'shop', 'tool', 'order', {});
		calls
			.keep(
				() => call,
				async () => 'definition',
			)
			.begins(call);
		const request = { mode: 'form', message: 'Who?', requestedSchema: {} };
		const draft = (key: string) => calls.draftOf({ request, origin: { calls: [call], key } } as unknown as Elicitation);
		draft('first')?.change({ inputs: 'Ada' });
		expect(draft('second')?.content).toBeUndefined();
		draft('second')?.forget();
		expect(draft('first')?.content).toEqual({ inputs: 'Ada' });
	});

	it('leave nothing behind when they end', async () => {
		const keeper = keep(open(), { n: 1 });
		await keeper.waits(round);
		await keeper.ends();
		await keeper.waits(task);
		expect(open().all).toEqual([]);
		expect(secrets.size).toBe(0);
	});

	it('are stored once where they have gone on several times meanwhile', async () => {
		const keeper = keep(open());
		const steps = Array.from({ length: 500 }, (_, at): Checkpoint => ({ ...round, responses: { at } }));
		await Promise.all(steps.map((step) => keeper.waits(step)));
		expect(writes).toBe(1);
		const [call] = open().all;
		expect(await open().read(call as never)).toMatchObject({ from: steps.at(-1) });
		void keeper.waits(round);
		await keeper.sends();
		expect(writes).toBe(1);
		expect(open().all).toMatchObject([{ at: 'sent' }]);
	});

	describe('when Resume is chosen', () => {
		/** A window with a call that waits, made with this definition of its server. */
		const window = async (definition: string) => {
			const call = new Call('1', 'shop', 'tool', 'order', {});
			await open()
				.keep(
					() => call,
					async () => definition,
				)
				.waits(round);
			const waiting = open();
			const resumed: unknown[] = [];
			const context = {
				waiting,
				servers: { settled: Promise.resolve(), get: () => undefined },
				addDemoNamed: async () => {},
				resume: async (call: never) => {
					resumed.push(call);
					const keeper = waiting.keep(
						() => undefined,
						async () => definition,
						call,
					);
					await keeper.release();
				},
			};
			const [stored] = waiting.all;
			return {
				waiting,
				resumed,
				resume: () => resumeCall(context as never, stored as never),
				discard: () => discardCall(context as never, stored as never),
			};
		};

		it('go on once, however often it is chosen', async () => {
			const { waiting, resumed, resume } = await window(await hashOf(undefined));
			const resuming = [resume(), resume()];
			expect(waiting.all).toEqual([]);
			await Promise.all(resuming);
			expect(resumed).toHaveLength(1);
		});

		it('are not discarded any more by the notification that is left', async () => {
			const { waiting, resumed, resume, discard } = await window(await hashOf(undefined));
			const resuming = resume();
			await discard();
			await resuming;
			expect([resumed.length, waiting.all.length]).toEqual([1, 1]);
			await discard();
			expect(waiting.all).toEqual([]);
		});

		it('wait again if the user does not want to go on with a server that has changed', async () => {
			const { waiting, resumed, resume } = await window('of before');
			user.choice = undefined;
			await resume();
			expect([waiting.all, resumed]).toMatchObject([[{ name: 'order' }], []]);
			user.choice = 'Resume';
			await resume();
			expect(resumed).toHaveLength(1);
		});
	});

	it('are not resumed if their responses were sent, though the window was killed before it had stored that', async () => {
		const keeper = keep(open());
		await keeper.waits(round);
		const before = [new Map(memento), new Map(secrets)] as const;
		await keeper.sends();
		for (const [key, value] of before[0]) {
			memento.set(key, value);
		}
		for (const [key, value] of before[1]) {
			secrets.set(key, value);
		}
		const waiting = open();
		const resume = vi.fn();
		const servers = { settled: Promise.resolve(), get: () => undefined };
		user.choice = 'Resume';
		await resumeCall({ waiting, servers, addDemoNamed: async () => {}, resume } as never, only(waiting));
		expect(resume).not.toHaveBeenCalled();
		expect(user.told).toEqual([
			'shop: Your response to "order" was already sent, from another window or before this one closed. Check the log of the server before you call it again.',
		]);
		expect([open().all, secrets.size]).toEqual([[], 0]);
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
		const [call] = open().all;
		expect(call?.at).toBe('sent');
		expect(secrets.size).toBe(0);
		expect(await open().read(call as never)).toBeUndefined();
	});

	it('get the response of one window if two show them (K16)', async () => {
		const one = keep(open());
		await one.waits(round);
		const calls = open();
		const call = only(calls);
		const other = keep(calls, {}, { ...call, ...((await calls.read(call)) as KeptCall) });
		await other.waits(round);
		expect([await other.sends(), await one.sends()]).toEqual([true, false]);
		const next: Checkpoint = { ...round, responses: {} };
		await other.waits(next);
		await one.ends();
		expect(await one.release()).toBeUndefined();
		expect(await open().read(only(open()))).toMatchObject({ from: next });
		expect(await other.sends()).toBe(true);
		expect(reported).toEqual([]);
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

	it('keep what is entered in a picker that closes with the window', async () => {
		const calls = open();
		const call = new Call('1', 'shop', 'tool', 'order', {});
		const keeper = calls.keep(
			() => call,
			async () => 'definition',
		);
		keeper.begins(call);
		await keeper.waits(round);
		const request = { mode: 'form', message: 'Who?', requestedSchema: {} };
		const draft = calls.draftOf({ request, origin: { calls: [call] } } as unknown as Elicitation);
		const closing = calls.close();
		draft?.change({ inputs: 'Ada' });
		await closing;
		const next = open();
		const kept = next.all[0] && (await next.read(next.all[0]));
		expect(Object.values(kept?.drafts ?? {})).toEqual([{ inputs: 'Ada' }]);
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

	it('are not kept if what they wait for is very long', async () => {
		await keep(open(), { text: 'x'.repeat(300_000) }).waits(round);
		expect(open().all).toEqual([]);
		expect(secrets.size).toBe(0);
	});

	it.each([
		['whose id is very long', 'order', { taskId: 'x'.repeat(30_000) }],
		['that has asked very much', 'order', { answered: Array.from({ length: 10_000 }, (_, at) => `key ${at}`) }],
		['of a tool whose name is very long', 'x'.repeat(30_000), {}],
	])('are not kept for a task %s, which the editor would read with the workspace', async (_what, name, more) => {
		const call = new Call('1', 'shop', 'tool', name, { n: 1 });
		const keeper = open().keep(
			() => call,
			async () => 'definition',
		);
		await keeper.waits({ ...task, ...more });
		expect([memento.get('waitingCalls'), secrets.size]).toEqual([undefined, 0]);
	});

	it('are not kept for a tool whose name is very long, also while a response is being sent', async () => {
		const call = new Call('1', 'shop', 'tool', 'x'.repeat(30_000), { n: 1 });
		const keeper = open().keep(
			() => call,
			async () => 'definition',
		);
		await keeper.waits(round);
		await keeper.sends();
		expect([memento.get('waitingCalls'), secrets.size]).toEqual([undefined, 0]);
	});

	it('are not read from what is malformed', async () => {
		await keep(open()).waits(task);
		const [good] = JSON.parse(memento.get('waitingCalls') ?? '');
		const bad = ['id', 'server', 'definition', 'kind', 'name', 'startedAt', 'at'].map((key) => ({
			...good,
			[key]: {},
		}));
		memento.set('waitingCalls', JSON.stringify([null, 'x', ...bad, good]));
		expect(open().all).toEqual([good]);
		memento.set('waitingCalls', '{"a":1}');
		expect(open().all).toEqual([]);
		await keep(open()).waits(round);
		const [call] = open().all;
		for (const text of ['{', 'null', '{"from":{"kind":"round","result":1}}']) {
			secrets.set(`waitingCall:${call?.id}`, text);
			expect(await open().read(call as never)).toBeUndefined();
		}
	});

	it('report why they could not be stored', async () => {
		secrets.set = () => {
			throw new Error('no key ring');
		};
		await keep(open()).waits(round);
		expect(reported).toEqual([new Error('no key ring')]);
	});
});
