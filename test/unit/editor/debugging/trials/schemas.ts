import fc from 'fast-check';
import type { Json, JsonObject } from '../../../../../src/elicitation/json.ts';

const names = fc.constantFrom('name', 'age', 'colour', '__proto__', 'constructor', 'a/b', '日本');

/** Two bounds, the lower one not greater than the upper one. */
function between<Lower extends string, Upper extends string>(lower: Lower, upper: Upper, least: number, most: number) {
	return fc
		.tuple(fc.integer({ min: least, max: most }), fc.integer({ min: 0, max: 20 }), fc.boolean(), fc.boolean())
		.map(([low, span, hasLow, hasHigh]) => ({
			...(hasLow && { [lower]: low }),
			...(hasHigh && { [upper]: low + span }),
		}));
}

const text = between('minLength', 'maxLength', 0, 30).map((bounds) => ({ type: 'string', ...bounds }));
const formatted = fc.constantFrom('email', 'uri', 'date', 'date-time').map((format) => ({ type: 'string', format }));
const patterned = fc.constantFrom('^[A-Z]{3}$', '^\\d+$', '^(yes|no)$').map((pattern) => ({ type: 'string', pattern }));
const number = fc
	.tuple(fc.constantFrom('integer', 'number'), between('minimum', 'maximum', -50, 50))
	.map(([type, bounds]) => ({ type, ...bounds }));
const truth = fc.constant({ type: 'boolean' });
const members = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 });
const one = members.map((values) => ({ type: 'string', enum: values }));
const titled = members.map((values) => ({
	type: 'string',
	oneOf: values.map((value) => ({ const: value, title: 't' })),
}));
const some = members.chain((values) =>
	fc.tuple(fc.integer({ min: 0, max: values.length }), fc.boolean()).map(([minItems, hasMost]) => ({
		type: 'array',
		items: { type: 'string', enum: values },
		minItems,
		...(hasMost && { maxItems: Math.max(minItems, 1) }),
	})),
);

/** Schemas as in the specification for which valid content exists. */
export const requestedSchemas: fc.Arbitrary<JsonObject> = fc
	.tuple(
		fc.uniqueArray(names, { minLength: 1, maxLength: 4 }),
		fc.array(fc.tuple(fc.oneof(text, formatted, patterned, number, truth, one, titled, some), fc.boolean()), {
			minLength: 4,
			maxLength: 4,
		}),
	)
	.map(([keys, properties]) => {
		const entries = keys.map((key, at) => [key, properties[at]?.[0] ?? {}] as const);
		return {
			type: 'object',
			properties: Object.fromEntries(entries) as unknown as Json,
			required: keys.filter((_key, at) => properties[at]?.[1] === true),
		};
	});
