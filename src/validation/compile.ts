import { Ajv, type AnySchemaObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { Skipped } from '../elicitation/form/validate.ts';
import { type JsonObject, own } from '../elicitation/json.ts';
import { addExactKeywords, exactSchema } from './exact.ts';
import { withoutContradictedFormats } from './formats.ts';
import { neutralize } from './neutralize.ts';

/** Tries the `u` flag first. `\-` and `\@` are common in patterns but invalid with it, so falls back to no flag. */
const regExp = Object.assign(
	(pattern: string, flags: string): RegExp => {
		try {
			return new RegExp(pattern, flags);
		} catch {
			return new RegExp(pattern);
		}
	},
	{ code: 'new RegExp' },
);

/** Options for every schema. */
export const OPTIONS: Options = {
	allErrors: true,
	verbose: true,
	strict: false,
	ownProperties: true,
	addUsedSchema: false,
	validateSchema: false,
	logger: false,
	// Tolerates rounding: 0.3 is a multiple of 0.1.
	multipleOfPrecision: 10,
	code: { regExp },
};

export interface Compiled {
	readonly schema: JsonObject;
	/** What the schema has and the validator lacks. */
	readonly skipped: readonly Skipped[];
	readonly validate: ValidateFunction;
}

/**
 * Compiles a schema in its own validator instance.
 * @param exact whether the schema or the content has numbers that no double can hold; see `exactValue` for the content
 * @throws if it cannot be run, for example because of an unknown reference
 */
export function compile(raw: JsonObject, exact = false): Compiled {
	const { schema: complete, skipped } = neutralize(raw);
	const given = own(raw, '$schema');
	const dialect = typeof given === 'string' ? dialectOf(given) : undefined;
	const schema = withoutContradictedFormats(complete, (part) => compileIn(dialect, part));
	if (!exact) {
		return { schema, skipped, validate: compileIn(dialect, schema) };
	}
	const exactly = exactSchema(schema);
	return { schema: exactly, skipped, validate: compileIn(dialect, exactly, true) };
}

function compileIn(dialect: Dialect | undefined, schema: JsonObject, exact = false): ValidateFunction {
	if (dialect !== undefined) {
		return compileWith(dialect, schema, exact);
	}
	try {
		return compileWith(Ajv2020, schema, exact);
	} catch (error) {
		// Many generators emit draft 7 without declaring it. Its tuples do not compile in the current dialect.
		try {
			return compileWith(Ajv, schema, exact);
		} catch {
			throw error;
		}
	}
}

type Dialect = typeof Ajv | typeof Ajv2019 | typeof Ajv2020;

function dialectOf(name: string): Dialect {
	return /draft-0[3-7]/.test(name) ? Ajv : name.includes('2019-09') ? Ajv2019 : Ajv2020;
}

function compileWith(dialect: Dialect, schema: JsonObject, exact: boolean): ValidateFunction {
	const ajv = new dialect(OPTIONS);
	if (exact) {
		addExactKeywords(ajv as Ajv);
	}
	// Bundlers and type checkers disagree about the default export of CommonJS modules.
	(addFormats as unknown as (ajv: Ajv, options: { mode: 'full' }) => void)(ajv as Ajv, { mode: 'full' });
	return ajv.compile(schema as AnySchemaObject);
}
