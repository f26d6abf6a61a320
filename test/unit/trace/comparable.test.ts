import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/elicitation/json.ts';
import { comparable } from '../../../src/trace/comparable.ts';
import { World } from '../elicitation/world.ts';
import { maskedLog } from '../privacy/maskedLog.ts';

interface Told {
	readonly id: string;
	readonly at: string;
	readonly password?: string;
	readonly name?: string;
	readonly verdict?: string;
	readonly more?: object;
}

/** Two runs of two rounds each, with values that the server generates anew in every run. */
function world() {
	const { registry } = new World();
	const trace = maskedLog(() => 1_000);
	const run = ({ id, at, password = 'a secret', name = 'Ada', verdict = 'done', more = {} }: Told, failing = false) => {
		const args = { place: 'here', token: `token of ${id}` };
		const call = registry.beginCall('s', 'tool', 'deploy', args);
		const say = (direction: 'sent' | 'received', message: object) =>
			trace.add({ server: 's', direction, call, message });
		const params: Json = {
			message: `Deploy ${id}?`,
			elicitationId: `page of ${id}`,
			_meta: { progressToken: id },
			requestedSchema: { properties: { name: {}, password: { format: 'password' } } },
		};
		call.rounds = 2;
		say('sent', { id: 1, method: 'tools/call', params: { name: 'deploy', arguments: args } });
		const inputRequests = { it: { method: 'elicitation/create', params } };
		say('received', { id: 1, result: { resultType: 'input_required', requestState: `state of ${id}`, inputRequests } });
		const elicitation = registry.add(
			{ mode: 'form', message: 'Deploy?', requestedSchema: {} },
			{
				server: 's',
				connection: 'c',
				intake: 'inputRequired',
				revision: '2026-07-28',
				calls: [call],
				params,
				group: { call, round: 1, size: 1 },
			},
		);
		const content = { name, password };
		elicitation.accept(content);
		const inputResponses = { it: { action: 'accept', content } };
		say('sent', {
			id: 2,
			method: 'tools/call',
			params: { name: 'deploy', requestState: `state of ${id}`, inputResponses },
		});
		if (failing) {
			say('received', { id: 2, error: { code: -32603, message: `Failed at ${at}`, data: more } });
			registry.endCall(call, 'failed', new Error('for people'));
		} else {
			const result = {
				run: id,
				startedAt: at,
				elapsedMs: at.length,
				text: `${id} at ${at}: ${verdict}`,
				password,
				more,
			};
			say('received', { id: 2, result });
			registry.endCall(call, 'succeeded', result);
		}
		return call;
	};
	return { run, told: (call: ReturnType<typeof run>) => comparable(call, registry.elicitations, trace) };
}

const one = { id: '6f1c2a0e-0000-4000-8000-000000000001', at: '2026-11-21T08:00:00.123Z' };
const other = { id: '6f1c2a0e-0000-4000-8000-000000000002', at: '2026-11-22 19:30:01+01:00' };

describe('two runs of a call', () => {
	it('are the same where only ids, times, states and tokens differ; and hold no secret', () => {
		const { run, told } = world();
		const [a, b] = [told(run(one)), told(run(other))];
		expect(a).toEqual(b);
		const text = JSON.stringify(a);
		for (const secret of ['a secret', 'token of', one.id, one.at, 'progressToken', 'requestState']) {
			expect(text).not.toContain(secret);
		}
		expect(a).toMatchObject({
			server: 's',
			tool: 'deploy',
			arguments: { place: 'here', token: '‹redacted›' },
			rounds: [
				{
					round: 1,
					elicitations: [
						{
							request: { message: 'Deploy <id 1>?', elicitationId: '<id 2>', requestedSchema: { properties: {} } },
							state: 'accepted',
							answer: { action: 'accept', content: { name: 'Ada', password: '‹redacted›' } },
						},
					],
				},
				{ round: 2, elicitations: [] },
			],
			state: 'succeeded',
			result: { run: '<id 1>', startedAt: '<time>', elapsedMs: '<time>', text: '<id 1> at <time>: done' },
		});
	});

	it('are compared by what their text holds, if that is JSON', () => {
		const { run, told } = world();
		const saying = (text: string) => told(run({ ...one, more: { content: [{ type: 'text', text }] } }));
		const a = saying('{"a":1,"elapsedMs":7}');
		expect(a).toEqual(saying('{ "elapsedMs": 8, "a": 1 }'));
		expect(a).toMatchObject({ result: { more: { content: [{ 'text (JSON)': { a: 1 } }] } } });
		expect(a).not.toEqual(saying('{"a":2}'));
	});

	it('differ where an answer or the result does', () => {
		const { run, told } = world();
		const a = told(run(one));
		expect(told(run({ ...one, name: 'Grace' }))).not.toEqual(a);
		expect(told(run({ ...one, verdict: 'undone' }))).not.toEqual(a);
	});

	it.each([
		['result', false],
		['error', true],
	])('are the same where only the order of the members of the %s differs', (_, failing) => {
		const { run, told } = world();
		const [a, b] = [
			{ list: [{ x: 1, y: null }], id: one.id },
			{ id: one.id, list: [{ y: null, x: 1 }] },
		].map((more) => JSON.stringify(told(run({ ...one, more }, failing))));
		expect(a).toBe(b);
	});

	it('have the error of the server where they failed', () => {
		const { run, told } = world();
		expect(told(run(one, true))).toMatchObject({
			state: 'failed',
			error: { code: -32603, message: 'Failed at <time>' },
		});
	});
});
