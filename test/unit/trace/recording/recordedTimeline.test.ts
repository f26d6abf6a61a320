import { describe, expect, it } from 'vitest';
import { Call } from '../../../../src/elicitation/call.ts';
import { jsonLines } from '../../../../src/trace/export.ts';
import { Redactor } from '../../../../src/trace/redact.ts';
import { MODERN } from '../../../rawServer/rawServer.ts';
import { maskedLog } from '../maskedLog.ts';
import { CALL, played, recording } from './recorded.ts';

const PARAMS = {
	message: 'Who?',
	requestedSchema: {
		type: 'object',
		properties: { name: { type: 'string' }, door: { type: 'string', format: 'password' } },
	},
};
const PAGE = { mode: 'url', elicitationId: 'drive', message: 'Connect', url: 'https://example.com/drive' };
const request = { id: 1, method: 'tools/call', params: { name: 'deploy', arguments: { place: 'here' } } };
const result = { id: 1, result: { content: [{ type: 'text', text: 'done' }] } };

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
		const { call, steps, timeline } = only(
			recording(
				['sent', request],
				['received', { id: 9, method: 'elicitation/create', params: PARAMS }],
				['sent', { id: 9, result: { action: 'accept', content: { name: 'Ada' } } }],
				['received', result],
				['received', { method: 'notifications/message', params: {} }],
			),
		);
		expect(call).toMatchObject({ name: 'deploy', args: { place: 'here' }, state: 'succeeded', outcome: result.result });
		expect([call?.clock.serverTime, call?.clock.humanTime]).toEqual([2_000, 1_000]);
		expect(steps).toEqual([
			{ states: ['asking', 'accepted'], response: { action: 'accept', content: { name: 'Ada' } } },
		]);
		expect(timeline.groups.map(({ entries, elicitations }) => [entries.length, elicitations.size])).toEqual([[5, 1]]);
	});

	it('has the rounds of a call, with the requests of each', () => {
		const params = { name: 'deploy', arguments: {}, _meta: { 'io.modelcontextprotocol/protocolVersion': MODERN } };
		const { call, timeline, steps } = only(
			recording(
				['sent', { id: 1, method: 'tools/call', params }],
				[
					'received',
					{
						id: 1,
						result: {
							resultType: 'input_required',
							inputRequests: { it: { method: 'elicitation/create', params: PARAMS } },
						},
					},
				],
				['sent', { id: 2, method: 'tools/call', params: { ...params, inputResponses: { it: { action: 'decline' } } } }],
				['received', { id: 2, result: { resultType: 'complete', content: [] } }],
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
		const params = { name: 'deploy', arguments: {}, _meta: { 'io.modelcontextprotocol/protocolVersion': MODERN } };
		const poll = (id: number, names: readonly string[], more: object = { status: 'input_required' }) =>
			[
				['sent', { id, method: 'tasks/get', params: { taskId: 't' } }],
				['received', { id, result: { resultType: 'complete', taskId: 't', inputRequests: requests(names), ...more } }],
			] as const;
		const requests = (names: readonly string[]) =>
			Object.fromEntries(names.map((name) => [name, { method: 'elicitation/create', params: PARAMS }]));
		const { call, steps } = only(
			recording(
				['sent', { id: 1, method: 'tools/call', params }],
				['received', { id: 1, result: { resultType: 'task', taskId: 't', status: 'working' } }],
				...poll(2, ['one', 'two']),
				...poll(3, ['one', 'two']),
				...poll(4, ['one']),
				...poll(5, ['one', 'two']),
				[
					'sent',
					{ id: 6, method: 'tasks/update', params: { taskId: 't', inputResponses: { one: { action: 'decline' } } } },
				],
				...poll(7, ['one', 'two']),
				['received', { id: 6, result: { resultType: 'complete' } }],
				[
					'sent',
					{ id: 8, method: 'tasks/update', params: { taskId: 't', inputResponses: { two: { action: 'cancel' } } } },
				],
				['received', { id: 8, result: { resultType: 'complete' } }],
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

	it('has URLs that a call required, and that it was called again', () => {
		const { call, steps } = only(
			recording(
				['sent', request],
				['received', { id: 1, error: { code: -32042, message: 'Pages first', data: { elicitations: [PAGE] } } }],
				['received', { method: 'notifications/elicitation/complete', params: { elicitationId: 'drive' } }],
				['sent', { ...request, id: 2 }],
				['received', { ...result, id: 2 }],
			),
		);
		expect(call).toMatchObject({ rounds: 2, state: 'succeeded' });
		expect(steps).toEqual([{ states: ['asking', 'opened', 'completed'], response: { action: 'accept' } }]);
	});

	it.each([
		['an error', [['received', { id: 1, error: { code: -32603, message: 'Broken' } }]], 'failed', 'Broken'],
		['an error beside null', [['received', { id: 1, result: null, error: { message: 'No' } }]], 'failed', 'No'],
		['a result beside null', [['received', { ...result, error: null }]], 'succeeded', ''],
		['a cancellation', [['sent', { method: 'notifications/cancelled', params: { requestId: 1 } }]], 'cancelled', ''],
		['nothing', [], 'failed', ''],
	] as const)('ends a call that ended with %s', (_, rest, state, said) => {
		const { call } = only(recording(['sent', request], ...rest));
		expect(call?.state).toBe(state);
		expect(call?.outcome instanceof Error ? call.outcome.message : '').toBe(said);
	});

	it('has a URL that two calls required as completed for both', () => {
		const other = { ...CALL, id: '8' };
		const error = { code: -32042, message: 'Visit first', data: { elicitations: [PAGE] } };
		const { registry } = played(
			recording(
				['sent', request],
				['sent', { ...request, id: 2 }, other],
				['received', { id: 1, error }],
				['received', { id: 2, error }, other],
				['received', { method: 'notifications/elicitation/complete', params: { elicitationId: 'drive' } }],
			),
		);
		expect(registry.elicitations.map(({ state }) => state)).toEqual(['completed', 'completed']);
	});

	it('does not leave a request open to which there is no response', () => {
		const { steps } = only(
			recording(['sent', request], ['received', { id: 9, method: 'elicitation/create', params: PARAMS }]),
		);
		expect(steps).toEqual([{ states: ['asking', 'withdrawn'] }]);
	});

	it('masks what was entered masked, even if the file contains it', () => {
		const { timeline } = only(
			recording(
				['sent', request],
				['received', { id: 9, method: 'elicitation/create', params: PARAMS }],
				['sent', { id: 9, result: { action: 'accept', content: { name: 'Ada', door: 'planted' } } }],
				['received', { id: 1, result: { content: [{ type: 'text', text: 'door planted' }] } }],
			),
		);
		const again = [...jsonLines(timeline.trace.entries, new Redactor(timeline.trace))].join('');
		expect(again).toContain('Ada');
		expect(again).not.toContain('planted');
	});

	it('masks what was entered masked also where the file, which contains it, has no list of tools', () => {
		const log = maskedLog(() => 10);
		const secret = { type: 'object', properties: { place: { type: 'string', format: 'password' } } };
		log.add({
			server: 's',
			direction: 'received',
			message: { id: 0, result: { tools: [{ name: 'deploy', inputSchema: secret }] } },
		});
		const call = new Call('7', 's', 'tool', 'deploy', { place: 'planted' });
		const params = { name: 'deploy', arguments: { place: 'planted' } };
		log.add({ server: 's', direction: 'sent', call, message: { id: 1, method: 'tools/call', params } });
		const withSecrets = [...jsonLines(log.entries.slice(1), new Redactor(log, 'configured'))].join('');
		expect(withSecrets).toContain('planted');
		const { timeline, call: recorded } = only(withSecrets);
		const redactor = new Redactor(timeline.trace);
		const again = [
			...jsonLines(timeline.trace.entries, redactor),
			JSON.stringify(redactor.args(recorded as Call)),
		].join('');
		expect(again).not.toContain('planted');
	});

	it('is played in the order in which it was recorded, whatever the order of the lines', () => {
		const lines = recording(
			['sent', request],
			['received', { id: 9, method: 'elicitation/create', params: PARAMS }],
			['sent', { id: 9, result: { action: 'accept', content: { name: 'Ada', door: 'planted' } } }],
			['received', result],
		);
		const { timeline, call, steps } = only(lines.trimEnd().split('\n').reverse().join('\n'));
		expect(call).toMatchObject({ name: 'deploy', args: { place: 'here' }, state: 'succeeded' });
		expect(steps).toMatchObject([{ states: ['asking', 'accepted'] }]);
		expect(timeline.trace.entries.map(({ message }) => Object.keys(message as object)[1])).toEqual([
			'method',
			'method',
			'result',
			'result',
		]);
	});

	it('keeps its order where the clock was set back in between', () => {
		const text = recording(
			['sent', request],
			['received', { id: 9, method: 'elicitation/create', params: PARAMS }],
			['sent', { id: 9, result: { action: 'decline' } }],
			['received', result],
		).replaceAll(/2026-01-01T00:00:0[23]/g, '2025-12-31T23:00:00');
		const { timeline, call, steps } = only(text);
		expect(call).toMatchObject({ state: 'succeeded', outcome: result.result });
		expect(steps).toMatchObject([{ states: ['asking', 'declined'] }]);
		expect(timeline.trace.entries.map((entry) => timeline.exchanges.of(entry)?.latency)).toEqual([0, 0, 0, 0]);
	});

	it('has how long calls took after the clock was set back', () => {
		const text = recording(
			['sent', request],
			['received', result],
			['sent', request, { ...CALL, id: '8' }],
			['received', result, { ...CALL, id: '8' }],
		).replaceAll(/2026-01-01T00:00:0[23]/g, (time) => time.replace('2026-01-01T00', '2025-12-31T23'));
		const [, call] = played(text).registry.calls;
		expect([call?.startedAt, call?.clock.serverTime]).toEqual([Date.UTC(2025, 11, 31, 23, 0, 2), 1_000]);
	});

	it('is the same after another export', () => {
		const text = recording(
			['sent', request],
			['received', { id: 9, method: 'elicitation/create', params: PARAMS }],
			['sent', { id: 9, result: { action: 'accept', content: { name: 'Ada' } } }],
			['received', { id: 1, result: { content: [], structuredContent: { most: 'TOO LARGE' } } }],
		).replace('"TOO LARGE"', '1e999');
		const export_ = (each: string) => {
			const { trace } = played(each);
			return [...jsonLines(trace.entries, new Redactor(trace))].join('');
		};
		expect(export_(export_(text))).toBe(export_(text));
		expect(export_(text)).toContain('{"most":1e999}');
	});
});
