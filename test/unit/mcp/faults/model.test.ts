import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Call } from '../../../../src/elicitation/call.ts';
import type { Elicitation } from '../../../../src/elicitation/elicitation.ts';
import { type Connection, Reaper } from '../../../../src/mcp/index.ts';
import { Visitor } from '../../../conformance/visitor.ts';
import { runs } from '../../../nightly.ts';
import { LEGACY, MODERN } from '../../../rawServer/rawServer.ts';
import { define, TestClient } from '../testClient.ts';
import { InProcessServer, type Refusal } from './inProcess.ts';

/*
 * Model-based test: the product's connection against a server that may do anything at any time. Only the sockets and the
 * clock are simulated.
 */

const wire = vi.hoisted(() => ({ server: undefined as InProcessServer | undefined }));

vi.mock('../../../../src/mcp/http/noTimeoutFetch.ts', () => ({
	noTimeoutFetch: (url: string | URL, init?: RequestInit) => wire.server?.fetch(url, init),
}));

vi.mock('node:timers/promises', () => ({
	setTimeout: (ms: number, value: unknown, { signal }: { signal?: AbortSignal } = {}) =>
		new Promise((resolve, reject) => {
			const timer = setTimeout(() => resolve(value), ms);
			signal?.addEventListener('abort', () => {
				clearTimeout(timer);
				reject(signal.reason);
			});
		}),
}));

/** An elicitation and its expected state. */
interface Asked {
	readonly id: string;
	/** How it arrived: `elicitation/create`, -32042, or `input_required`. */
	readonly how: 'request' | 'required' | 'round';
	readonly mode: 'form' | 'url';
	/** The call on whose stream it arrived; `undefined` for the server's own stream. */
	readonly on: CallModel | undefined;
	/** The calls that it may belong to. */
	readonly calls: readonly CallModel[];
	readonly life: number;
	state: 'asking' | 'opened' | 'over';
	/** The user's response. */
	said: 'accept' | 'decline' | 'cancel' | undefined;
	/** The server canceled it before the response. */
	cancelled: boolean;
	/** The user discarded the undelivered response. */
	dismissed: boolean;
	/** Its stream or session is gone. */
	lost: boolean;
}

interface CallModel {
	readonly n: number;
	readonly abort: AbortController;
	call: Call | undefined;
	settled: boolean;
	progress: number;
	/** Progress that the server has sent. */
	reported: number;
}

/** True if all calls that it may belong to have ended. */
const isOver = ({ calls }: Asked) => calls.length > 0 && calls.every(({ call }) => call?.state !== 'running');

class Run {
	readonly server: InProcessServer;
	readonly world = new TestClient(new Reaper('none'));
	readonly asked: Asked[] = [];
	readonly calls: CallModel[] = [];
	connection!: Connection;

	constructor(revision: typeof LEGACY | typeof MODERN) {
		this.server = new InProcessServer(revision);
	}

	async begin(): Promise<void> {
		wire.server = this.server;
		const visitor = new Visitor();
		visitor.secrets.set('server', this.server.secret);
		this.world.signIn = visitor;
		this.connection = this.world.create(define('server', this.server.definition));
		const starting = this.connection.start();
		await settle();
		await starting;
	}

	/** Calls in progress on both sides. */
	get running(): CallModel[] {
		return this.calls.filter((each) => each.call?.state === 'running' && this.server.calls.get(each.n)?.stream.open);
	}

	elicitation({ id }: Asked): Elicitation | undefined {
		return this.world.registry.elicitations.find(({ request }) => request.message === id);
	}

	responses({ id }: Asked): unknown[] {
		return this.server.responses.get(id) ?? [];
	}

	/** True if a response is due and the server can still receive it. */
	owes(asked: Asked): boolean {
		return (
			asked.how === 'request' &&
			!asked.cancelled &&
			!asked.dismissed &&
			!asked.lost &&
			this.responses(asked).length === 0
		);
	}

	/** True if it pauses the timeouts of its calls: the user has to respond, or to act on an undelivered response. */
	holds(asked: Asked): boolean {
		return (
			asked.state === 'asking' ||
			this.owes(asked) ||
			(asked.state === 'opened' && !asked.lost && asked.calls.length === 1)
		);
	}

	/** Updates the elicitations whose calls have ended. */
	follow(): void {
		for (const asked of this.asked) {
			if (!isOver(asked) || asked.state === 'over') continue;
			const takenBack = asked.calls.some(({ call }) => call?.takenBack);
			if (asked.how === 'request' && asked.state === 'asking' && !takenBack) continue;
			if (asked.how === 'request' && asked.state === 'asking') asked.said = 'cancel';
			asked.state = 'over';
		}
	}

