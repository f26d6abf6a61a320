import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/elicitation/json.ts';
import type { ElicitationRequest } from '../../../src/elicitation/request.ts';
import { readSampling } from '../../../src/elicitation/sampling.ts';
import { english, localizable, render } from '../../../src/elicitation/sentence.ts';
import { WholeResponse } from '../../../src/elicitation/wholeResponse.ts';
import { World } from './world.ts';

const form: ElicitationRequest = {
	mode: 'form',
	message: 'How many?',
	requestedSchema: { type: 'object', properties: { n: { type: 'integer', default: 1 } } },
};
const url: ElicitationRequest = { mode: 'url', message: 'Sign in', url: 'https://example.com/' };
const asked = readSampling({ messages: [] });
const sampling = asked.ok ? asked.request : form;
const WRONG = [{ path: '/n', keyword: 'maximum', message: localizable('At most 9.') }];

/** The whole response to a request, of which any content breaks the schema. */
const whole = (request: ElicitationRequest, intake: 'request' | 'inputRequired' | 'urlRequired' = 'request') =>
	new WholeResponse(new World().add(request, { intake }), {
		validate: async () => ({ status: 'invalid', violations: WRONG }),
	});

/** What is sent of a text, and what is said of it. */
async function read(text: string, response = whole(form)) {
	const { content, problems, unchecked } = await response.reviewJson(text);
	return {
		sent: content && response.responseOf(content),
		says: [...problems.map(({ message }) => message), ...(unchecked ? [unchecked] : [])].map((each) =>
			render(each, english),
		),
	};
}

describe('a whole response', () => {
	it.each<[string, ElicitationRequest, JsonObject]>([
		['a form, which begins with its defaults', form, { action: 'accept', content: { n: 1 } }],
		['a URL', url, { action: 'accept' }],
		[
			'a sampling request',
			sampling,
			{ role: 'assistant', content: { type: 'text', text: '' }, model: 'user', stopReason: 'endTurn' },
		],
	])(
		'to %s begins with one that accepts it, and reads each of its templates as what it is',
		(_what, request, accept) => {
			const { templates } = whole(request);
			const response = whole(request);
			expect(templates[0]?.response).toEqual(accept);
			expect(templates.map((each) => response.responseOf(each.response)?.action)).toEqual(
				templates.map(({ name }) => name),
			);
		},
	);

	it.each<[what: string, text: string, sent: object | undefined, says: string]>([
		[
			'wrong content',
			'{"action": "accept", "content": {"n": 99}}',
			{ action: 'accept', content: { n: 99 } },
			'At most 9.',
		],
		['an error', '{"error": {"code": -7, "message": "no"}}', { action: 'error', code: -7, message: 'no' }, ''],
		['a decline', '{"action": "decline"}', { action: 'decline' }, ''],
		...(
			[
				['an unknown action', { action: 'perhaps' }],
				['no action', {}],
				['an action of another type', { action: 7 }],
				['no content', { action: 'accept' }],
				['content of another type', { action: 'accept', content: ['a'] }],
				['content that is null', { action: 'accept', content: null }],
				['content where there should be none', { action: 'cancel', content: {} }],
				['more than it should have', { action: 'accept', content: {}, more: 1 }],
				['an error beside a result', { action: 'accept', content: {}, error: { code: 1, message: '' } }],
			] as const
		).map(
			([what, result]) =>
				[what, JSON.stringify(result), { action: 'malformed', result }, 'This is no response to the request.'] as [
					string,
					string,
					object,
					string,
				],
		),
		['no JSON', '{', undefined, 'This is not JSON (line 1, column 2): A closing brace is missing.'],
		...['[]', '{"error": {"code": "1", "message": "m"}}', '{"error": {"code": 1}}', '{"error": null}'].map(
			(text): [string, string, undefined, string] => [
				text,
				text,
				undefined,
				'A JSON object is required, in braces: a result, or {"error": {"code": …, "message": …}} with a whole number and a text.',
			],
		),
	])('with %s is sent as it is, or says why it cannot be', async (_what, text, sent, says) => {
		expect(await read(text)).toEqual({ sent, says: says === '' ? [] : [says] });
	});

	it.each([
		['a round', 'inputRequired', 'A round cannot carry an error: nothing is sent, and the call fails.'],
		[
			'a URL that an error requires',
			'urlRequired',
			'The protocol has no response to this request: it only decides whether the call continues.',
		],
	] as const)('with an error says what becomes of it in %s', async (_what, intake, note) => {
		expect((await read('{"error": {"code": 1, "message": "m"}}', whole(form, intake))).says).toEqual([note]);
	});
});
