import { describe, expect, it } from 'vitest';
import { Call } from '../../../../src/elicitation/call.ts';
import { Redactor } from '../../../../src/privacy/redactor.ts';
import { Secrets } from '../../../../src/privacy/secrets.ts';
import { jsonLines } from '../../../../src/trace/export.ts';
import { playRecording } from '../../../../src/trace/recording/recordedTimeline.ts';
import { MODERN } from '../../../rawServer/rawServer.ts';
import { logOf } from '../../privacy/maskedLog.ts';
import {
	aboutTask,
	accepts,
	answered,
	asked,
	CALL,
	called,
	DONE,
	elicits,
	ended,
	exportOf,
	FORM,
	failed,
	type Line,
	META,
	played,
	recording,
	told,
} from './recorded.ts';

const PAGE = { mode: 'url', elicitationId: 'drive', message: 'Connect', url: 'https://example.com/drive' };
const PAGE_FIRST = { code: -32042, message: 'Pages first', data: { elicitations: [PAGE] } };
const VISITED = told('notifications/elicitation/complete', { elicitationId: 'drive' });
const ONE_FORM = [called(1), asked(9), answered(9), ended(1)];

/** The only call of a recording, and its elicitations. */
function only(text: string) {
	const timeline = played(text);
	const [call] = timeline.registry.calls;
	const steps = timeline.registry.elicitations.map(({ history, response }) => ({
		states: history.map(({ state }) => state),
		...(response && { response }),
	}));
	return { timeline, call, steps };
}

