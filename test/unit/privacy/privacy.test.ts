import { describe, expect, it } from 'vitest';
import { Call } from '../../../src/elicitation/call.ts';
import { isObject, type Json, type JsonObject, own } from '../../../src/elicitation/json.ts';
import { localizable } from '../../../src/elicitation/sentence.ts';
import { Masks } from '../../../src/privacy/masks.ts';
import { REDACTED } from '../../../src/privacy/secrets.ts';
import { linesOf, logOf, maskedLog, type Told, toJsonLines } from './maskedLog.ts';

const SECRET = 'hunter2-planted';
const PASSWORD = { type: 'string', format: 'password' };
const TEXT = { type: 'string' };

const form = (answer: JsonObject): JsonObject => ({
	method: 'elicitation/create',
	params: { message: 'm', requestedSchema: { type: 'object', properties: { answer, color: TEXT } } },
});
const asked = (id: number, answer: JsonObject, task?: JsonObject): Told => {
	const { method, params } = form(answer);
	return ['received', { id, method, params: { ...(params as object), ...(task && { task }) } }];
};
const content = (answer: string, color = 'blue') => ({ answer, color });
const accepted = (answer: string) => ({ action: 'accept', content: content(answer) });
const answered = (id: number, answer = SECRET): Told => ['sent', { id, result: accepted(answer) }];
const refused = (id: number): Told => ['sent', { id, error: { code: -32600, message: 'Duplicate id' } }];
const onServer = (server: string, [direction, message]: Told): Told => [direction, message, server];
const HANDSHAKE: Told = ['sent', { id: 0, method: 'initialize', params: {} }];
const [HIDDEN, WHOLE] = [content(REDACTED), content(REDACTED, REDACTED)];

const exported = (...messages: readonly Told[]) => linesOf(logOf(...messages)).map(({ message }) => message as Json);

/** Every object under the name `content` in the messages. */
function contentsIn(value: Json): Json[] {
	return isObject(value)
		? Object.entries(value).flatMap(([name, item]) => (name === 'content' ? [item] : contentsIn(item as Json)))
		: Array.isArray(value)
			? value.flatMap(contentsIn)
			: [];
}

