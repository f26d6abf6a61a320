import { expect, it, onTestFinished, vi } from 'vitest';
import { RateLimitPrompt } from '../../../../src/editor/elicitations/decisions/rateLimitPrompt.ts';
import { showRoundLimitPrompt } from '../../../../src/editor/elicitations/decisions/roundLimitPrompt.ts';
import { registerUndelivered } from '../../../../src/editor/elicitations/decisions/undelivered.ts';
import type { Intake } from '../../../../src/elicitation/elicitation.ts';
import { localizable } from '../../../../src/elicitation/sentence.ts';
import { World } from '../../elicitation/world.ts';
import { messages, textsOf } from '../surfaces.ts';

/** Each notification waits until the test chooses one of its buttons. */
const shown = messages();

/** A server that has asked once and is held back twice, which the editor shows. */
function flooded() {
	const world = new World(1);
	const elicitations = world.forms(3, { calls: [world.call()] });
	const stopped: string[] = [];
	const prompt = new RateLimitPrompt(world.registry, async (server) => void stopped.push(server));
	onTestFinished(() => prompt.dispose());
	const states = () => elicitations.map(({ state }) => state);
	expect(states()).toEqual(['asking', 'held', 'held']);
	return { elicitations, states, stopped, decided: prompt.ask('s') };
}

it.each([
	['Review', ['asking', 'asking', 'asking'], []],
	['Decline All from This Server', ['declined', 'declined', 'declined'], []],
	['Stop Server', ['asking', 'held', 'held'], ['s']],
	[undefined, ['asking', 'held', 'held'], []],
])('the choice %j does what it says with what is held back (A01)', async (choice, expected, servers) => {
	const { states, stopped, decided } = flooded();
	shown[0]?.choose(choice);
	await decided;
	expect([states(), stopped, shown.length]).toEqual([expected, servers, 1]);
});

it('a review that comes when nothing is held back any more says so', async () => {
	const { elicitations, decided } = flooded();
	for (const elicitation of elicitations) elicitation.cancel();
	shown[0]?.choose('Review');
	await decided;
	expect(textsOf(shown).slice(1)).toEqual([expect.stringContaining('Nothing is held back any more.')]);
});

/** A call at the round limit, which the editor shows. */
function halted() {
	const call = new World().call();
	const limit = call.roundLimit(localizable('Too many rounds.'));
	return { call, limit, decided: showRoundLimitPrompt(limit) };
}

it.each([
	['Continue', true],
	['Stop', false],
])('%s is the decision on the call (R07)', async (choice, goesOn) => {
	const { call, limit, decided } = halted();
	shown[0]?.choose(choice);
	await decided;
	expect(await limit.decided).toBe(goesOn);
	expect(call.atRoundLimit).toBeUndefined();
});

it('a notification that is dismissed decides nothing: the call still waits (R07)', async () => {
	const { call, limit, decided } = halted();
	shown[0]?.choose();
	await decided;
	expect([call.atRoundLimit, shown.length]).toEqual([limit, 1]);
});

it('a choice that comes after another decision is not taken for the next one (R07)', async () => {
	const { call, limit, decided } = halted();
	limit.decide(true);
	const next = call.roundLimit(localizable('Still too many rounds.'));
	shown[0]?.choose('Stop');
	await decided;
	expect(call.atRoundLimit).toBe(next);
	expect(textsOf(shown).slice(1)).toEqual([expect.stringContaining('is no longer waiting for your decision.')]);
});

it.each<[string, Intake, tellsDelivery: boolean, isTold: boolean]>([
	['to a request', 'request', true, true],
	['to a task', 'inputRequired', true, true],
	// The error of the call tells it.
	['with a retry of its call', 'inputRequired', false, false],
])(
	'a response that could not be delivered %s is told to the user, unless something else tells it (D01)',
	async (_where, intake, tellsDelivery, isTold) => {
		vi.useFakeTimers();
		onTestFinished(() => void vi.useRealTimers());
		const { registry } = new World();
		registerUndelivered(registry);
		const origin = { server: 'weather', connection: 'c', revision: '2026-07-28', calls: [], params: null, intake };
		const request = { mode: 'form', message: 'Name?', requestedSchema: {} } as const;
		const elicitation = registry.add(request, { ...origin, tellsDelivery });
		elicitation.decline();
		void elicitation.send().offer(localizable('The server is busy.'));
		await vi.runAllTimersAsync();
		const text = expect.stringContaining('"Name?" could not be delivered. The server is busy.');
		expect(shown).toMatchObject(isTold ? [{ text, buttons: ['Send Again', 'Show Timeline'] }] : []);
	},
);
