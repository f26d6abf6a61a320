import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Call, RoundLimit } from '../../../../src/elicitation/call.ts';
import type {
	Elicitation,
	ElicitationOutcome,
	ElicitationState,
	Intake,
} from '../../../../src/elicitation/elicitation.ts';
import { Registry } from '../../../../src/elicitation/registry.ts';
import { localizable } from '../../../../src/elicitation/sentence.ts';
import { runs } from '../../../nightly.ts';

const reason = localizable('Gone.');
const MINUTE = 60_000;
/** Rate limit (requests per minute). Low, so that servers exceed it often. */
const LIMIT = 2;

/** The model of one elicitation. Shares no code with the implementation. */
interface Known {
	readonly mode: 'form' | 'url';
	readonly server: string;
	readonly connection: string;
	readonly elicitationId: string;
	readonly message: string;
	readonly intake: Intake;
	readonly calls: readonly number[];
	state: ElicitationState;
	/** What was sent to the server, at most once. */
	told: ElicitationOutcome['action'] | undefined;
}

interface Declined {
	readonly at: number;
	/** How many calls had begun. */
	readonly calls: number;
	readonly server: string;
	readonly elicitation: string;
}

interface ModelCall {
	running: boolean;
	atRoundLimit: boolean;
	/** It ended on the client's side. */
	takenBack: boolean;
}

class Model {
	readonly known: Known[] = [];
	readonly calls: ModelCall[] = [];
	readonly asked: { at: number; server: string }[] = [];
	readonly declined: Declined[] = [];
	readonly muted = new Map<string, number>();

	/** True if its calls have ended, at least one of them on the client's side (D03). */
	isTakenBack({ intake, calls }: Known): boolean {
		const mine = calls.flatMap((at) => this.calls[at] ?? []);
		const over = mine.length > 0 && mine.every(({ running }) => !running);
		return intake === 'request' && over && mine.some(({ takenBack }) => takenBack);
	}

	/** A server that ignores all limits. */
	admit(known: Known, now: number): void {
		if (this.isTakenBack(known)) {
			known.state = 'cancelled';
			known.told = 'cancel';
			return;
		}
		const recent = <T extends { at: number; server: string }>(list: T[]) =>
			list.filter(({ at, server }) => server === known.server && now - at < MINUTE);
		const repeated = recent(this.declined).some(
			({ calls, elicitation }) => elicitation === elicitationOf(known) && known.calls.every((at) => at < calls),
		);
		if (!repeated && recent(this.asked).length < LIMIT) {
			this.asked.push({ at: now, server: known.server });
			known.state = 'asking';
			return;
		}
		const muted = this.muted.get(known.server);
		if (muted !== undefined && now - muted < MINUTE) {
			this.muted.set(known.server, now);
			known.state = 'declined';
			known.told = 'decline';
			return;
		}
		known.state = 'held';
	}
}

class Real {
	readonly registry = new Registry(
		// The schema allows odd numbers.
		{
			validate: async (_schema, content) =>
				Number((content as { n: number }).n) % 2 === 1 ? { status: 'valid' } : { status: 'invalid', violations: [] },
		},
		() => LIMIT,
	);
	readonly elicitations: Elicitation[] = [];
	readonly calls: Call[] = [];
	readonly roundLimits: (RoundLimit | undefined)[] = [];
	readonly replies = new Map<Elicitation, ElicitationOutcome[]>();
	readonly changes: [Elicitation, ElicitationState][] = [];
	/** How often each was shown to the user. */
	readonly shown = new Map<Elicitation, number>();

	constructor() {
		this.registry.onDidChange(({ elicitation, state }) => this.changes.push([elicitation, state]));
		this.registry.onDidAsk((each) => this.shown.set(each, (this.shown.get(each) ?? 0) + 1));
	}
}

const elicitationOf = ({ mode, message }: Known) => `${mode} ${message}`;
const UNDECIDED = ['held', 'asking'] as const;
const LIVE = ['held', 'asking', 'opened'] as const;
const isLive = ({ state }: Known) => (LIVE as readonly ElicitationState[]).includes(state);

