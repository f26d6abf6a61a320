import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Relay } from '../../../src/window/relay.ts';

const INITIALIZE = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18' } };
const RESULT = { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} } } };
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };

/** A relay with a client and, once it is there, a window. */
function relaying() {
	const toClient: object[] = [];
	const refused: string[] = [];
	const relay = new Relay(
		'books',
		() => 'Nobody offers it.',
		(line) => toClient.push(JSON.parse(line)),
		(reason) => refused.push(reason),
	);
	return {
		toClient,
		refused,
		client: (...messages: object[]) => messages.map((each) => relay.fromClient(JSON.stringify(each))),
		window: (...messages: object[]) => messages.map((each) => relay.fromWindow(JSON.stringify(each))),
		/** What a window has heard since it came. */
		open: () => {
			const heard: object[] = [];
			relay.opened((line) => heard.push(JSON.parse(line)));
			return heard;
		},
		close: () => relay.closed(),
	};
}

const request = (id: number | string, method: string, params = {}) => ({ jsonrpc: '2.0', id, method, params });
const resultOf = (id: number | string, result = {}) => ({ jsonrpc: '2.0', id, result });

beforeEach(() => void vi.useFakeTimers());

describe('between a client and a window', () => {
	it('passes on everything that either says, as it is', () => {
		const { client, window, open, toClient } = relaying();
		const heard = open();
		client(INITIALIZE);
		window(RESULT);
		client(INITIALIZED, request('a', 'tools/list'), { method: 'x/own', 'x-own': [1] });
		window({ method: 'notifications/progress', params: {} }, resultOf('a', { tools: [] }));
		expect(heard).toEqual([INITIALIZE, INITIALIZED, request('a', 'tools/list'), { method: 'x/own', 'x-own': [1] }]);
		expect(toClient).toEqual([RESULT, { method: 'notifications/progress', params: {} }, resultOf('a', { tools: [] })]);
	});

	it('keeps what the client asks until the window has begun the session', () => {
		const { client, window, open, toClient } = relaying();
		const heard = open();
		client(INITIALIZE, request(1, 'tools/call'));
		expect(heard).toEqual([INITIALIZE]);
		window(RESULT);
		expect(heard).toEqual([INITIALIZE, request(1, 'tools/call')]);
		vi.advanceTimersByTime(60_000);
		expect(toClient).toEqual([RESULT]);
	});

	it('waits longer for a window that asks its user, because some clients never list again', () => {
		const { client, window, open, toClient } = relaying();
		open();
		client(INITIALIZE);
		vi.advanceTimersByTime(20_000);
		expect(toClient).toEqual([]);
		window(RESULT);
		vi.advanceTimersByTime(60_000);
		expect(toClient).toEqual([RESULT]);
	});

	it('begins the session without the window before the client gives up', () => {
		const { client, open, toClient } = relaying();
		open();
		client(INITIALIZE);
		vi.advanceTimersByTime(25_000);
		expect(toClient).toEqual([resultOf(0, expect.objectContaining({ protocolVersion: '2025-06-18' }))]);
	});

	it('tells a client of a later revision that it has to begin a session', () => {
		const { client, toClient } = relaying();
		client(request(1, 'server/discover'));
		expect(toClient).toEqual([expect.objectContaining({ id: 1, error: expect.objectContaining({ code: -32601 }) })]);
	});
});

describe('without a window', () => {
	it('begins the session after a while, lists nothing, and says why a call fails', () => {
		const { client, toClient } = relaying();
		client(INITIALIZE);
		expect(toClient).toEqual([]);
		vi.advanceTimersByTime(3_000);
		expect(toClient.splice(0)).toEqual([
			resultOf(
				0,
				expect.objectContaining({
					protocolVersion: '2025-06-18',
					instructions: 'As long as "books" lists nothing: Nobody offers it.',
				}),
			),
		]);
		client(request(1, 'tools/list'), request(2, 'ping'), request(3, 'tools/call'));
		expect(toClient.splice(0)).toEqual([resultOf(2)]);
		vi.advanceTimersByTime(3_000);
		expect(toClient).toEqual([
			resultOf(1, { tools: [] }),
			{ jsonrpc: '2.0', id: 3, error: { code: -32603, message: 'Nobody offers it.' } },
		]);
	});

	it('does not answer what the client has cancelled', () => {
		const { client, toClient } = relaying();
		client(INITIALIZE);
		vi.advanceTimersByTime(3_000);
		toClient.length = 0;
		client(request(1, 'tools/call'), { method: 'notifications/cancelled', params: { requestId: 1 } });
		vi.advanceTimersByTime(3_000);
		expect(toClient).toEqual([]);
	});

	it('begins the session with a window that comes later, and has the client list again', () => {
		const { client, window, open, toClient } = relaying();
		client(INITIALIZE);
		vi.advanceTimersByTime(3_000);
		client(INITIALIZED);
		toClient.length = 0;
		const heard = open();
		window(RESULT);
		expect(heard).toEqual([INITIALIZE, INITIALIZED]);
		expect(toClient).toEqual(
			['tools', 'prompts', 'resources'].map((list) => ({
				jsonrpc: '2.0',
				method: `notifications/${list}/list_changed`,
			})),
		);
	});
});

describe('when a window goes', () => {
	it('ends the calls that it had with a sentence, and goes on with the next window', () => {
		const { client, window, open, close, toClient } = relaying();
		open();
		client(INITIALIZE);
		window(RESULT);
		client(INITIALIZED, request(1, 'tools/call'));
		toClient.length = 0;
		close();
		expect(toClient.splice(0)).toEqual([
			expect.objectContaining({
				id: 1,
				error: expect.objectContaining({ message: expect.stringContaining('reloaded') }),
			}),
		]);
		client(request(2, 'tools/call'));
		const heard = open();
		window(RESULT);
		expect(heard).toEqual([INITIALIZE, INITIALIZED, request(2, 'tools/call')]);
	});

	it('does not answer again what the window has answered, or the client has cancelled', () => {
		const { client, window, open, close, toClient } = relaying();
		open();
		client(INITIALIZE);
		window(RESULT);
		client(request(1, 'tools/call'), request(2, 'tools/call'));
		window(resultOf(1));
		client({ method: 'notifications/cancelled', params: { requestId: 2 } });
		toClient.length = 0;
		close();
		expect(toClient).toEqual([]);
	});

	it('passes on that the user refuses', () => {
		const { client, window, open, toClient, refused } = relaying();
		open();
		client(INITIALIZE);
		const error = { jsonrpc: '2.0', id: 0, error: { code: -32603, message: 'They did not.' } };
		window(error);
		expect(refused).toEqual(['They did not.']);
		expect(toClient).toEqual([error]);
	});
});
