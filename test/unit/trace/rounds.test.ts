import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Call } from '../../../src/elicitation/call.ts';
import { roundsOf } from '../../../src/trace/rounds.ts';
import { World } from '../elicitation/world.ts';
import { maskedLog } from '../privacy/maskedLog.ts';

/** A running call. Each step happens a moment after the previous one. */
function onItsWay(limit = 1_000) {
	vi.useFakeTimers({ toFake: ['Date'] });
	const world = new World();
	const trace = maskedLog(() => limit);
	const call: Call = world.call();
	const add = (direction: 'sent' | 'received', message: object) => {
		vi.setSystemTime(Date.now() + 1);
		trace.add({ server: 's', direction, message, call });
	};
	let id = 0;
	const send = (method = 'tools/call') => {
		call.rounds++;
		add('sent', { id: ++id, method });
	};
	const answer = () => add('received', { id, result: { resultType: 'input_required' } });
	const outline = () =>
		roundsOf(call, trace.entries, world.registry.elicitations).map(({ number, entries, elicitations }) => [
			number,
			entries.length,
			elicitations.map(({ request }) => request.message).join(),
		]);
	return { world, call, add, send, answer, outline };
}

afterEach(() => void vi.useRealTimers());

describe('the rounds of a call', () => {
	it.each(['tools/call', 'prompts/get', 'resources/read'])('begin with each %s that goes out', (method) => {
		const { send, answer, outline } = onItsWay();
		send(method);
		answer();
		send(method);
		answer();
		expect(outline()).toEqual([
			[1, 2, ''],
			[2, 2, ''],
		]);
	});

	it('contain their elicitations, including the retry of a URL elicitation', () => {
		const { world, call, send, answer, outline } = onItsWay();
		send();
		answer();
		world.together(call, 'inputRequired', 'A', 'B');
		send();
		answer();
		world.together(call, 'inputRequired', 'C');
		send();
		expect(outline()).toEqual([
			[1, 2, 'A,B'],
			[2, 2, 'C'],
			[3, 1, ''],
		]);
	});

	it("have a server's own requests by their time", () => {
		const { world, call, add, send, answer, outline } = onItsWay();
		send();
		world.form('In the first', { calls: [call] });
		answer();
		send();
		add('received', { id: 'q', method: 'elicitation/create' });
		world.form('In the second', { calls: [call] });
		add('sent', { id: 'q', result: {} });
		add('sent', { method: 'notifications/progress' });
		expect(outline()).toEqual([
			[1, 2, 'In the first'],
			[2, 4, 'In the second'],
		]);
	});

	it('are counted from the last where the trace has lost the first messages', () => {
		const { world, call, send, answer, outline } = onItsWay(3);
		for (let round = 1; round <= 5; round++) {
			send();
			answer();
			world.together(call, 'inputRequired', `Q${round}`);
		}
		expect(outline()).toEqual([
			[1, 0, 'Q1'],
			[2, 0, 'Q2'],
			[3, 0, 'Q3'],
			[4, 1, 'Q4'],
			[5, 2, 'Q5'],
		]);
	});

	it('are none before anything has happened', () => {
		expect(onItsWay().outline()).toEqual([]);
	});
});