/**
 * Whether the calls that may have caused it wait for the user. An opened URL elicitation pauses only a call that
 * certainly caused it.
 */
const holds = ({ state, calls }: Known) =>
	(UNDECIDED as readonly ElicitationState[]).includes(state) || (state === 'opened' && calls.length === 1);

/** Opened URL elicitations of calls that have all ended are withdrawn. */
function leave(model: Model, known: Known): void {
	if (known.calls.length > 0 && known.calls.every((at) => !model.calls[at]?.running)) {
		move(known, ['opened'], 'withdrawn');
	}
}

/** Changes the state if the current one is in `from`. The first reply counts. */
function move(
	known: Known,
	from: readonly ElicitationState[],
	to: ElicitationState,
	told?: ElicitationOutcome['action'],
): boolean {
	if (!from.includes(known.state)) return false;
	known.state = to;
	known.told ??= told;
	return true;
}

function decline(model: Model, known: Known): void {
	if (move(known, UNDECIDED, 'declined', 'decline')) {
		model.declined.push({
			at: performance.now(),
			calls: model.calls.length,
			server: known.server,
			elicitation: elicitationOf(known),
		});
	}
}

type Deed = (known: Known, real: Elicitation, model: Model, registry: Registry, number: number) => unknown;

const deeds: Record<string, Deed> = {
	accept: (known, real, _model, registry, n) => {
		if (known.mode === 'url') {
			return expect(registry.accept(real, { n })).rejects.toThrow(TypeError);
		}
		if (n % 2 === 1) move(known, UNDECIDED, 'accepted', 'accept');
		return registry.accept(real, { n });
	},
	decline: (known, real, model) => {
		decline(model, known);
		return real.decline();
	},
	cancel: (known, real) => {
		move(known, UNDECIDED, 'cancelled', 'cancel');
		return real.cancel();
	},
	release: (known, real) => {
		move(known, ['held'], 'asking');
		return real.release();
	},
	opened: (known, real, model) => {
		if (known.mode === 'url' && move(known, UNDECIDED, 'opened', 'accept')) leave(model, known);
		return real.opened();
	},
	retried: (known, real) => {
		move(known, ['opened'], 'retried');
		return real.retried();
	},
	giveUp: (known, real) => {
		move(known, ['opened'], 'givenUp');
		return real.giveUp();
	},
	withdraw: (known, real) => {
		move(known, LIVE, 'withdrawn', 'withdrawn');
		return real.withdraw(reason);
	},
};

class Command implements fc.AsyncCommand<Model, Real> {
	constructor(
		private readonly name: string,
		private readonly effect: (model: Model, real: Real) => unknown,
	) {}

	check(): boolean {
		return true;
	}

	async run(model: Model, real: Real): Promise<void> {
		vi.advanceTimersByTime(1);
		const before = model.known.map(({ state }) => state);
		real.changes.length = 0;
		await this.effect(model, real);
		// Replies are promises: wait for them.
		await Promise.resolve();
		expect(real.elicitations.map(({ state }) => state)).toEqual(model.known.map(({ state }) => state));
		expect(real.registry.live).toEqual(real.elicitations.filter((_, index) => isLive(model.known[index] as Known)));
		expect(real.elicitations.map((each) => real.replies.get(each)?.map(({ action }) => action))).toEqual(
			model.known.map(({ told }) => (told === undefined ? [] : [told])),
		);
		expect(Math.max(0, ...real.shown.values())).toBeLessThanOrEqual(1);
		const moved = real.elicitations.filter((_, index) => before[index] && before[index] !== model.known[index]?.state);
		const heard = new Set(real.changes.map(([each]) => each));
		expect(moved.filter((each) => !heard.has(each))).toEqual([]);
		// An opened URL elicitation that ends at once fires both changes.
		expect(real.changes.filter(([each, state]) => each.state === state)).toHaveLength(heard.size);
		real.calls.forEach((call, index) => {
			const known = model.calls[index] as ModelCall;
			const asked = model.known.some((each) => each.calls.includes(index) && holds(each));
			expect([call.state === 'running', call.atRoundLimit !== undefined]).toEqual([known.running, known.atRoundLimit]);
			expect(call.clock.asking).toBe(asked || known.atRoundLimit);
		});
	}

