import { describe, expect, it } from 'vitest';
import { Call } from '../../../src/elicitation/call.ts';
import { localizable } from '../../../src/elicitation/sentence.ts';
import type { Direction } from '../../../src/trace/log.ts';
import { REDACTED } from '../../../src/trace/redact.ts';
import { maskedLog, toJsonLines } from './maskedLog.ts';

describe('the export', () => {
	const secret = { type: 'string', format: 'password' };
	const ask = (...names: string[]) => ({
		message: 'Sign in',
		requestedSchema: {
			type: 'object',
			properties: { user: { type: 'string' }, ...Object.fromEntries(names.map((name) => [name, secret])) },
		},
	});

	function exported(...messages: [direction: Direction, message: unknown, server?: string, call?: Call][]): unknown[] {
		const log = maskedLog(() => 100);
		for (const [direction, message, server = 's', call] of messages) {
			log.add({ server, direction, message, ...(call && { call }) });
		}
		const text = toJsonLines(log);
		expect(text.endsWith('\n')).toBe(true);
		return text
			.trimEnd()
			.split('\n')
			.map((line) => JSON.parse(line));
	}

	const messages = (lines: unknown[]) => lines.map((line) => (line as { message: unknown }).message);

	it('is one line of JSON for each message, with where and when', () => {
		const call = new Call('c1', 's', 'tool', 'login', {}, localizable('called by agent mode'));
		const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
		expect(exported(['sent', { id: 1, method: 'ping' }], ['received', { id: 1, result: {} }, 's', call])).toEqual([
			{ seq: 0, at, server: 's', direction: 'sent', message: { id: 1, method: 'ping' } },
			{
				seq: 1,
				at,
				server: 's',
				direction: 'received',
				call: { id: 'c1', kind: 'tool', name: 'login', via: 'called by agent mode' },
				message: { id: 1, result: {} },
			},
		]);
		expect(toJsonLines(maskedLog(() => 1))).toBe('');
	});

	it('leaves masked values out of the answer to a request, and nothing else', () => {
		const request = { jsonrpc: '2.0', id: 5, method: 'elicitation/create', params: ask('door') };
		const answer = { jsonrpc: '2.0', id: 5, result: { action: 'accept', content: { user: 'ada', door: '1234' } } };
		expect(messages(exported(['received', request], ['sent', answer]))).toEqual([
			request,
			{ jsonrpc: '2.0', id: 5, result: { action: 'accept', content: { user: 'ada', door: REDACTED } } },
		]);
		expect(answer.result.content.door).toBe('1234');
	});

	it('does not take the answer to one server for that to another', () => {
		const request = { id: 5, method: 'elicitation/create', params: ask('door') };
		const answer = { id: 5, result: { action: 'accept', content: { door: '1234' } } };
		const harmless = { ...request, params: { message: '', requestedSchema: { properties: { door: {} } } } };
		const lines = exported(['received', request, 'a'], ['received', harmless, 'b'], ['sent', answer, 'b']);
		expect(messages(lines)[2]).toEqual(answer);
	});

	it('does not take a result of the server for an answer of ours with the same id', () => {
		const request = { id: 5, method: 'elicitation/create', params: ask('door') };
		const result = { id: 5, result: { content: { door: 'a box of pins' } } };
		expect(messages(exported(['received', request], ['received', result]))[1]).toEqual(result);
	});

	it('forgets what was masked once an id is used anew', () => {
		const again = { id: 5, method: 'elicitation/create', params: ask() };
		const answer = { id: 5, result: { action: 'accept', content: { door: 'a box' } } };
		expect(
			messages(
				exported(
					['received', { id: 5, method: 'elicitation/create', params: ask('door') }],
					['sent', { id: 5, result: { action: 'decline' } }],
					['received', again],
					['sent', answer],
				),
			)[3],
		).toEqual(answer);
	});

	it('leaves masked values out of the answers to input_required, entry by entry, and every requestState', () => {
		const call = new Call('c1', 's', 'tool', 'login', {});
		const result = {
			id: 7,
			result: {
				resultType: 'input_required',
				requestState: 'sealed',
				inputRequests: {
					first: { method: 'elicitation/create', params: ask('door') },
					second: { method: 'elicitation/create', params: ask() },
				},
			},
		};
		const retry = {
			id: 8,
			method: 'tools/call',
			params: {
				name: 'login',
				arguments: { door: 'kept', requestState: 'kept' },
				requestState: 'sealed',
				inputResponses: {
					first: { action: 'accept', content: { user: 'ada', door: '1234' } },
					second: { action: 'accept', content: { door: 'kept' } },
				},
			},
		};
		const [first, second] = messages(exported(['received', result, 's', call], ['sent', retry, 's', call]));
		expect(first).toEqual({ id: 7, result: { ...result.result, requestState: REDACTED } });
		expect(second).toEqual({
			...retry,
			params: {
				...retry.params,
				requestState: REDACTED,
				inputResponses: {
					...retry.params.inputResponses,
					first: { action: 'accept', content: { user: 'ada', door: REDACTED } },
				},
			},
		});
	});

	it('leaves out every value of a response whose request was dropped', () => {
		const answer = { id: 5, result: { action: 'accept', content: { user: 'ada', door: '1234' } } };
		const retry = {
			id: 6,
			method: 'tools/call',
			params: { inputResponses: { a: { action: 'accept', content: { door: 1 } } } },
		};
		expect(messages(exported(['sent', answer], ['sent', retry]))).toEqual([
			{ id: 5, result: { action: 'accept', content: { user: REDACTED, door: REDACTED } } },
			{
				id: 6,
				method: 'tools/call',
				params: { inputResponses: { a: { action: 'accept', content: { door: REDACTED } } } },
			},
		]);
	});

	it('leaves masked values out whatever their kind, and under names as hostile as __proto__', () => {
		const properties = JSON.parse('{"__proto__":{"format":"password"},"list":{"type":"array","writeOnly":true}}');
		const request = { id: 5, method: 'elicitation/create', params: { message: '', requestedSchema: { properties } } };
		const content = JSON.parse('{"__proto__":"1234","list":["a","b"],"constructor":"kept"}');
		const [, answer] = messages(exported(['received', request], ['sent', { id: 5, result: { content } }]));
		expect(JSON.stringify(answer)).toBe(
			JSON.stringify({
				id: 5,
				result: {
					content: JSON.parse(`{"__proto__":"${REDACTED}","list":"${REDACTED}","constructor":"kept"}`),
				},
			}),
		);
	});

	it('survives messages of every shape', () => {
		const odd = [null, 1, 'text', [], { id: null }, { method: 'elicitation/create', params: null, id: 1 }];
		expect(messages(exported(...odd.map((message) => ['received', message] as [Direction, unknown])))).toEqual(odd);
	});
});
