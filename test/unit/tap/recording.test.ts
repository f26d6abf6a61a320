import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/elicitation/json.ts';
import { REDACTED } from '../../../src/privacy/secrets.ts';
import { runs } from '../../nightly.ts';
import { FORM, META, played } from '../trace/recording/recorded.ts';
import { recordingHere, streams } from './tapped.ts';

const CLIENT = { name: 'claude-code', title: 'Claude Code', version: '2.1' };
const PAGE = { mode: 'url', elicitationId: 'drive', message: 'Connect', url: 'https://example.com/drive' };
const DONE = { content: [{ type: 'text', text: 'done' }] };
const call = (id: number, more: object = {}) => ({
	id,
	method: 'tools/call',
	params: { name: 'deploy', arguments: { place: 'here' }, ...more },
});

type Line = readonly ['sent' | 'received', object];

const hello: Line[] = [
	['sent', { id: 0, method: 'initialize', params: { clientInfo: CLIENT } }],
	['received', { id: 0, result: { protocolVersion: '2025-11-25', serverInfo: { name: 'sdk' } } }],
];

/** What a tap records of these messages over stdio, and of what the server writes besides. */
async function recorded(lines: readonly Line[], noise = ''): Promise<string> {
	const recorder = recordingHere();
	const sent = recorder.open({ kind: 'stdio', direction: 'sent' });
	const received = recorder.open({ kind: 'stdio', direction: 'received' });
	for (const [direction, message] of lines) {
		const text = `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
		(direction === 'sent' ? sent : received).write(Buffer.from(text));
	}
	received.write(Buffer.from(noise));
	return recorder.text();
}

/** The calls and the elicitations of the timeline that opens. */
async function opened(lines: readonly Line[]) {
	const timeline = played(await recorded(lines));
	return {
		timeline,
		calls: timeline.registry.calls.map(({ server, name, state, rounds }) => ({ server, name, state, rounds })),
		elicitations: timeline.registry.elicitations.map(({ state, response, origin }) => ({
			state,
			response,
			calls: origin.calls.map(({ id }) => id),
		})),
	};
}

const deploy = (more: object) => ({ server: 'Claude Code 2.1 ▸ s', name: 'deploy', rounds: 1, ...more });
const accepted = { action: 'accept', content: { name: 'Ada' } };

describe('what a tap records opens as a timeline', () => {
	it('with the call, its elicitation, and its outcome', async () => {
		const { calls, elicitations } = await opened([
			...hello,
			['sent', call(1)],
			['received', { id: 9, method: 'elicitation/create', params: FORM }],
			['sent', { id: 9, result: accepted }],
			['received', { id: 1, result: DONE }],
		]);
		expect(calls).toEqual([deploy({ state: 'succeeded' })]);
		expect(elicitations).toEqual([{ state: 'accepted', response: accepted, calls: ['1'] }]);
	});

	it('with a call that its client has cancelled, and the request that was withdrawn with it', async () => {
		const { calls, elicitations } = await opened([
			...hello,
			['sent', call(1)],
			['received', { id: 9, method: 'elicitation/create', params: FORM }],
			['sent', { method: 'notifications/cancelled', params: { requestId: 1 } }],
			['received', { method: 'notifications/cancelled', params: { requestId: 9 } }],
		]);
		expect(calls).toEqual([deploy({ state: 'cancelled' })]);
		expect(elicitations).toMatchObject([{ state: 'withdrawn', calls: ['1'] }]);
	});

	it.each([
		['with a state', { requestState: 'a state' }, { requestState: 'a state' }],
		['without a state', {}, {}],
	])('with the rounds of a call %s, and another call at the same time', async (_, state, repeated) => {
		const _meta = { ...META, 'io.modelcontextprotocol/clientInfo': CLIENT };
		const inputRequests = { it: { method: 'elicitation/create', params: FORM } };
		const { calls, elicitations, timeline } = await opened([
			['sent', call(1, { _meta })],
			['received', { id: 1, result: { resultType: 'input_required', ...state, inputRequests } }],
			['sent', { id: 2, method: 'tools/call', params: { name: 'other', _meta } }],
			['sent', call(3, { _meta, ...repeated, inputResponses: { it: accepted } })],
			['received', { id: 3, result: { resultType: 'complete', ...DONE } }],
			['received', { id: 2, result: DONE }],
		]);
		expect(calls).toEqual([deploy({ state: 'succeeded', rounds: 2 }), deploy({ state: 'succeeded', name: 'other' })]);
		expect(elicitations).toEqual([{ state: 'accepted', response: accepted, calls: ['1'] }]);
		expect(timeline.groups.map(({ entries }) => entries.length)).toEqual([2, 4]);
	});

	it('with a call that is sent again once a URL was visited', async () => {
		const error = { code: -32042, message: 'Pages first', data: { elicitations: [PAGE] } };
		const complete = { method: 'notifications/elicitation/complete', params: { elicitationId: 'drive' } };
		const { calls, elicitations } = await opened([
			...hello,
			['sent', call(1)],
			['received', { id: 1, error }],
			['received', complete],
			['sent', call(2)],
			['received', { id: 2, result: DONE }],
		]);
		expect(calls).toEqual([deploy({ state: 'succeeded', rounds: 2 })]);
		expect(elicitations).toMatchObject([{ calls: ['1'] }]);
	});

	it('with a call that runs as a task', async () => {
		const task = { taskId: 't', status: 'working', pollInterval: 10 };
		const related = { _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't' } } };
		const { calls, elicitations } = await opened([
			...hello,
			['sent', call(1, { task: {} })],
			['received', { id: 1, result: { task } }],
			['sent', { id: 2, method: 'tasks/get', params: { taskId: 't' } }],
			['received', { id: 2, result: { ...task, status: 'input_required' } }],
			['sent', { id: 3, method: 'tasks/result', params: { taskId: 't' } }],
			['received', { id: 9, method: 'elicitation/create', params: { ...FORM, ...related } }],
			['sent', { id: 9, result: accepted }],
			['received', { id: 3, result: { ...DONE, ...related } }],
		]);
		expect(calls).toEqual([deploy({ state: 'succeeded' })]);
		expect(elicitations).toMatchObject([{ state: 'accepted', calls: ['1'] }]);
	});
});

describe('what a tap records', () => {
	it('has no secrets: neither what forms mask nor what headers, variables and states contain', async () => {
		const door = 'the door code';
		const text = await recorded(
			[
				...hello,
				['sent', call(1)],
				['received', { id: 9, method: 'elicitation/create', params: FORM }],
				['sent', { id: 9, result: { action: 'accept', content: { name: 'Ada', door } } }],
				['received', { id: 1, result: { requestState: 'secret state', content: [{ type: 'text', text: door }] } }],
			],
			`I got ${door} with Bearer abcdefghijk\n`,
		);
		expect(text).not.toMatch(/the door code|secret state|abcdefghijk/);
		expect(text).toContain(`I got ${REDACTED} with Bearer ${REDACTED}`);
	});

	it('tells sessions apart whose ids are the same', async () => {
		const recorder = recordingHere();
		const head = { session: undefined, type: 'application/json', encoding: undefined, secrets: [] };
		const post = (session: string | undefined, message: object, result?: object) => {
			const request = recorder.open({ kind: 'request', method: 'POST', path: '/mcp', ...head, session });
			request.write(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })));
			request.end();
			return (more: object = {}) => {
				const about = { kind: 'response', request: request.id, status: 200, reason: 'OK', ...head, ...more } as const;
				const response = recorder.open(about);
				response.write(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result })));
				response.end();
			};
		};
		const begin = { id: 1, method: 'initialize', params: { clientInfo: CLIENT } };
		for (const session of ['a', 'b']) {
			post(undefined, begin, {})({ session });
		}
		const responses = ['a', 'b'].map((session) => post(session, { ...call(1) }, { content: [], session }));
		for (const respond of responses) {
			respond();
		}
		const { registry } = played(await recorder.text());
		expect(registry.calls.map(({ outcome }) => (outcome as { session: string }).session)).toEqual(['a', 'b']);
		expect(new Set((await recorder.entries()).map(({ session }) => session)).size).toBe(2);
	});

	it('says how much is missing, and goes on with the next line', async () => {
		const recorder = recordingHere();
		const sent = recorder.open({ kind: 'stdio', direction: 'sent' });
		sent.write(Buffer.from('{"jsonrpc":"2.0","id":1,'));
		sent.write(Buffer.from('"x":1}\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n'), 1_000);
		const [missing, next] = await recorder.entries();
		expect(missing).toMatchObject({ direction: 'sent', missing: 1_000 + 24 + 6 });
		expect(next).toMatchObject({ message: { id: 2 } });
	});

	it('is the same however a stream is cut into pieces, and nothing keeps it from being written', async () => {
		const written = async (pieces: readonly Uint8Array[]) => {
			const recorder = recordingHere();
			const channel = recorder.open({ kind: 'stdio', direction: 'received' });
			for (const piece of pieces) {
				channel.write(piece);
			}
			channel.end();
			return (await recorder.entries()).map(({ message, text }): Json => message ?? text ?? null);
		};
		const property = fc.asyncProperty(streams, fc.nat(50), async (pieces, size) => {
			const all = Buffer.concat(pieces).subarray(0, 20_000);
			const cut = Array.from({ length: Math.ceil(all.length / (size + 1)) }, (_, at) =>
				all.subarray(at * (size + 1), (at + 1) * (size + 1)),
			);
			expect(await written(cut)).toEqual(await written([all]));
		});
		await fc.assert(property, { numRuns: runs(100) });
	});
});
