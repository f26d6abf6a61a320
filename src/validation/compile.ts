import { Ajv, type AnySchemaObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { type JsonObject, own } from '../elicitation/json.ts';
import { neutralise } from './neutralise.ts';

/** With the `u` flag first; `\-` and `\@` are common in patterns and illegal with it, so then without. */
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

/** How every schema is run. */
export const OPTIONS: Options = {
	allErrors: true,
	verbose: true,
	strict: false,
	ownProperties: true,
	addUsedSchema: false,
	validateSchema: false,
	logger: false,
	// 0.3 is a multiple of 0.1, whatever the division says.
	multipleOfPrecision: 10,
	code: { regExp },
};

export interface Compiled {
	readonly schema: JsonObject;
	readonly validate: ValidateFunction;
}

/** Compiles a schema in an instance of its own. Throws when it cannot be run, an unknown reference included. */
export function compile(raw: JsonObject): Compiled {
	const schema = neutralise(raw);
	const dialect = own(raw, '$schema');
	if (typeof dialect === 'string') {
		return compileWith(dialectOf(dialect), schema);
	}
	try {
		return compileWith(Ajv2020, schema);
	} catch (error) {
		// Many generators write draft 7 without saying so; its tuples do not compile in the current dialect.
		try {
			return compileWith(Ajv, schema);
		} catch {
			throw error;
		}
	}
}

type Dialect = typeof Ajv | typeof Ajv2019 | typeof Ajv2020;

function dialectOf(name: string): Dialect {
	return /draft-0[3-7]/.test(name) ? Ajv : name.includes('2019-09') ? Ajv2019 : Ajv2020;
}

function compileWith(dialect: Dialect, schema: JsonObject): Compiled {
	const ajv = new dialect(OPTIONS);
	// The interop of the CommonJS default export differs between bundlers and type checkers.
	(addFormats as unknown as (ajv: Ajv, options: { mode: 'full' }) => void)(ajv as Ajv, { mode: 'full' });
	return { schema, validate: ajv.compile(schema as AnySchemaObject) };
}