	toString(): string {
		return this.name;
	}
}

const index = fc.nat(30);
const server = fc.constantFrom('s1', 's2');
const connection = fc.constantFrom('c1', 'c2');
const elicitationId = fc.constantFrom('a', 'b');
const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % list.length];

const add = fc
	.record({
		mode: fc.constantFrom('form', 'url'),
		server,
		connection,
		elicitationId,
		message: fc.constantFrom('A', 'B'),
		intake: fc.constantFrom<Intake>('request', 'inputRequired', 'urlRequired'),
		calls: fc.uniqueArray(fc.nat(3), { maxLength: 2 }),
		policy: fc.constantFrom('ask', 'ask', 'ask', 'decline', 'complete'),
	} as const)
	.map(
		(each) =>
			new Command(`add(${JSON.stringify(each)})`, (model, real) => {
				const calls = each.calls.filter((at) => model.calls[at]?.running);
				const known: Known = { ...each, calls, state: 'declined', told: undefined };
				if (each.policy === 'complete' && each.mode === 'url') {
					known.state = 'completed';
					known.told = 'cancel';
				} else if (each.policy === 'decline') known.told = 'decline';
				else model.admit(known, performance.now());
				const elicitation = real.registry.add(
					each.mode === 'form'
						? { mode: 'form', message: each.message, requestedSchema: {} }
						: { mode: 'url', message: each.message, url: 'https://example.com/', elicitationId: each.elicitationId },
					{
						server: each.server,
						connection: each.connection,
						intake: each.intake,
						revision: '2025-11-25',
						calls: calls.map((at) => real.calls[at] as Call),
						params: null,
					},
					each.mode === 'form' && each.policy === 'complete' ? 'ask' : each.policy,
				);
				model.known.push(known);
				real.elicitations.push(elicitation);
				expect(real.shown.get(elicitation) === 1).toBe(known.state === 'asking');
				const replies: ElicitationOutcome[] = [];
				real.replies.set(elicitation, replies);
				void elicitation.outcome.then((reply) => replies.push(reply));
			}),
	);

const act = fc.tuple(fc.constantFrom(...Object.keys(deeds)), index, fc.nat(9)).map(
	([name, at, number]) =>
		new Command(`${name}(${at}, ${number})`, (model, real) => {
			const known = pick(model.known, at);
			const elicitation = pick(real.elicitations, at);
			return known && elicitation && deeds[name]?.(known, elicitation, model, real.registry, number);
		}),
);

const complete = fc.tuple(connection, elicitationId).map(
	([from, id]) =>
		new Command(`complete(${from}, ${id})`, (model, real) => {
			const meant = model.known.filter(
				(known) => known.mode === 'url' && known.connection === from && known.elicitationId === id && isLive(known),
			);
			for (const known of meant) move(known, LIVE, 'completed', 'cancel');
			expect(real.registry.complete(from, id)).toBe(meant.length > 0);
		}),
);

const loseConnection = connection.map(
	(lost) =>
		new Command(`lose(${lost})`, (model, real) => {
			for (const known of model.known) {
				if (known.connection === lost) move(known, LIVE, 'withdrawn', 'withdrawn');
			}
			real.registry.withdraw(({ origin }) => origin.connection === lost, reason);
		}),
);

const beginCall = fc.constant(
	new Command('beginCall()', (model, real) => {
		model.calls.push({ running: true, atRoundLimit: false, takenBack: false });
		real.calls.push(real.registry.beginCall('s1', 'tool', 't', {}));
		real.roundLimits.push(undefined);
	}),
);

