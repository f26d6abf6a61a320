import { expect, it } from 'vitest';
import { check } from '../../../../src/elicitation/check/check.ts';
import { fixOf } from '../../../../src/elicitation/check/fixes.ts';
import { fieldsOf } from '../../../../src/elicitation/form/readFields.ts';
import { isObject, type JsonObject, own } from '../../../../src/elicitation/json.ts';
import { asSeenBy } from '../../../../src/elicitation/personas/asSeenBy.ts';
import { PERSONAS } from '../../../../src/elicitation/personas/persona.ts';
import { problemsAs } from '../../../../src/elicitation/personas/problemsAs.ts';
import { readElicitation } from '../../../../src/elicitation/request.ts';
import { english, render } from '../../../../src/elicitation/sentence.ts';
import { HOSTILE_VALUES, replaced } from '../../../replaced.ts';

const PARAMS: JsonObject = {
	mode: 'form',
	message: 'm',
	requestedSchema: {
		type: 'object',
		title: 't',
		properties: {
			text: { type: 'string', title: 't', minLength: 1, maxLength: 9, format: 'email', pattern: '^a', default: 'a' },
			number: { type: 'integer', minimum: 1, exclusiveMaximum: 9, multipleOf: 2, default: 2 },
			truth: { type: 'boolean', description: 'd', default: true },
			one: { type: 'string', enum: ['a'], enumNames: ['A'] },
			titled: { oneOf: [{ const: 'a', title: 'A' }] },
			several: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] }, minItems: 1, uniqueItems: true },
			list: { type: 'array', items: { $ref: '#/$defs/item' }, default: ['a'] },
			file: { type: 'string', format: 'uri', 'x-mcp-file': { accept: ['image/png'], maxSize: 1 } },
		},
		$defs: { item: { type: ['string', 'null'] } },
		required: ['text'],
		additionalProperties: false,
	},
	_meta: { 'io.modelcontextprotocol/related-task': { taskId: 'one' } },
};

it.each(HOSTILE_VALUES)('a request can be read, shown and checked, wherever it holds %j', (by) => {
	for (const params of replaced(PARAMS, by)) {
		readElicitation(params);
		const schema = own(params, 'requestedSchema');
		if (!isObject(params) || !isObject(schema)) {
			continue;
		}
		expect(fieldsOf(schema)).toBeInstanceOf(Array);
		// It has the findings in all revisions.
		for (const { message, finding } of check(params)) {
			render(message, english);
			finding && fixOf(params, finding);
		}
		for (const persona of by === HOSTILE_VALUES[0] ? PERSONAS : []) {
			asSeenBy(persona, schema);
			problemsAs(persona, params);
		}
	}
});
