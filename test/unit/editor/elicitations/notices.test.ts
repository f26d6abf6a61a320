import { expect, it, onTestFinished, vi } from 'vitest';
import { RateLimitPrompt, showRoundLimitPrompt } from '../../../../src/editor/elicitations/notices/limitPrompts.ts';
import { registerUndelivered } from '../../../../src/editor/elicitations/notices/undelivered.ts';
import type { Intake } from '../../../../src/elicitation/elicitation.ts';
import { localizable } from '../../../../src/elicitation/sentence.ts';
import { first, World } from '../../elicitation/world.ts';
import { messages, notices, settled, textsOf } from '../surfaces.ts';

/** Each notification waits until the test chooses one of its buttons. */
const shown = messages();
const told = notices();

/** A server that has asked once and is held back twice, which the editor shows. */
function flooded() {
	const world = new World(1);
	const elicitations = world.forms(3, { calls: [world.call()] });
	const stopped: string[] = [];
	const prompt = new RateLimitPrompt(world.registry, async (server) => void stopped.push(server));
	onTestFinished(() => prompt.dispose());
	const states = () => elicitations.map(({ state }) => state);
	expect(states()).toEqual(['asking', 'held', 'held']);
	prompt.ask('s');
	return { elicitations, states, stopped, prompt };
}

it.each([
	['Review', ['asking', 'asking', 'asking'], []],
	['Decline All from This Server', ['declined', 'declined', 'declined'], []],
	['Stop Server', ['asking', 'held', 'held'], ['s']],
])('the choice %j does what it says with what is held back (A01)', async (choice, expected, servers) => {
	const { states, stopped } = flooded();
	await told[0]?.press(choice);
	expect([states(), stopped, shown]).toEqual([expected, servers, []]);
});

it('the notice of what is held back goes with the last of it, and a click that comes after that says so', async () => {
	const { elicitations } = flooded();
	elicitations[1]?.cancel();
	expect(told[0]?.isOpen).toBe(true);
	elicitations[2]?.cancel();
	await settled();
	expect(told[0]?.isOpen).toBe(false);
	await told[0]?.press('Review');
	expect(textsOf(shown)).toEqual(['This is over already; nothing was done.']);
});

/** A call at the round limit, which the editor shows. */
function halted() {
	const call = new World().call();
	const limit = call.roundLimit(localizable('Too many rounds.'));
	showRoundLimitPrompt(limit);
	return { call, limit };
}

it.each([
	['Continue', true],
	['Stop', false],
])('%s is the decision on the call (R07)', async (choice, goesOn) => {
	const { call, limit } = halted();
	await told[0]?.press(choice);
	expect(await limit.decided).toBe(goesOn);
	expect(call.atRoundLimit).toBeUndefined();
});

it('a notice that is put off decides nothing: the call still waits (R07)', async () => {
	const { call, limit } = halted();
	told[0]?.cancel();
	await settled();
	expect(told[0]?.isOpen).toBe(false);
	expect([call.atRoundLimit, shown]).toEqual([limit, []]);
});

it('the notice of a call goes with the decision, and a choice that comes later is not taken for the next one (R07)', async () => {
	const { call, limit } = halted();
	limit.decide(true);
	const next = call.roundLimit(localizable('Still too many rounds.'));
	await settled();
	expect(told[0]?.isOpen).toBe(false);
	await told[0]?.press('Stop');
	expect(call.atRoundLimit).toBe(next);
	expect(textsOf(shown)).toEqual(['This is over already; nothing was done.']);
});

/** An elicitation whose response was refused by a busy server, as the user is told. */
async function undelivered(intake: Intake = 'request', tellsDelivery = true) {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const world = new World();
	registerUndelivered(world.registry);
	const elicitation = world.add(
		{ mode: 'form', message: 'Name?', requestedSchema: {} },
		{ server: 'weather', intake, tellsDelivery, calls: [world.call()] },
	);
	elicitation.decline();
	const delivery = elicitation.send();
	void delivery.offer(localizable('The server is busy.'));
	await vi.runAllTimersAsync();
	return { world, elicitation, delivery };
}

it.each<[string, Intake, tellsDelivery: boolean, isTold: boolean]>([
	['to a request', 'request', true, true],
	['to a task', 'inputRequired', true, true],
	// The error of the call tells it.
	['with a retry of its call', 'inputRequired', false, false],
])(
	'a response that could not be delivered %s is told to the user, unless something else tells it (D01)',
	async (_where, intake, tellsDelivery, isTold) => {
		await undelivered(intake, tellsDelivery);
		const text = expect.stringContaining('"Name?" could not be delivered. The server is busy.');
		expect(told).toMatchObject(isTold ? [{ text, actions: ['Send Again', 'Show Timeline'] }] : []);
	},
);

it.each<[string, (on: Awaited<ReturnType<typeof undelivered>>) => unknown]>([
	['it is sent again, from wherever', ({ delivery }) => delivery.sendAgain()],
	['the server has it after all', ({ delivery }) => delivery.delivered()],
	['the user dismisses it', ({ delivery }) => delivery.end()],
	['its call ends', ({ world, elicitation }) => world.registry.endCall(first(elicitation.origin.calls), 'failed', '')],
	['its connection ends', ({ world }) => world.registry.endDeliveries('c', localizable('The server has exited.'))],
])('the notice of a response that could not be delivered goes when %s (D01)', async (_when, end) => {
	const on = await undelivered();
	expect(told.map(({ isOpen }) => isOpen)).toEqual([true]);
	end(on);
	await vi.runAllTimersAsync();
	expect([told.map(({ isOpen }) => isOpen), shown]).toEqual([[false], []]);
	await told[0]?.press('Send Again');
	expect(textsOf(shown)).toEqual(['This is over already; nothing was done.']);
});
