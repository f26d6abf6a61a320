import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { Call } from '../../../src/elicitation/call.ts';
import { Attribution } from '../../../src/mcp/attribution.ts';

const [a, b] = ['a', 'b'].map((id) => new Call(id, 's', 'tool', id, {})) as [Call, Call];

type Direction = Parameters<Attribution['of']>[0];

/** A connection on which two calls run. */
function connection() {
	const attribution = new Attribution(
		() => [a, b],
		() => undefined,
		() => undefined,
	);
	const of = (direction: Direction, message: object, known?: Call) =>
		attribution.of(direction, { jsonrpc: '2.0', ...message } as JSONRPCMessage, known);
	const call = (id: number | string, known: Call, progressToken?: number | string) =>
		of('sent', { id, method: 'tools/call', params: { _meta: { progressToken } } }, known);
	const asks = (id: number | string, known: Call) => of('received', { id, method: 'elicitation/create' }, known);
	return { of, call, asks };
}

const cancels = (requestId: number | string) => ({ method: 'notifications/cancelled', params: { requestId } });
const progresses = (progressToken: number | string) => ({
	method: 'notifications/progress',
	params: { progressToken },
});

it.each([
	[7, 7],
	[7, '7'],
	['7', 7],
])('a cancellation names a request of the side that sends it (%j, %j)', (id, named) => {
	const { of, call, asks } = connection();
	call(id, b);
	asks(id, a);
	expect(of('received', cancels(named))).toBe(a);
	expect(of('sent', cancels(named))).toBe(b);
});

it('a response belongs to the request of the other side, also where the id comes back as text', () => {
	const { of, call, asks } = connection();
	call(3, a);
	asks('3', b);
	expect(of('sent', { id: 3, result: {} })).toBe(b);
	expect(of('received', { id: '3', result: {} })).toBe(a);
	expect(of('received', { id: '3', result: {} })).toBeUndefined();
});

it('a progress token is no id: it reports to the side that gave it, and outlives no response of another request', () => {
	const { of, call } = connection();
	call(1, a, 2);
	call(2, b, 'own');
	expect(of('received', { id: '2', result: {} })).toBe(b);
	expect(of('received', progresses('2'))).toBe(a);
	expect(of('received', progresses('own'))).toBe(b);
	expect([of('sent', progresses(2)), of('received', cancels('own'))]).toEqual([undefined, undefined]);
});

it('a request of the server tells by its own token whose progress is sent', () => {
	const { of } = connection();
	of('received', { id: 1, method: 'sampling/createMessage', params: { _meta: { progressToken: 5 } } }, a);
	expect([of('sent', progresses('5')), of('received', progresses(5))]).toEqual([a, undefined]);
});

it.each([null, {}, [], true, 0.5, ''])('what is no id belongs to nothing (%j)', (id) => {
	const { of, call } = connection();
	call(1, a);
	expect(of('received', { id, result: {} })).toBeUndefined();
	expect(of('received', { method: 'notifications/cancelled', params: { requestId: id } })).toBeUndefined();
});