	check(): void {
		this.follow();
		for (const asked of this.asked) {
			const responses = this.responses(asked) as { result?: object }[];
			expect(responses.length, `responses to ${asked.id}`).toBeLessThanOrEqual(1);
			if (asked.cancelled && asked.said === undefined) expect(responses, asked.id).toEqual([]);
			if (responses.length > 0) {
				const content = asked.mode === 'form' && asked.said === 'accept' && { content: { said: asked.id } };
				expect(responses[0]?.result, asked.id).toEqual({ action: asked.said, ...content });
			}
			if (!asked.lost) {
				const live = asked.state !== 'over';
				expect([asked.id, this.elicitation(asked)?.live ?? false]).toEqual([asked.id, live]);
			}
			if (isOver(asked))
				expect([asked.id, this.elicitation(asked)?.delivery?.canSendAgain]).not.toEqual([asked.id, true]);
		}
		for (const { n, call, progress, reported } of this.calls) {
			expect(progress, `progress of call ${n}`).toBeLessThanOrEqual(reported);
			// The client may notice a lost message with a delay.
			const mine = this.asked.filter(({ calls }) => calls.some((each) => each.n === n));
			if (call?.state === 'running' && !mine.some(({ lost }) => lost)) {
				const holds = call.atRoundLimit !== undefined || mine.some((each) => this.holds(each));
				expect([n, call.clock.asking]).toEqual([n, holds]);
			}
		}
	}

	/** Completes everything that is pending; then nothing must be left. */
	async finish(): Promise<void> {
		this.server.refusals = [];
		for (let round = 0; round < 3; round++) {
			await tick(9_000);
			for (const { call } of this.calls) call?.atRoundLimit?.decide(false);
			for (const asked of this.asked) {
				const elicitation = this.elicitation(asked);
				if (elicitation?.undecided && elicitation.decline()) {
					asked.said ??= 'decline';
					asked.state = 'over';
				}
				elicitation?.delivery?.sendAgain();
			}
			await settle();
		}
		for (const { n } of this.running) finishCall(this, n);
		await tick(10_000);
		// The user ends whatever was lost.
		for (const { abort } of this.calls) abort.abort(new Error('The end.'));
		await tick(10_000);
		this.check();
		const { registry } = this.world;
		for (const asked of this.asked) {
			const elicitation = this.elicitation(asked);
			const delivery = elicitation?.delivery?.state;
			expect([asked.id, delivery]).not.toEqual([asked.id, 'sending']);
			if (this.owes(asked)) expect([asked.id, delivery]).toEqual([asked.id, 'undelivered']);
			const takenBack = asked.how === 'round' && asked.calls.some(({ call }) => call?.takenBack);
			const delivers = asked.how !== 'required' && !asked.cancelled && !takenBack;
			if (asked.said === 'accept' && delivers && this.responses(asked).length === 0) {
				expect([asked.id, delivery]).toEqual([asked.id, 'undelivered']);
			}
		}
		expect(this.calls.filter(({ settled }) => !settled)).toEqual([]);
		// A URL elicitation outside calls may stay open indefinitely.
		expect(registry.live.filter(({ state, origin }) => state !== 'opened' || origin.calls.length > 0)).toEqual([]);
		expect(registry.unsent).toEqual([]);
		const tools = this.connection.state === 'running' ? this.server.tools : [];
		expect(this.connection.tools.map(({ name }) => name)).toEqual(tools);
		const stopping = this.world.close();
		await tick(10_000);
		await stopping;
		expect(registry.live).toEqual([]);
		expect(vi.getTimerCount()).toBe(0);
	}
}

const setImmediateReally = setImmediate;

/** Runs all microtasks and immediate callbacks. */
async function settle(): Promise<void> {
	for (let turn = 0; turn < 3; turn++) await new Promise<void>((resolve) => setImmediateReally(resolve));
}

async function tick(ms: number): Promise<void> {
	await vi.advanceTimersByTimeAsync(ms);
	await settle();
}

const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % list.length];

/** Responds to a call, which ends its stream. */
function answerCall({ server }: Run, n: number, answer: object): void {
	const call = server.calls.get(n);
	server.send({ id: call?.id, ...answer }, n);
	call?.stream.end();
}

function finishCall(run: Run, n: number): void {
	answerCall(run, n, { result: { ...(run.server.modern && { resultType: 'complete' }), content: [] } });
}

/** One step; `at` selects the call or elicitation if there are several. */
type Step = (run: Run, at: number) => unknown;

function note(run: Run, asked: Pick<Asked, 'id' | 'how' | 'mode' | 'on' | 'calls'>): void {
	const { life } = run.server;
	const nothing = { cancelled: false, dismissed: false, lost: false, said: undefined };
	run.asked.push({ ...asked, ...nothing, life, state: 'asking' });
}

