import { expect, it } from 'vitest';
import { messagesOf } from '../../../src/elicitation/sampling.ts';

it('the messages of a sampling request for a model begin with the system prompt, and say what is left out', () => {
	const params = {
		systemPrompt: 'Be brief.',
		messages: [
			{ role: 'user', content: { type: 'text', text: 'Who is there?' } },
			{
				role: 'assistant',
				content: [
					{ type: 'text', text: 'A picture:' },
					{ type: 'image', data: 'QUJD', mimeType: 'image/png' },
				],
			},
		],
	};
	expect(messagesOf(params)).toEqual([
		{ role: 'user', text: 'Be brief.' },
		{ role: 'user', text: 'Who is there?' },
		{ role: 'assistant', text: 'A picture:\n‹image/png, 3 B›' },
	]);
});

it.each([null, {}, { messages: 'none' }])('the messages of %j are none', (params) => {
	expect(messagesOf(params)).toEqual([]);
});
