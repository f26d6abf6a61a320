import { describe, expect, it } from 'vitest';
import { Conversation } from '../../../src/conversation/conversation.ts';
import type { Direction, Spoken } from '../../../src/conversation/exchange.ts';

interface Message extends Spoken {
	readonly call?: object | undefined;
}

const [a, b] = [{ name: 'a' }, { name: 'b' }];

/** A connection. A live one finds the calls of messages that do not say theirs, of which none is the only one. */
function connection(isLive = true, conversation = new Conversation<Message>(isLive ? () => undefined : undefined)) {
	let at = 0;
	const read = (direction: Direction, message: object, call?: object, memorySize = 0) =>
		conversation.read({ direction, message, at: at++, call, memorySize });
	const called = (id: unknown, call?: object, params: object = {}) =>
		read('sent', { id, method: 'tools/call', params }, call);
	const asked = (id: unknown, params: object = { message: 'Who?' }, call?: object) =>
		read('received', { id, method: 'elicitation/create', params }, call);
	const answered = (id: unknown, result: object = { action: 'decline' }) => read('sent', { id, result });
	const ended = (id: unknown, result: object = { content: [] }) => read('received', { id, result });
	return { conversation, read, called, asked, answered, ended };
}

const cancels = (requestId: unknown) => ({ method: 'notifications/cancelled', params: { requestId } });
const progresses = (progressToken: unknown) => ({ method: 'notifications/progress', params: { progressToken } });
const tokened = (progressToken: unknown) => ({ _meta: { progressToken } });
const form = (message: string) => ({ method: 'elicitation/create', params: { message } });
const required = (inputRequests: object, more: object = {}) => ({
	resultType: 'input_required',
	inputRequests,
	...more,
});
const task = (taskId: string, status = 'working', more: object = {}) => ({ taskId, status, ...more });

describe('a response', () => {
	it.each([
		[3, 3],
		[3, '3'],
		['3', 3],
	])('belongs to the request of the other side with its id, whether that is text or a number (%j, %j)', (id, named) => {
		const { called, asked, ended, answered } = connection();
		const [ours, theirs] = [called(id, a), asked(id, {}, b)];
		expect(answered(named)).toMatchObject({ exchange: theirs.exchange, call: b });
		expect(ended(named)).toMatchObject({ exchange: ours.exchange, call: a });
		expect(ended(named)).toMatchObject({ exchange: undefined, call: undefined });
	});

	it('belongs to the request with its very id where others are as text', () => {
		const { asked, answered } = connection();
		const [number, text] = [asked(1), asked('1', { message: 'Where?' })];
		expect([number, text].map(({ exchange }) => exchange?.shared)).toEqual([false, false]);
		expect(answered(1).exchange).toBe(number.exchange);
		expect(answered('1').exchange).toBe(text.exchange);
	});

	it('belongs to the last of the requests with its id, but its params are not known for certain', () => {
		const { asked, answered, read } = connection();
		const params = { message: 'Where?' };
		const [first, second] = [asked(1), asked(1, params)];
		expect(read('sent', { id: 1, error: { code: -32600 } }).exchange).toBe(second.exchange);
		const third = asked(1, params);
		for (const { exchange } of [third, first]) {
			expect(answered(1).settles).toMatchObject([{ exchange, params: undefined }]);
		}
		asked(1, params);
		expect(answered(1).settles).toMatchObject([{ params }]);
	});

	it('is not for a request of an earlier session', () => {
		const { asked, answered, called, ended, read } = connection();
		called(5, a);
		asked(1, {}, a);
		read('sent', { id: 0, method: 'initialize' });
		expect(answered(1).exchange).toBeUndefined();
		expect(ended(5).call).toBe(a);
	});

	it.each([null, {}, [], true, 0.5, ''])('to what is no id is for nothing (%j)', (id) => {
		const { read, called, ended } = connection();
		called(1, a);
		expect(ended(id)).toMatchObject({ exchange: undefined, call: undefined });
		expect(read('received', cancels(id)).call).toBeUndefined();
	});
});

it('a request that is sent again while it is open is the same one', () => {
	const { asked, answered } = connection();
	const first = asked(9);
	for (const id of [9, '9']) {
		expect(asked(id)).toMatchObject({ exchange: first.exchange, asks: [] });
	}
	expect(answered(9).exchange).toBe(first.exchange);
	expect(asked(9).asks).toHaveLength(1);
});

