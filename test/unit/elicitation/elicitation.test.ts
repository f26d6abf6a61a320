import { describe, expect, it, vi } from 'vitest';
import {
	Elicitation,
	type ElicitationResponse,
	type ElicitationState,
	type Origin,
} from '../../../src/elicitation/elicitation.ts';
import type { ElicitationRequest, FormRequest, UrlRequest } from '../../../src/elicitation/request.ts';
import { localizable } from '../../../src/elicitation/sentence.ts';

const form: FormRequest = { mode: 'form', message: 'Your name?', requestedSchema: { type: 'object' } };
const url: UrlRequest = { mode: 'url', message: 'Sign in.', url: 'https://example.com/', elicitationId: '1' };
const origin: Origin = {
	server: 'weather',
	connection: 'c1',
	intake: 'request',
	revision: '2025-11-25',
	calls: [],
	params: null,
};
const gone = localizable('The server is gone.');

function ask(request: ElicitationRequest) {
	const changed = vi.fn();
	return { elicitation: new Elicitation('e1', request, origin, changed), changed };
}

/** All actions on an elicitation. */
const deeds = {
	accept: (each: Elicitation) => each.accept({ name: 'Ada' }),
	decline: (each: Elicitation) => each.decline(),
	cancel: (each: Elicitation) => each.cancel(),
	opened: (each: Elicitation) => each.opened(),
	complete: (each: Elicitation) => each.complete(),
	retried: (each: Elicitation) => each.retried(),
	giveUp: (each: Elicitation) => each.giveUp(),
	withdraw: (each: Elicitation) => each.withdraw(gone),
} as const;
type Deed = keyof typeof deeds;
const names = Object.keys(deeds) as Deed[];

/** The state machine: the state that each action leads to. Actions that are not listed have no effect. */
const machine: Record<'form' | 'url', Partial<Record<ElicitationState, Partial<Record<Deed, ElicitationState>>>>> = {
	form: {
		asking: { accept: 'accepted', decline: 'declined', cancel: 'cancelled', withdraw: 'withdrawn' },
	},
	url: {
		asking: {
			decline: 'declined',
			cancel: 'cancelled',
			opened: 'opened',
			complete: 'completed',
			withdraw: 'withdrawn',
		},
		opened: { complete: 'completed', retried: 'retried', giveUp: 'givenUp', withdraw: 'withdrawn' },
	},
};

/** The response that each settling action sends. */
const told: Record<string, ElicitationResponse> = {
	accept: { action: 'accept', content: { name: 'Ada' } },
	decline: { action: 'decline' },
	cancel: { action: 'cancel' },
	opened: { action: 'accept' },
	complete: { action: 'cancel' },
};

const ways = [
	...names.map((first) => ['form', form, first] as const),
	...names.map((first) => ['url', url, first] as const),
];

describe.each(ways)('an elicitation in %s mode (A02, U08, fault 5, fault 25)', (mode, request, first) => {
	const next = machine[mode].asking?.[first];

	it(`${first} while asking ${next === undefined ? 'changes nothing' : `makes it ${next}`}`, async () => {
		const { elicitation, changed } = ask(request);
		expect(deeds[first](elicitation)).toBe(next !== undefined);
		expect(elicitation.state).toBe(next ?? 'asking');
		expect(changed).toHaveBeenCalledTimes(next === undefined ? 0 : 1);
		expect(elicitation.live).toBe(next === undefined || next === 'opened');
		if (next === 'withdrawn') {
			expect(await elicitation.outcome).toEqual({ action: 'withdrawn', reason: gone });
			expect([elicitation.response, elicitation.withdrawal]).toEqual([undefined, gone]);
		} else if (next !== undefined) {
			expect(await elicitation.outcome).toStrictEqual(told[first]);
			expect(elicitation.response).toStrictEqual(told[first]);
		}
	});

	it.each(names)(`after ${first}, %s does what the machine says and nothing else`, async (second) => {
		const { elicitation, changed } = ask(request);
		deeds[first](elicitation);
		const between = elicitation.state;
		const calls = changed.mock.calls.length;
		const expected = machine[mode][between]?.[second];
		expect(deeds[second](elicitation)).toBe(expected !== undefined);
		expect(elicitation.state).toBe(expected ?? between);
		expect(changed.mock.calls.length - calls).toBe(expected === undefined ? 0 : 1);
		if (!elicitation.live) expect(await elicitation.ended).toBe(elicitation.state);
		// It gets exactly one response: that of the first that settles it. Nothing is sent once it was withdrawn.
		const settled = [first, second].find((deed, at) => machine[mode][at === 0 ? 'asking' : between]?.[deed]);
		expect(elicitation.response).toStrictEqual(settled && told[settled]);
		if (settled) {
			const outcome = told[settled] ?? { action: 'withdrawn', reason: gone };
			expect(await elicitation.outcome).toStrictEqual(outcome);
		}
	});
});