describe('what was entered masked', () => {
	it.each<[where: string, messages: readonly Told[], shown: readonly JsonObject[]]>([
		['by the schema of its request, and nothing else is', [asked(1, PASSWORD), answered(1)], [HIDDEN]],
		[
			'whole if 2 requests have one id, the second of which is refused (fault 2)',
			[asked(1, PASSWORD), asked(1, TEXT), refused(1), answered(1)],
			[WHOLE],
		],
		[
			'whole if 3 requests have one id, all but the first of which are refused (fault 2)',
			[asked(1, PASSWORD), asked(1, TEXT), refused(1), asked(1, TEXT), refused(1), answered(1)],
			[WHOLE],
		],
		[
			'in the result of a task, and nothing else is, whatever had its id before (K05)',
			[
				...[HANDSHAKE, asked(3, TEXT), answered(3, 'green'), HANDSHAKE],
				asked(0, PASSWORD, { ttl: 60_000 }),
				['sent', { id: 0, result: { task: { taskId: 't' } } }],
				['received', { id: 3, method: 'tasks/result', params: { taskId: 't' } }],
				answered(3),
			],
			[content('green'), HIDDEN],
		],
		[
			'by its own schema, whatever an earlier session left open or the server has asked under its id',
			[HANDSHAKE, asked(1, TEXT), HANDSHAKE, asked(1, PASSWORD), answered(1), asked(1, TEXT), answered(1, 'green')],
			[HIDDEN, content('green')],
		],
		[
			'whole in the result of a task that nobody knows',
			[['received', { id: 3, method: 'tasks/result', params: { taskId: 't' } }], answered(3)],
			[WHOLE],
		],
		['whole where the request was dropped', [answered(5)], [WHOLE]],
		[
			'not for its id where that is of a request of another server',
			[onServer('a', asked(5, PASSWORD)), onServer('b', asked(5, TEXT)), onServer('b', answered(5, 'green'))],
			[content('green')],
		],
		[
			'not for its id where that is of a result of the server',
			[asked(5, PASSWORD), ['received', { id: 5, result: { content: content('a box of pins') } }]],
			[content('a box of pins')],
		],
		[
			'not for its id once that is used anew',
			[asked(5, PASSWORD), ['sent', { id: 5, result: { action: 'decline' } }], asked(5, TEXT), answered(5, 'green')],
			[content('green')],
		],
	])('is hidden %s', (_, messages, shown) => {
		expect(exported(...messages).flatMap(contentsIn)).toEqual(shown);
	});

	it.each<[where: string, result: JsonObject]>([
		['as another member', { action: 'accept', contents: { answer: SECRET } }],
		['beside the content', { action: 'accept', content: {}, answer: SECRET }],
		['instead of the content', { action: 'accept', content: SECRET }],
		['as the action', { action: { answer: SECRET } }],
	])('is hidden where it was sent %s, in a response that the protocol does not have', (_, result) => {
		const echo: Told = ['received', { id: 2, result: { text: `You said ${SECRET}.` } }];
		expect(toJsonLines(logOf(asked(1, PASSWORD), ['sent', { id: 1, result }], echo))).not.toContain(SECRET);
	});

	it('is hidden with all that it holds where the server repeats it, also if its request is unknown', () => {
		const lines = exported(
			['sent', { id: 1, result: { action: 'accept', content: { answer: SECRET, more: [{ pin: 47_110_815 }] } } }],
			['received', { id: 2, result: { text: `You said ${SECRET}, 47110815.` } }],
		);
		expect(lines).toEqual([
			{ id: 1, result: { action: 'accept', content: { answer: REDACTED, more: REDACTED } } },
			{ id: 2, result: { text: `You said ${REDACTED}, ${REDACTED}.` } },
		]);
	});

	it('is hidden in the responses of a round by the schemas of its requests, and whole where these are unknown', () => {
		const call = new Call('c1', 's', 'tool', 'login', {});
		const inputRequests = { login: form(PASSWORD), plain: form(TEXT) };
		const result = { resultType: 'input_required', requestState: 'sealed', inputRequests };
		const params = {
			...{ name: 'login', arguments: { answer: 'kept', requestState: 'kept' }, requestState: 'sealed' },
			inputResponses: {
				login: accepted(SECRET),
				plain: accepted('green'),
				other: { action: 'accept', content: content('unknown', 'orange') },
				refused: { action: 'decline' },
			},
		};
		const lines = exported(
			['received', { id: 7, result }, 's', call],
			['sent', { id: 8, method: 'tools/call', params }, 's', call],
		);
		const inputResponses = {
			...params.inputResponses,
			login: accepted(REDACTED),
			other: { action: 'accept', content: WHOLE },
		};
		expect(lines).toEqual([
			{ id: 7, result: { ...result, requestState: REDACTED } },
			{ id: 8, method: 'tools/call', params: { ...params, requestState: REDACTED, inputResponses } },
		]);
	});

	it('is hidden where the result of a prompt repeats its argument', () => {
		const [call, result] = exported(
			['sent', { id: 1, method: 'prompts/get', params: { name: 'p', arguments: { api_key: SECRET, color: 'blue' } } }],
			['received', { id: 1, result: { messages: [`You said ${SECRET} and blue`] } }],
		);
		expect(call).toMatchObject({ params: { arguments: { api_key: REDACTED, color: 'blue' } } });
		expect(result).toEqual({ id: 1, result: { messages: [`You said ${REDACTED} and blue`] } });
	});

	it('is hidden in requests for suggestions, where a part of it hides nothing else', () => {
		const complete = (argument: object, args = {}): Told => {
			const params = { ref: { type: 'ref/prompt', name: 'p' }, argument, context: { arguments: args } };
			return ['sent', { id: 1, method: 'completion/complete', params }];
		};
		const lines = exported(
			complete({ name: 'api_key', value: SECRET.slice(0, 7) }),
			complete({ name: 'color', value: 'hunter2' }, { api_key: SECRET }),
		);
		expect(lines).toMatchObject([
			{ params: { argument: { value: REDACTED } } },
			{ params: { argument: { value: 'hunter2' }, context: { arguments: { api_key: REDACTED } } } },
		]);
	});

	it('is hidden whatever its kind, and under names as hostile as __proto__', () => {
		const properties = JSON.parse('{"__proto__":{"format":"password"},"list":{"type":"array","writeOnly":true}}');
		const [, answer] = exported(
			['received', { id: 5, method: 'elicitation/create', params: { message: '', requestedSchema: { properties } } }],
			[
				'sent',
				{ id: 5, result: { content: JSON.parse('{"__proto__":"1234","list":["a","b"],"constructor":"kept"}') } },
			],
		);
		expect(JSON.stringify(answer)).toBe(
			`{"id":5,"result":{"content":{"__proto__":"${REDACTED}","list":"${REDACTED}","constructor":"kept"}}}`,
		);
	});
});

describe('the export', () => {
	it('is one line of JSON for each message, with where and when', () => {
		const call = new Call('c1', 's', 'tool', 'login', {}, localizable('called by agent mode'));
		const log = logOf(['sent', { id: 1, method: 'ping' }], ['received', { id: 1, result: {} }, 's', call]);
		const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
		const of = { id: 'c1', kind: 'tool', name: 'login', via: 'called by agent mode', times: expect.anything() };
		expect(linesOf(log)).toEqual([
			{ seq: 0, at, server: 's', direction: 'sent', message: { id: 1, method: 'ping' } },
			{ seq: 1, at, server: 's', direction: 'received', call: of, message: { id: 1, result: {} } },
		]);
		expect(toJsonLines(log)).toMatch(/\n$/);
		expect(toJsonLines(maskedLog(() => 1))).toBe('');
	});

	it('leaves what was exported as it was', () => {
		const answer = { id: 1, result: accepted(SECRET) };
		exported(asked(1, PASSWORD), ['sent', answer]);
		expect(answer.result.content).toEqual(content(SECRET));
	});

	it('survives messages of every shape', () => {
		const odd = [null, 1, 'text', [], { id: null }, { method: 'elicitation/create', params: null, id: 1 }];
		expect(exported(...odd.map((message): Told => ['received', message]))).toEqual(odd);
	});
});

it('a schema whose references would take too long is left without any proposal', () => {
	const count = 1_000;
	const names = Array.from({ length: count }, (_, index) => index);
	const schema = {
		properties: Object.fromEntries(names.map((at) => [`p${at}`, { $ref: `#/$defs/d${at}`, default: 'proposed' }])),
		$defs: Object.fromEntries(names.map((at) => [`d${at}`, { $ref: `#/$defs/d${(at + 1) % count}` }])),
	};
	const told = new Masks(schema as Json).withoutProposals(REDACTED);
	const proposals = Object.values(own(told, 'properties') as Record<string, Json>).map((each) => own(each, 'default'));
	expect(new Set(proposals)).toEqual(new Set([REDACTED]));
});
