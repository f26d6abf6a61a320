import { expect, it } from 'vitest';
import { describeMessage } from '../../../src/trace/describe.ts';

it.each([
	[{ method: 'tools/call', id: 7, params: {} }, 'tools/call #7'],
	[{ method: 'elicitation/create', id: 'a' }, 'elicitation/create #a'],
	[{ method: 'notifications/initialized' }, 'notifications/initialized'],
	[{ id: 7, result: {} }, 'result #7'],
	[{ id: 0, result: { resultType: 'input_required' } }, 'input_required #0'],
	[{ id: 7, error: { code: -32602, message: 'No' } }, 'error -32602 #7'],
	[{ id: 7, result: {}, error: null }, 'result #7'],
	[{ id: null, error: {} }, 'error ? #?'],
	[Object.create({ method: 'inherited', id: 1 }), 'result #?'],
	['text', 'result #?'],
	[null, 'result #?'],
])('%j is described as %s', (message, line) => {
	expect(describeMessage(message)).toBe(line);
});