const endCall = fc.tuple(index, fc.constantFrom('succeeded', 'failed', 'cancelled')).map(
	([at, end]) =>
		new Command(`endCall(${at}, ${end})`, (model, real) => {
			if (model.calls.length === 0) return;
			const which = at % model.calls.length;
			const call = model.calls[which] as ModelCall;
			call.takenBack ||= call.running && end === 'cancelled';
			call.running = false;
			call.atRoundLimit = false;
			for (const known of model.known) {
				const mine = known.calls.length === 1 && known.calls[0] === which;
				if (model.isTakenBack(known)) {
					move(known, UNDECIDED, 'cancelled', 'cancel') || move(known, LIVE, 'withdrawn', 'withdrawn');
				} else if (mine && known.intake !== 'request') {
					move(known, LIVE, 'withdrawn', 'withdrawn');
				}
				leave(model, known);
			}
			real.registry.endCall(real.calls[which] as Call, end, undefined);
		}),
);

const roundLimit = index.map(
	(at) =>
		new Command(`halt(${at})`, (model, real) => {
			if (model.calls.length === 0) return;
			const which = at % model.calls.length;
			const call = model.calls[which] as ModelCall;
			if (!call.running || call.atRoundLimit) return;
			call.atRoundLimit = true;
			void real.registry.roundLimit(real.calls[which] as Call, reason);
			real.roundLimits[which] = real.calls[which]?.atRoundLimit;
		}),
);

const decide = fc.tuple(index, fc.boolean()).map(
	([at, goOn]) =>
		new Command(`decide(${at}, ${goOn})`, async (model, real) => {
			const known = pick(model.calls, at);
			const decided = pick(real.roundLimits, at);
			if (!known || !decided) return;
			const open = known.atRoundLimit;
			known.atRoundLimit = false;
			decided.decide(goOn);
			if (open) expect(await decided.decided).toBe(goOn);
		}),
);

const heldRequests = fc.tuple(fc.constantFrom('review', 'declineHeld'), server).map(
	([name, of]) =>
		new Command(`${name}(${of})`, (model, real) => {
			const held = model.known.filter((known) => known.server === of && known.state === 'held');
			expect(real.registry.heldRequests(of)?.held ?? 0).toBe(held.length);
			if (name === 'review') {
				for (const known of held) move(known, ['held'], 'asking');
				model.muted.delete(of);
				real.registry.review(of);
			} else {
				for (const known of held) decline(model, known);
				model.muted.set(of, performance.now());
				real.registry.declineHeld(of);
			}
		}),
);

const wait = fc.constantFrom(20_000, 41_000, MINUTE).map(
	(ms) =>
		new Command(`wait(${ms})`, () => {
			vi.advanceTimersByTime(ms);
		}),
);

beforeAll(() => {
	vi.useFakeTimers({ toFake: ['Date', 'performance'] });
});
afterAll(() => {
	vi.useRealTimers();
});

it('whatever happens in whichever order, every elicitation gets exactly one response or none (A01, A02)', async () => {
	const commands = [
		add,
		add,
		add,
		act,
		act,
		act,
		complete,
		loseConnection,
		beginCall,
		endCall,
		roundLimit,
		decide,
		heldRequests,
		wait,
	];
	await fc.assert(
		fc.asyncProperty(fc.commands(commands, { maxCommands: 50, size: 'max' }), async (drawn) => {
			const real = new Real();
			const model = new Model();
			await fc.asyncModelRun(() => ({ model, real }), drawn);
			// Finally, every connection is lost and nothing is left.
			for (const lost of ['c1', 'c2']) real.registry.withdraw(({ origin }) => origin.connection === lost, reason);
			expect(real.registry.live).toEqual([]);
			for (const call of real.calls) {
				real.registry.endCall(call, 'failed', undefined);
				expect(call.clock.asking).toBe(false);
			}
			real.registry.forgetEnded();
			expect([real.registry.elicitations, real.registry.calls]).toEqual([[], []]);
		}),
		{ numRuns: runs(5_000, 250) },
	);
});
