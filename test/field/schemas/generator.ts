import fc from 'fast-check';
import type { Field } from '../../../src/elicitation/form/fields.ts';
import type { Input } from '../../../src/elicitation/form/inputs.ts';
import { type Json, type JsonObject, plainObject } from '../../../src/elicitation/json.ts';

/** What a user does to a field; `undefined`: leaves it alone. */
type Act = (field: Field) => Input | undefined;

/** A schema as servers write it, and what a user does with its fields, one act after another. */
export interface Request {
	readonly schema: JsonObject;
	/** Whether a property has a value before anybody has touched it, and whether it is required. */
	readonly properties: ReadonlyMap<string, { readonly preset: boolean; readonly required: boolean }>;
	readonly acts: readonly Act[];
}

/** A property's schema. `preset`: it has a default or a constant. */
interface Property {
	readonly schema: JsonObject;
	readonly preset: boolean;
}

const words = fc.constantFrom(
	'a',
	'b',
	'ab',
	'abc',
	'1',
	'漢字',
	'👍',
	' ',
	'a b',
	'a@b.example',
	'2026-03-31',
	'שלום',
);
const small = fc.oneof(fc.integer({ min: -5, max: 12 }), fc.constantFrom(0, 0.1, 0.3, 0.5, 2.5, -1.5));
const scalars = fc.oneof(words, small, fc.boolean());

const text = fc.record(
	{
		type: fc.constant('string'),
		title: words,
		description: words,
		minLength: fc.nat(3),
		maxLength: fc.integer({ min: 1, max: 300 }),
		pattern: fc.constantFrom('^a', '\\d', '^\\p{L}+$', '^[\\w\\-\\@.]+$'),
		format: fc.constantFrom('email', 'uri', 'date', 'date-time', 'time', 'uuid', 'password', 'postcode', 'markdown'),
		default: fc.oneof(words, fc.constantFrom('', 'line\nline')),
	},
	{ requiredKeys: ['type'] },
);
const number = fc.record(
	{
		type: fc.constantFrom('number', 'integer'),
		minimum: small,
		maximum: small,
		exclusiveMinimum: small,
		multipleOf: fc.constantFrom(1, 2, 0.1, 0.5),
		default: fc.oneof(small, fc.constant('x')),
	},
	{ requiredKeys: ['type'] },
);
const boolean = fc.record({ type: fc.constant('boolean'), default: fc.boolean() }, { requiredKeys: ['type'] });
const values = fc.array(scalars, { minLength: 1, maxLength: 5 });
const enumeration = fc.record(
	{ enum: values, enumNames: fc.array(words, { maxLength: 5 }), default: scalars },
	{ requiredKeys: ['enum'] },
);
const branch = fc.record({ const: scalars, title: words }, { requiredKeys: ['const'] });
const branches = fc.array(branch, { minLength: 1, maxLength: 4 });
const titled = fc.oneof(
	fc.record({ oneOf: branches, default: scalars }, { requiredKeys: ['oneOf'] }),
	fc.record({ anyOf: branches, default: scalars }, { requiredKeys: ['anyOf'] }),
);
const limits = { minItems: fc.nat(2), maxItems: fc.nat(4), uniqueItems: fc.constant(true) };
const several = fc.record(
	{
		type: fc.constant('array'),
		items: fc.oneof(
			enumeration,
			titled,
			fc.record({ $ref: fc.constant('#/$defs/Color') }),
			fc.record({ type: fc.constantFrom('string', 'number', 'integer') }),
		),
		...limits,
		default: fc.array(scalars, { maxLength: 3 }),
	},
	{ requiredKeys: ['type', 'items'] },
);
const constant = fc.record({ const: fc.oneof(scalars, fc.constant({ a: [null] })) });
const nested = fc.record(
	{
		type: fc.constant('object'),
		properties: fc.dictionary(fc.constantFrom('a', 'b'), fc.oneof(text, number), { noNullPrototype: true }),
		required: fc.constant(['a']),
		default: fc.constantFrom({}, { a: 'x' }),
	},
	{ requiredKeys: ['type'] },
);
const odd = fc.constantFrom(
	{},
	{ anyOf: [{ type: 'string' }, { type: 'integer' }] },
	{ type: ['integer', 'string'], maximum: 3 },
	{ type: 'array', prefixItems: [{ type: 'number' }], items: false },
	{ oneOf: [{ minimum: 1 }, { maximum: 3 }] },
	{ type: 'string', enum: ['a', null] },
	{ minimum: 2, type: 'null' },
	{ not: { const: 'a' } },
);
const references = fc.oneof(
	fc.record(
		{ $ref: fc.constantFrom('#/$defs/Color', '#/$defs/Size', '#/$defs/Tree'), default: scalars },
		{ requiredKeys: ['$ref'] },
	),
	fc.constant({ allOf: [{ $ref: '#/$defs/Size' }], maximum: 4 }),
);