describe('a notification', () => {
	it.each([
		[7, 7],
		[7, '7'],
		['7', 7],
	])('of a cancellation names a request of the side that sends it (%j, %j)', (id, named) => {
		const { read, called, asked } = connection();
		const [ours, theirs] = [called(id, b), asked(id, {}, a)];
		expect(read('received', cancels(named))).toMatchObject({ call: a, withdraws: [theirs.exchange] });
		expect(read('sent', cancels(named))).toMatchObject({ call: b, withdraws: [ours.exchange] });
	});

	it('of progress goes to the side that gave the token, which is no id', () => {
		const { read, called, asked, ended } = connection();
		called(1, a, tokened(2));
		called(2, b, tokened('own'));
		asked(1, tokened(5), b);
		expect(ended('2').call).toBe(b);
		const calls = (direction: Direction, ...tokens: unknown[]) =>
			tokens.map((token) => read(direction, progresses(token)).call);
		expect(calls('received', '2', 'own', 5)).toEqual([a, undefined, undefined]);
		expect(calls('sent', '5', 2)).toEqual([b, undefined]);
		expect(read('received', cancels('own')).call).toBeUndefined();
	});

	it('that a URL is complete names all elicitations with its id', () => {
		const { read, called, asked } = connection();
		const page = { mode: 'url', elicitationId: 'drive', url: 'https://example.com/' };
		called(1, a);
		const error = { code: -32042, data: { elicitations: [page] } };
		const { asks } = read('received', { id: 1, error });
		const { exchange } = asked(2, page, b);
		const complete = { method: 'notifications/elicitation/complete', params: { elicitationId: 'drive' } };
		expect(asks).toMatchObject([{ intake: 'urlRequired', call: a }]);
		expect(read('received', complete)).toMatchObject({ call: a, completes: [...asks, exchange] });
		expect(read('received', complete).completes).toEqual([]);
	});
});

describe('the entries of a result', () => {
	it('have their responses in the next round of the call, and again where it is sent again', () => {
		const { called, ended } = connection();
		called(1, a);
		called(2, b);
		const { asks } = ended(1, required({ it: form('Who?') }));
		ended(2, required({ it: form('Where?') }));
		const again = { inputResponses: { it: { action: 'decline' }, other: {} } };
		for (const id of [3, 4]) {
			expect(called(id, a, again).settles).toMatchObject([
				{ key: 'it', exchange: asks[0], params: { message: 'Who?' }, result: { action: 'decline' } },
				{ key: 'other', exchange: undefined, params: undefined },
			]);
		}
		ended(4);
		expect(called(5, a, again).settles).toMatchObject([{ exchange: undefined }, { exchange: undefined }]);
	});

	it('are known in the next connection to the server, in which ids begin anew', () => {
		const before = connection();
		before.called(1, a);
		const { asks } = before.ended(1, required({ it: form('Who?') }));
		before.called(2, b);
		const { called, ended } = connection(
			true,
			before.conversation.next(() => undefined),
		);
		expect(ended(2).exchange).toBeUndefined();
		expect(called(1, a, { inputResponses: { it: {} } }).settles[0]?.exchange).toBe(asks[0]);
	});

	it('of a task are made once, however often it is polled, and withdrawn once it no longer lists them', () => {
		const { read, called, ended } = connection();
		const call = called(1, a);
		ended(1, { resultType: 'task', ...task('t') });
		let id = 1;
		const poll = (names: readonly string[], status = 'input_required') => {
			const inputRequests = Object.fromEntries(names.map((name) => [name, form(name)]));
			read('sent', { id: ++id, method: 'tasks/get', params: { taskId: 't' } });
			const { asks, withdraws, about, call: of } = ended(id, { ...task('t', status), inputRequests });
			expect([about, of]).toEqual([call.exchange, a]);
			return [asks, withdraws].map((all) => all.map(({ params }) => (params as { message: string }).message));
		};
		const update = { method: 'tasks/update', params: { taskId: 't', inputResponses: { one: {} } } };
		expect(poll(['one', 'two'])).toEqual([['one', 'two'], []]);
		read('received', { method: 'notifications/tasks', params: task('t', 'input_required') });
		expect(poll(['one', 'two'])).toEqual([[], []]);
		expect(read('sent', { id: ++id, ...update }).settles).toMatchObject([{ params: { message: 'one' } }]);
		expect(poll(['one'])).toEqual([[], ['two']]);
		expect(poll(['two'])).toEqual([['two'], []]);
		expect(poll([], 'working')).toEqual([[], ['two']]);
	});
});