const paramsOf = (mode: Asked['mode'], id: string) =>
	mode === 'form'
		? { message: id, requestedSchema: { type: 'object', properties: { said: { type: 'string' } } } }
		: { mode, message: id, url: `https://example.com/${id.replace(' ', '-')}`, elicitationId: id };

/** Sends an elicitation during a call, as the revision defines it, or outside calls. */
const ask =
	(mode: Asked['mode'], own = false): Step =>
	(run, at) => {
		const on = own ? undefined : pick(run.running, at);
		const id = `elicitation ${run.asked.length}`;
		const request = { method: 'elicitation/create', params: paramsOf(mode, id) };
		if (run.server.modern && on) {
			answerCall(run, on.n, { result: { resultType: 'input_required', inputRequests: { [id]: request } } });
			note(run, { id, how: 'round', mode, on, calls: [on] });
		} else if ((on || own) && run.server.send({ id, ...request }, on?.n)) {
			note(run, { id, how: 'request', mode, on, calls: on ? [on] : run.running });
		}
	};

/** A user action. */
const act =
	(said: 'accept' | 'decline' | 'cancel'): Step =>
	async (run, at) => {
		const open = run.asked.filter((asked) => run.elicitation(asked)?.undecided);
		const asked = pick(open, at);
		const elicitation = asked && run.elicitation(asked);
		if (!asked || !elicitation) return;
		asked.said = said;
		asked.state = said === 'accept' && asked.mode === 'url' ? 'opened' : 'over';
		if (said !== 'accept') elicitation[said]();
		else if (asked.mode === 'url') elicitation.opened();
		else await run.world.registry.accept(elicitation, { said: asked.id });
	};

const refuse =
	(refusal: Refusal, count = 1): Step =>
	({ server }) =>
		server.refusals.push(...Array.from({ length: count }, () => refusal));

const steps: Record<string, Step> = {
	call: (run) => {
		if (run.running.length > 2 || run.calls.length > 9) return;
		const model: CallModel = {
			...{ n: run.calls.length, abort: new AbortController(), call: undefined },
			...{ settled: false, progress: 0, reported: 0 },
		};
		run.calls.push(model);
		run.connection
			.callTool(
				'act',
				{ n: model.n },
				{
					signal: model.abort.signal,
					onCall: (call) => {
						model.call = call;
					},
					onProgress: () => model.progress++,
				},
			)
			.catch(() => {})
			.finally(() => {
				model.settled = true;
			});
	},
	askForm: ask('form'),
	askUrl: ask('url'),
	requireUrl: (run, at) => {
		const on = pick(run.running, at);
		if (!on || run.server.modern) return;
		const id = `elicitation ${run.asked.length}`;
		const data = { elicitations: [paramsOf('url', id)] };
		answerCall(run, on.n, { error: { code: -32042, message: 'Visit this.', data } });
		note(run, { id, how: 'required', mode: 'url', on, calls: [on] });
	},
	retry: (run, at) => {
		const asked = pick(
			run.asked.filter(({ how, state }) => how === 'required' && state === 'opened'),
			at,
		);
		if (asked && run.elicitation(asked)?.retried()) asked.state = 'over';
	},
	goOn: (run, at) => pick(run.calls, at)?.call?.atRoundLimit?.decide(at % 2 === 0),
	askFormByItself: ask('form', true),
	askUrlByItself: ask('url', true),
	accept: act('accept'),
	decline: act('decline'),
	cancel: act('cancel'),
	sendAgain: (run, at) => pick(run.world.registry.unsent, at)?.delivery?.sendAgain(),
	dismiss: (run, at) => {
		const { delivery, request } = pick(run.world.registry.unsent, at) ?? {};
		const asked = run.asked.find(({ id }) => id === request?.message);
		if (delivery?.canSendAgain && asked) {
			delivery.end();
			asked.dismissed = true;
		}
	},
	cancelCall: (run, at) => pick(run.calls, at)?.abort.abort(new Error('by hand')),
	finishCall: (run, at) => {
		const call = pick(run.running, at);
		if (call) finishCall(run, call.n);
	},
	cancelRequest: (run, at) => {
		const asked = pick(
			run.asked.filter((each) => run.owes(each) && each.life === run.server.life),
			at,
		);
		if (!asked) return;
		const notice = { method: 'notifications/cancelled', params: { requestId: asked.id, reason: 'no longer' } };
		if (run.server.send(notice, asked.on?.n) || run.server.send(notice)) {
			asked.cancelled = true;
			asked.state = 'over';
		}
	},
	complete: (run, at) => {
		const pages = run.asked.filter(
			({ mode, state, life }) => mode === 'url' && state !== 'over' && life === run.server.life,
		);
		const asked = pick(pages, at);
		const notice = { method: 'notifications/elicitation/complete', params: { elicitationId: asked?.id } };
		if (asked && run.server.send(notice)) {
			asked.said ??= 'cancel';
			asked.state = 'over';
		}
	},
	progress: (run, at) => {
		const call = pick(run.running, at);
		const progressToken = call && run.server.calls.get(call.n)?.progressToken;
		if (call && progressToken !== undefined) {
			call.reported++;
			run.server.send({ method: 'notifications/progress', params: { progressToken, progress: call.reported } }, call.n);
		}
	},
	changeList: (run) => {
		const tools = ['act', `tool ${run.asked.length + run.calls.length}`];
		if (run.server.send({ method: 'notifications/tools/list_changed' })) run.server.tools = tools;
	},
	cut: (run, at) => {
		const call = pick(run.running, at);
		if (!call) return;
		for (const asked of run.asked) asked.lost ||= asked.on === call && asked.state !== 'over';
		run.server.calls.get(call.n)?.stream.cut();
	},
	refuse500: refuse({ status: 500 }),
	refuse503: refuse({ status: 503 }, 4),
	refuse429: refuse({ status: 429, wait: 2 }, 2),
	refuse429ForLong: refuse({ status: 429, wait: 600 }),
	breakResponse: refuse({ status: 'broken' }, 2),
	refuse410: refuse({ status: 410 }),
	expire: ({ server }) => server.expire(),
	restart: (run) => {
		for (const asked of run.asked) asked.lost ||= asked.state !== 'over' || run.owes(asked);
		run.server.restart();
	},
	refuseCall: ({ server }) => {
		server.refuseCalls = 1;
	},
	cutOwnStream: ({ server }) => server.own?.cut(),
	stop: (run) => {
		for (const asked of run.asked) asked.lost ||= asked.state !== 'over' || run.owes(asked);
		void run.connection.stop();
	},
	start: (run) => void run.connection.start().catch(() => {}),
	aMoment: (run) => pass(run, 600),
	aWhile: (run) => pass(run, 20_000),
};