const $defs: JsonObject = {
	Color: { type: 'string', enum: ['red', 'green'], title: 'Color' },
	Size: { type: 'integer', minimum: 1, maximum: 9 },
	Tree: { type: 'object', properties: { next: { $ref: '#/$defs/Tree' } } },
};

/** The ways in which servers say that `null` will do. */
function orNull(schema: JsonObject, how: number): JsonObject {
	const { default: preset, ...rest } = schema;
	const withDefault = preset === undefined ? {} : { default: preset };
	switch (how) {
		case 0:
			return { anyOf: [rest, { type: 'null' }], ...withDefault };
		case 1:
			return { oneOf: [{ type: 'null' }, rest], default: null };
		default:
			return typeof schema.type === 'string' ? { ...schema, type: [schema.type, 'null'] } : schema;
	}
}

const simple = fc.oneof(
	{ weight: 4, arbitrary: text },
	{ weight: 4, arbitrary: number },
	{ weight: 2, arbitrary: boolean },
	{ weight: 3, arbitrary: enumeration },
	{ weight: 3, arbitrary: titled },
	{ weight: 4, arbitrary: several },
	{ weight: 1, arbitrary: constant },
	{ weight: 2, arbitrary: nested },
	{ weight: 2, arbitrary: references },
	{ weight: 1, arbitrary: odd },
) as unknown as fc.Arbitrary<JsonObject>;

const property: fc.Arbitrary<Property> = fc.tuple(simple, fc.option(fc.nat(2), { freq: 3 })).map(([schema, how]) => {
	const written = how === null ? schema : orNull(schema, how);
	// `type: null` has one value only, so it counts as a constant.
	const preset = (written.default ?? null) !== null || Object.hasOwn(schema, 'const') || schema.type === 'null';
	return { schema: written, preset };
});

const keys = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom('a', 'b', 'name', 'first name', '名称') },
	{ weight: 1, arbitrary: fc.constantFrom('constructor', 'toString', '', 'a/b~c', '\u202eman', '1') },
);

/** Texts that a user might type into any field; many of them fit. */
const typed = fc.oneof(
	words,
	small.map(String),
	fc.constantFrom(
		'',
		'  ',
		'1,5',
		'-0',
		'1e3',
		'{"a":"x"}',
		'[1]',
		'null',
		'"a"',
		'2026-03-31T10:00:00Z',
		'line\nline',
	),
	fc.string({ maxLength: 4, unit: 'binary' }),
);

const act: fc.Arbitrary<Act> = fc.oneof(
	{ weight: 1, arbitrary: fc.constant<Act>(() => undefined) },
	{
		weight: 3,
		arbitrary: fc
			.record({
				text: typed,
				yes: fc.option(fc.boolean()),
				index: fc.option(fc.nat(4)),
				indexes: fc.option(fc.uniqueArray(fc.nat(4), { maxLength: 3 })),
				items: fc.option(fc.array(typed, { maxLength: 3 })),
			})
			.map(
				(drawn): Act =>
					(field) =>
						inputFor(field, drawn),
			),
	},
);

interface Drawn {
	readonly text: string;
	readonly yes: boolean | null;
	readonly index: number | null;
	readonly indexes: readonly number[] | null;
	readonly items: readonly string[] | null;
}

function inputFor(field: Field, { text: entered, yes, index, indexes, items }: Drawn): Input | undefined {
	switch (field.kind) {
		case 'boolean':
			return { kind: 'boolean', value: yes };
		case 'choice':
			return { kind: 'choice', index: index === null ? null : index % field.options.length };
		case 'choices':
			return {
				kind: 'choices',
				indexes: indexes && [...new Set(indexes.map((at) => at % field.options.length))].sort((a, b) => a - b),
			};
		case 'list':
			return { kind: 'list', items };
		case 'const':
			return undefined;
		default:
			return { kind: 'text', text: entered };
	}
}

export const requests: fc.Arbitrary<Request> = fc
	.record({
		named: fc.uniqueArray(fc.tuple(keys, property, fc.boolean()), { maxLength: 6, selector: ([key]) => key }),
		acts: fc.array(act, { minLength: 6, maxLength: 6 }),
		root: fc.record(
			{
				title: words,
				$schema: fc.constant('https://json-schema.org/draft/2020-12/schema'),
				additionalProperties: fc.boolean(),
				minProperties: fc.nat(2),
			},
			{ requiredKeys: [] },
		),
	})
	.map(({ named, acts, root }) => ({
		schema: {
			type: 'object',
			...root,
			properties: plainObject(named.map(([key, { schema }]) => [key, schema])),
			required: named.filter(([, , required]) => required).map(([key]) => key),
			$defs: $defs as Json,
		},
		properties: new Map(named.map(([key, { preset }, required]) => [key, { preset, required }])),
		acts,
	}));
