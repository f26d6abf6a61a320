import type { Ajv, SchemaObject, SchemaValidateFunction } from 'ajv';
import { sameJson } from '../elicitation/form/flatten.ts';
import { hasType } from '../elicitation/form/options.ts';
import { isObject, type Json, own } from '../elicitation/json.ts';
import { comparable, isExact } from '../elicitation/jsonText.ts';
import { NAMED_SCHEMAS } from '../elicitation/keywords.ts';

/** A JSON value whose exact numbers are bigints. */
export type ExactValue =
	| null
	| boolean
	| number
	| bigint
	| string
	| readonly ExactValue[]
	| { readonly [key: string]: ExactValue };

/** `type` where a number is allowed: the validator takes no bigint for one. */
const TYPE = 'numericType';

/** The value that is compared: exact numbers as bigints. */
export function exactValue(value: Json): ExactValue {
	if (Array.isArray(value)) {
		return value.map(exactValue);
	}
	if (isObject(value)) {
		return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, exactValue(item)]));
	}
	return isExact(value) ? comparable(value) : (value as ExactValue);
}

/** A schema for the keywords of `addExactKeywords`. */
export function exactSchema(node: Json, isNamed = false): SchemaObject {
	const visit = (value: Json, named = false): unknown =>
		Array.isArray(value)
			? value.map((item) => visit(item))
			: isObject(value)
				? exactSchema(value, named)
				: isExact(value)
					? comparable(value)
					: value;
	const members = Object.entries(isObject(node) ? node : {}).map(([name, value]): [string, unknown] => {
		const types = [value].flat() as readonly Json[];
		if (!isNamed && name === 'type' && types.some(isNumberType)) {
			return [TYPE, own(node, 'nullable') === true ? [...types, 'null'] : types];
		}
		return isNamed || !['enum', 'const'].includes(name)
			? [name, visit(value, !isNamed && NAMED_SCHEMAS.has(name))]
			: [name, exactValue(value)];
	});
	const kept = members.filter(([name]) => isNamed || name !== 'nullable' || !members.some(([other]) => other === TYPE));
	return Object.fromEntries(kept);
}

const isNumberType = (type: Json) => type === 'number' || type === 'integer';

type Number = number | bigint;
type Check = (of: never, data: ExactValue) => boolean;

const isNumber = (value: unknown): value is Number => typeof value === 'number' || typeof value === 'bigint';
// A bigint and a double compare as the numbers they are.
const isSame = (one: ExactValue, other: ExactValue) =>
	isNumber(one) && isNumber(other) ? one >= other && one <= other : sameJson(one as Json, other as Json);
const bound = (holds: (data: Number, limit: Number) => boolean) => (limit: Number, data: ExactValue) =>
	!isNumber(data) || holds(data, limit);

const CHECKS: Readonly<Record<string, Check>> = {
	[TYPE]: (types: readonly string[], data: ExactValue) =>
		typeof data === 'bigint' ? types.some(isNumberType) : hasType(data as Json, types),
	enum: (values: readonly ExactValue[], data: ExactValue) => values.some((value) => isSame(value, data)),
	const: (value: ExactValue, data: ExactValue) => isSame(value, data),
	minimum: bound((data, limit) => data >= limit),
	maximum: bound((data, limit) => data <= limit),
	exclusiveMinimum: bound((data, limit) => data > limit),
	exclusiveMaximum: bound((data, limit) => data < limit),
	multipleOf: bound(isMultiple),
};

function isMultiple(data: Number, factor: Number): boolean {
	if (Number.isInteger(Number(factor)) && (typeof data === 'bigint' || Number.isInteger(data))) {
		return BigInt(data) % BigInt(factor) === 0n;
	}
	const times = Number(data) / Number(factor);
	return Math.abs(Math.round(times) - times) <= 1e-10;
}

/** Has the keywords that compare numbers work with bigints. Their errors are those of the keywords they replace. */
export function addExactKeywords(ajv: Ajv): void {
	for (const [keyword, check] of Object.entries(CHECKS)) {
		ajv.removeKeyword(keyword);
		ajv.addKeyword({ keyword, validate: reporting(keyword, check) });
	}
}

function reporting(keyword: string, check: Check): SchemaValidateFunction {
	const validate: SchemaValidateFunction = (of: ExactValue, data: ExactValue) => {
		const limit = typeof of === 'bigint' ? String(of) : of;
		const params = { type: of, allowedValue: limit, multipleOf: limit, limit };
		const holds = check(of as never, data);
		validate.errors = holds ? [] : [{ keyword: keyword === TYPE ? 'type' : keyword, params }];
		return holds;
	};
	return validate;
}