/** Checks that a timeout advances with time or is paused. */
async function pass(run: Run, ms: number): Promise<void> {
	const turns = () => run.calls.map(({ call }) => [call?.state, call?.clock.asking].join());
	const times = () => run.calls.map(({ call }) => call?.clock.serverTime ?? 0);
	const [turnsBefore, timesBefore] = [turns(), times()];
	await tick(ms);
	const [turnsAfter, timesAfter] = [turns(), times()];
	for (const [at, turn] of turnsBefore.entries()) {
		if (turn !== turnsAfter[at]) continue;
		const passed = (timesAfter[at] ?? 0) - (timesBefore[at] ?? 0);
		expect([at, turn, passed]).toEqual([at, turn, turn === 'running,false' ? ms : 0]);
	}
}

const weights: Partial<Record<keyof typeof steps, number>> = {
	call: 4,
	askForm: 4,
	askUrl: 3,
	askFormByItself: 2,
	accept: 4,
	aMoment: 2,
};

/** Every script starts with a call. */
const FIRST = ['call', 0] as const;

const script = fc.array(
	fc.tuple(
		fc.oneof(...Object.keys(steps).map((name) => ({ weight: weights[name] ?? 1, arbitrary: fc.constant(name) }))),
		fc.nat(5),
	),
	{ maxLength: 30, size: 'max' },
);

async function play(
	revision: typeof LEGACY | typeof MODERN,
	script: readonly (readonly [string, number])[],
): Promise<void> {
	vi.setSystemTime(0);
	const run = new Run(revision);
	try {
		await run.begin();
		for (const [name, at] of [FIRST, ...script]) {
			await steps[name]?.(run, at);
			await settle();
			run.check();
		}
		await run.finish();
		expect(unheard).toEqual([]);
	} finally {
		// A failed run must not affect the next one.
		const closing = run.world.close();
		await tick(10_000);
		await closing;
		vi.clearAllTimers();
		unheard.length = 0;
	}
}

const unheard: unknown[] = [];
const onUnheard = (reason: unknown) => unheard.push(reason);

beforeAll(() => {
	process.on('unhandledRejection', onUnheard);
	vi.stubGlobal('fetch', (url: string | URL) => wire.server?.authorize(url));
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterAll(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
	process.off('unhandledRejection', onUnheard);
});

it('whatever happens in whichever order, no response is lost and no request is left unanswered (A02, A04, D01, D02, D03)', async () => {
	await fc.assert(fc.asyncProperty(fc.constantFrom(LEGACY, LEGACY, LEGACY, MODERN), script, play), {
		numRuns: runs(5_000),
	});
}, 600_000);