it('a request that the client does as a task has its response in the result of the task', () => {
	const { read, asked, answered } = connection();
	const { exchange } = asked(1, { message: 'Who?', task: {} }, a);
	expect(answered(1, { task: task('t') })).toMatchObject({ exchange, settles: [] });
	for (const id of [2, 3]) {
		expect(read('received', { id, method: 'tasks/result', params: { taskId: 't' } })).toMatchObject({ call: a });
		expect(answered(id).settles).toMatchObject([{ exchange, params: { message: 'Who?' } }]);
	}
	read('received', { id: 4, method: 'tasks/result', params: { taskId: 'unknown' } });
	expect(answered(4).settles).toMatchObject([{ exchange: undefined, params: undefined }]);
	const cancelled = read('received', { id: 5, method: 'tasks/cancel', params: { taskId: 't' } });
	expect(cancelled.withdraws).toEqual([exchange]);
});

describe('a message that names no call', () => {
	const only = (conversation?: Conversation<Message>) =>
		connection(true, conversation ?? new Conversation<Message>(() => a));

	it.each<[what: string, call: (its: ReturnType<typeof connection>) => object | undefined]>([
		['the only one in flight, for a request of the server', ({ asked }) => asked(1).call],
		[
			'that of its task',
			({ called, ended, read }) => {
				called(1, a);
				ended(1, { task: task('t') });
				const _meta = { 'io.modelcontextprotocol/related-task': { taskId: 't' } };
				return read('received', { id: 9, method: 'elicitation/create', params: { _meta } }, b).call;
			},
		],
	])('belongs to %s', (_, call) => {
		expect(call(only())).toBe(a);
	});

	it('belongs to none in a recording', () => {
		const { called, ended } = connection(false);
		called(1, a);
		expect(ended(1)).toMatchObject({ exchange: { call: a }, call: undefined });
	});

	const page = { mode: 'url', elicitationId: 'drive', url: 'https://example.com/' };
	const asks = required({ it: form('Who?') });

	it.each<[what: string, call: (its: ReturnType<typeof connection>, of: object) => () => unknown]>([
		[
			'to its request',
			({ called, ended }, of) => {
				called(1, of);
				return () => ended(1).call;
			},
		],
		[
			'to one of two requests with its id',
			({ asked, answered }, of) => {
				asked(1, { message: 'Who?' }, of);
				asked(1, { message: 'Where?' });
				return () => [answered(1), answered(1)][1]?.call;
			},
		],
		[
			'to an entry of a result',
			({ called, ended }, of) => {
				called(1, of);
				ended(1, asks);
				return () => called(2, of, { inputResponses: { it: {} } }).settles[0]?.exchange?.call;
			},
		],
		[
			'to an entry of a task',
			({ called, ended, read }, of) => {
				called(1, of);
				ended(1, { resultType: 'task', ...task('t') });
				read('sent', { id: 2, method: 'tasks/get', params: { taskId: 't' } });
				ended(2, { ...task('t', 'input_required'), inputRequests: asks.inputRequests });
				const params = { taskId: 't', inputResponses: { it: {} } };
				return () => read('sent', { id: 3, method: 'tasks/update', params }).settles[0]?.exchange?.call;
			},
		],
		[
			'to a page that is complete',
			({ asked, answered, read }, of) => {
				asked(1, page, of);
				answered(1);
				const complete = { method: 'notifications/elicitation/complete', params: { elicitationId: 'drive' } };
				return () => read('received', complete).call;
			},
		],
	])('belongs to none once the call is forgotten, as a response %s', (_, begin) => {
		for (const [of, call] of [
			[a, undefined],
			[b, b],
		] as const) {
			const its = connection();
			const callOf = begin(its, of);
			its.conversation.forgetCalls((each) => each === a);
			expect(callOf()).toBe(call);
		}
	});
});

it('of requests without an end, only as many are remembered as their memory allows', () => {
	const { asked, answered } = connection();
	const size = 1024 * 1024;
	const { read } = connection();
	for (let id = 0; id < 20; id++) {
		read('received', { id, ...form('Who?') }, undefined, size);
	}
	expect(read('sent', { id: 3, result: {} }).settles).toMatchObject([{ exchange: undefined, params: undefined }]);
	expect(read('sent', { id: 4, result: {} }).settles).toMatchObject([{ params: { message: 'Who?' } }]);
	for (let id = 0; id <= 10_000; id++) {
		asked(id);
	}
	expect([answered(0), answered(1)].map(({ exchange }) => exchange !== undefined)).toEqual([false, true]);
});
