import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Call } from '../../../src/elicitation/call.ts';
import type { Elicitation, ElicitationState, Intake, Reply } from '../../../src/elicitation/elicitation.ts';
import { Registry } from '../../../src/elicitation/registry.ts';
import { say } from '../../../src/elicitation/sentence.ts';

const reason = say('Gone.');

/** What is known of one elicitation: a few words, no code shared with the real one. */
interface Known {
	readonly mode: 'form' | 'url';
	readonly connection: string;
	readonly elicitationId: string;
	readonly intake: Intake;
	readonly calls: readonly number[];
	state: ElicitationState;
	/** What the server was told, and nothing twice. */
	told: Reply['action'] | undefined;
}

interface Model {
	readonly known: Known[];
	readonly calls: boolean[];
}

class Real {
	#last = 0;
	readonly registry = new Registry(
		// Odd numbers are what this schema allows.
		{
			validate: async (_schema, content) =>
				Number((content as { n: number }).n) % 2 === 1 ? { status: 'valid' } : { status: 'invalid', violations: [] },
		},
		() => `id-${++this.#last}`,
	);
	readonly elicitations: Elicitation[] = [];
	readonly calls: Call[] = [];
	readonly replies = new Map<Elicitation, Reply[]>();
	readonly changes: [Elicitation, ElicitationState][] = [];

	constructor() {
		this.registry.onDidChange(({ elicitation, state }) => this.changes.push([elicitation, state]));
	}
}

const isLive = ({ state }: Known) => state === 'asking' || state === 'opened';

/** Moves a known one on if it is in one of the states; tells the server only when it had not been told. */
function move(known: Known, from: readonly ElicitationState[], to: ElicitationState, told?: Reply['action']): void {
	if (from.includes(known.state)) {
		known.state = to;
		known.told ??= told;
	}
}

const LIVE = ['asking', 'opened'] as const;

type Deed = (known: Known, real: Elicitation, registry: Registry, number: number) => unknown;

const deeds: Record<string, Deed> = {
	accept: (known, real, registry, n) => {
		if (known.mode === 'url') {
			return expect(registry.accept(real, { n })).rejects.toThrow(TypeError);
		}
		if (n % 2 === 1) move(known, ['asking'], 'accepted', 'accept');
		return registry.accept(real, { n });
	},
	decline: (known, real) => {
		move(known, ['asking'], 'declined', 'decline');
		return real.decline();
	},
	cancel: (known, real) => {
		move(known, ['asking'], 'cancelled', 'cancel');
		return real.cancel();
	},
	opened: (known, real) => {
		if (known.mode === 'url') move(known, ['asking'], 'opened', 'accept');
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
		const before = model.known.map(({ state }) => state);
		real.changes.length = 0;
		await this.effect(model, real);
		// A reply travels as a promise: let it arrive.
		await Promise.resolve();
		expect(real.elicitations.map(({ state }) => state)).toEqual(model.known.map(({ state }) => state));
		expect(real.registry.live).toEqual(real.elicitations.filter((_, index) => isLive(model.known[index] as Known)));
		expect(real.elicitations.map((each) => real.replies.get(each)?.map(({ action }) => action))).toEqual(
			model.known.map(({ told }) => (told === undefined ? [] : [told])),
		);
		const moved = real.elicitations.filter((_, index) => before[index] !== model.known[index]?.state);
		const heard = new Set(real.changes.map(([each]) => each));
		expect(moved.filter((each) => each.state !== 'asking' && !heard.has(each))).toEqual([]);
		expect(real.changes).toHaveLength(heard.size);
		real.calls.forEach((call, index) => {
			const asked = model.known.some((known) => known.calls.includes(index) && isLive(known));
			expect([call.state === 'running', call.clock.asking]).toEqual([model.calls[index], asked]);
		});
	}

	toString(): string {
		return this.name;
	}
}

const index = fc.nat(30);
const connection = fc.constantFrom('c1', 'c2');
const elicitationId = fc.constantFrom('a', 'b');
const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % list.length];

const add = fc
	.record({
		mode: fc.constantFrom('form', 'url'),
		connection,
		elicitationId,
		intake: fc.constantFrom<Intake>('request', 'inputRequired', 'urlRequired'),
		calls: fc.uniqueArray(fc.nat(3), { maxLength: 2 }),
		policy: fc.constantFrom('ask', 'ask', 'ask', 'decline'),
	} as const)
	.map(
		(each) =>
			new Command(`add(${JSON.stringify(each)})`, (model, real) => {
				const calls = each.calls.filter((at) => model.calls[at] === true);
				const elicitation = real.registry.add(
					each.mode === 'form'
						? { mode: 'form', message: 'A', requestedSchema: {} }
						: { mode: 'url', message: 'A', url: 'https://example.com/', elicitationId: each.elicitationId },
					{
						server: 's',
						connection: each.connection,
						intake: each.intake,
						revision: '2025-11-25',
						calls: calls.map((at) => real.calls[at] as Call),
						params: null,
					},
					each.policy,
				);
				const known: Known = { ...each, calls, state: 'asking', told: undefined };
				if (each.policy === 'decline') move(known, ['asking'], 'declined', 'decline');
				model.known.push(known);
				real.elicitations.push(elicitation);
				const replies: Reply[] = [];
				real.replies.set(elicitation, replies);
				void elicitation.reply.then((reply) => replies.push(reply));
			}),
	);

const act = fc.tuple(fc.constantFrom(...Object.keys(deeds)), index, fc.nat(9)).map(
	([name, at, number]) =>
		new Command(`${name}(${at}, ${number})`, (model, real) => {
			const known = pick(model.known, at);
			const elicitation = pick(real.elicitations, at);
			return known && elicitation && deeds[name]?.(known, elicitation, real.registry, number);
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
		model.calls.push(true);
		real.calls.push(real.registry.beginCall('s', 'tool', 't', {}));
	}),
);

const endCall = fc.tuple(index, fc.constantFrom('succeeded', 'failed', 'cancelled')).map(
	([at, end]) =>
		new Command(`endCall(${at}, ${end})`, (model, real) => {
			if (model.calls.length === 0) return;
			const which = at % model.calls.length;
			model.calls[which] = false;
			for (const known of model.known) {
				const mine = known.calls.length === 1 && known.calls[0] === which;
				if (mine && (end === 'cancelled' || known.intake !== 'request')) move(known, LIVE, 'withdrawn', 'withdrawn');
			}
			real.registry.endCall(real.calls[which] as Call, end, undefined);
		}),
);

it('whatever happens in whichever order, every question is answered exactly once or not at all', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.commands([add, add, act, act, act, complete, loseConnection, beginCall, endCall], { maxCommands: 40 }),
			async (commands) => {
				const real = new Real();
				await fc.asyncModelRun(() => ({ model: { known: [], calls: [] } as Model, real }), commands);
				for (const call of real.calls) call.clock.stop();
			},
		),
		{ numRuns: 400 },
	);
});