describe('a recording', () => {
	it('has the call with its arguments, its result, and the time that each side took', () => {
		const { call, steps, timeline } = only(recording(...ONE_FORM, told('notifications/message', {})));
		expect(call).toMatchObject({ name: 'deploy', args: { place: 'here' }, state: 'succeeded', outcome: DONE });
		expect([call?.clock.serverTime, call?.clock.humanTime]).toEqual([2_000, 1_000]);
		expect(steps).toEqual([{ states: ['asking', 'accepted'], response: accepts() }]);
		expect(timeline.groups.map(({ entries, elicitations }) => [entries.length, elicitations.size])).toEqual([[5, 1]]);
	});

	it.each([{ action: 'perhaps' }, { action: 'accept', content: ['a'] }])('has %j as it was sent', (result) => {
		const { steps } = only(recording(called(1), asked(9), answered(9, result), ended(1)));
		expect(steps).toEqual([{ states: ['asking', 'failed'], response: { action: 'malformed', result } }]);
	});

	it('has the rounds of a call, with the requests of each', () => {
		const required = { resultType: 'input_required', inputRequests: { it: elicits() } };
		const again = called(2, { _meta: META, inputResponses: { it: { action: 'decline' } } });
		const { call, timeline, steps } = only(
			recording(
				called(1, { _meta: META }),
				ended(1, required),
				again,
				ended(2, { resultType: 'complete', content: [] }),
			),
		);
		expect(call).toMatchObject({ rounds: 2, state: 'succeeded' });
		expect(steps).toEqual([{ states: ['asking', 'declined'], response: { action: 'decline' } }]);
		expect(timeline.registry.elicitations[0]?.origin).toMatchObject({
			intake: 'inputRequired',
			revision: MODERN,
			group: { round: 1, size: 1 },
		});
	});

	it('has each request of a task once, however often it was polled, and those that the server withdrew', () => {
		const poll = (id: number, names: readonly string[], more: object = { status: 'input_required' }) => {
			const inputRequests = Object.fromEntries(names.map((name) => [name, elicits()]));
			return [aboutTask(id, 'get'), ended(id, { resultType: 'complete', taskId: 't', inputRequests, ...more })];
		};
		const update = (id: number, name: string, action: string) =>
			aboutTask(id, 'update', { inputResponses: { [name]: { action } } });
		const updated = (id: number) => ended(id, { resultType: 'complete' });
		const { call, steps } = only(
			recording(
				called(1, { _meta: META }),
				ended(1, { resultType: 'task', taskId: 't', status: 'working' }),
				...poll(2, ['one', 'two']),
				...poll(3, ['one', 'two']),
				...poll(4, ['one']),
				...poll(5, ['one', 'two']),
				update(6, 'one', 'decline'),
				...poll(7, ['one', 'two']),
				updated(6),
				update(8, 'two', 'cancel'),
				updated(8),
				...poll(9, [], { status: 'completed', result: { content: [] } }),
			),
		);
		expect(steps.map(({ states }) => states)).toEqual([
			['asking', 'declined'],
			['asking', 'withdrawn'],
			['asking', 'cancelled'],
		]);
		expect(call?.state).toBe('succeeded');
		expect([call?.clock.serverTime, call?.clock.humanTime]).toEqual([6_000, 11_000]);
	});

	it('has the response to a request that the client did as a task, in the result of that', () => {
		const { steps } = only(
			recording(
				called(1),
				asked('a', { ...FORM, task: {} }),
				answered('a', { task: { taskId: 'ours', status: 'working' } }),
				['received', { id: 'b', method: 'tasks/result', params: { taskId: 'ours' } }],
				answered('b'),
				ended(1),
			),
		);
		expect(steps).toEqual([{ states: ['asking', 'accepted'], response: accepts() }]);
	});

	it('has URLs that a call required, and that it was called again', () => {
		const { call, steps } = only(recording(called(1), failed(1, PAGE_FIRST), VISITED, called(2), ended(2)));
		expect(call).toMatchObject({ rounds: 2, state: 'succeeded' });
		expect(steps).toEqual([{ states: ['asking', 'opened', 'completed'], response: { action: 'accept' } }]);
	});

	it.each<[what: string, rest: readonly Line[], state: string, said: string]>([
		['an error', [failed(1, { code: -32603, message: 'Broken' })], 'failed', 'Broken'],
		['an error beside null', [ended(1, null, { error: { message: 'No' } })], 'failed', 'No'],
		['a result beside null', [ended(1, DONE, { error: null })], 'succeeded', ''],
		['a cancellation', [['sent', { method: 'notifications/cancelled', params: { requestId: 1 } }]], 'cancelled', ''],
		['nothing, as one that was exported while it ran', [], 'unfinished', ''],
	])('ends a call that ended with %s', (_, rest, state, said) => {
		const { call } = only(recording(called(1), ...rest));
		expect(call?.state).toBe(state);
		expect(call?.outcome instanceof Error ? call.outcome.message : '').toBe(said);
	});

	it('has a URL that two calls required as completed for both', () => {
		const other = { ...CALL, id: '8' };
		const { registry } = played(
			recording(called(1), called(2, {}, other), failed(1, PAGE_FIRST), failed(2, PAGE_FIRST, other), VISITED),
		);
		expect(registry.elicitations.map(({ state }) => state)).toEqual(['completed', 'completed']);
	});

	it('does not leave a request open to which there is no response', () => {
		expect(only(recording(called(1), asked(9))).steps).toEqual([{ states: ['asking', 'withdrawn'] }]);
	});

	it('masks what was entered masked, even if the file contains it', () => {
		const planted = answered(9, accepts({ name: 'Ada', door: 'planted' }));
		const repeated = ended(1, { content: [{ type: 'text', text: 'door planted' }] });
		const again = exportOf(played(recording(called(1), asked(9), planted, repeated)));
		expect(again).toContain('Ada');
		expect(again).not.toContain('planted');
	});

	it('masks what was entered masked also where the file, which contains it, has no list of tools', () => {
		const inputSchema = { type: 'object', properties: { place: { type: 'string', format: 'password' } } };
		const args = { place: 'planted' };
		const log = logOf(
			['received', { id: 0, result: { tools: [{ name: 'deploy', inputSchema }] } }],
			['sent', called(1, { arguments: args })[1], 's', new Call('7', 's', 'tool', 'deploy', args)],
		);
		const withSecrets = [...jsonLines(log.entries.slice(1), new Redactor(log, 'configured'))].join('');
		expect(withSecrets).toContain('planted');
		const { timeline, call } = only(withSecrets);
		const shown = new Redactor(timeline.trace).args(call as Call);
		expect(exportOf(timeline) + JSON.stringify(shown)).not.toContain('planted');
	});

	it('is played in the order in which it was recorded, whatever the order of the lines', () => {
		const lines = recording(...ONE_FORM).trimEnd();
		const { timeline, call, steps } = only(lines.split('\n').reverse().join('\n'));
		expect(call).toMatchObject({ name: 'deploy', args: { place: 'here' }, state: 'succeeded' });
		expect(steps).toMatchObject([{ states: ['asking', 'accepted'] }]);
		expect(timeline.trace.entries.map(({ message }) => message)).toEqual(ONE_FORM.map(([, message]) => message));
	});

	it('keeps its order where the clock was set back in between', () => {
		const text = recording(...ONE_FORM).replaceAll(/2026-01-01T00:00:0[23]/g, '2025-12-31T23:00:00');
		const { timeline, call, steps } = only(text);
		expect(call).toMatchObject({ state: 'succeeded', outcome: DONE });
		expect(steps).toMatchObject([{ states: ['asking', 'accepted'] }]);
		expect(timeline.trace.entries.map((entry) => entry.exchange?.latency)).toEqual([0, 0, 0, 0]);
	});

	it('has how long calls took after the clock was set back', () => {
		const other = { ...CALL, id: '8' };
		const [direction, response] = ended(1);
		const text = recording(called(1), ended(1), called(1, {}, other), [direction, response, other]).replaceAll(
			/2026-01-01T00:00:0[23]/g,
			(time) => time.replace('2026-01-01T00', '2025-12-31T23'),
		);
		const [, call] = played(text).registry.calls;
		expect([call?.startedAt, call?.clock.serverTime]).toEqual([Date.UTC(2025, 11, 31, 23, 0, 2), 1_000]);
	});

	it('is the same after another export', () => {
		const large = ended(1, { content: [], structuredContent: { most: 'TOO LARGE' } });
		const text = recording(...ONE_FORM.slice(0, -1), large).replace('"TOO LARGE"', '1e999');
		const exported = exportOf(played(text));
		expect(exportOf(played(exported))).toBe(exported);
		expect(exported).toContain('{"most":1e999}');
	});
});

describe('the times of a recorded call', () => {
	const times = { server: 587, person: 3_100, automatic: 12 };

	it.each([
		['that has ended', [ended(1)]],
		['that ran when it was exported', []],
	])('%s are those that the window has measured', (_, rest) => {
		const lines = recording(called(1, {}, { ...CALL, times }), ...rest);
		const { registry } = played(lines);
		expect(registry.calls.map(({ clock }) => clock.shares)).toEqual([times]);
	});

	it.each([
		['has none', {}],
		['has what are no times', { times: { server: '587', person: -1, automatic: null } }],
	])('are those between its messages, which is said, where the recording %s', (_, more) => {
		const steps = playRecording(
			new TextEncoder().encode(recording(called(1, {}, { ...CALL, ...more }), ended(1))),
			new Secrets(),
		);
		let read = steps.next();
		while (!read.done) {
			read = steps.next();
		}
		const { registry, derivesTimes } = read.value.recorded;
		expect([registry.calls[0]?.clock.shares, derivesTimes]).toEqual([{ server: 1_000, person: 0, automatic: 0 }, true]);
	});
});
