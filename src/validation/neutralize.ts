import { atFragment } from '../elicitation/form/flatten.ts';
import type { Skipped } from '../elicitation/form/validate.ts';
import { isEmptyObject, isObject, type Json, type JsonObject, own } from '../elicitation/json.ts';
import { comparable, isNumeric, isText, writeJson } from '../elicitation/jsonText.ts';
import { NAMED_SCHEMAS } from '../elicitation/keywords.ts';
import { pointerToken } from '../elicitation/pointer.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { unfitPattern } from './patterns.ts';

/** Keywords whose value is data, not a schema. */
export const DATA = new Set(['const', 'enum', 'default', 'examples']);
/**
 * `$async` makes the validator return a promise, which is truthy. `$id` may clash with a known id or change the base of
 * local references.
 */
const DROPPED = new Set(['$async', '$id']);

const TYPES = new Set<Json>(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);
const isNumber = (value: Json) => typeof value === 'number';
const isSchema = (value: Json) => typeof value === 'boolean' || isObject(value);
const areSchemas = (value: Json) => Array.isArray(value) && value.length > 0 && value.every(isSchema);
const areTexts = (value: Json) => Array.isArray(value) && value.every(isText);

/** What the value of each keyword must be, or the validator refuses the whole schema. */
const FITS = new Map<string, (value: Json) => boolean>([
	[
		'type',
		(value) => TYPES.has(value) || (Array.isArray(value) && value.length > 0 && value.every((name) => TYPES.has(name))),
	],
	['enum', Array.isArray],
	['format', isText],
	['multipleOf', (value) => isNumeric(value) && comparable(value) > 0],
	['uniqueItems', (value) => typeof value === 'boolean'],
	['items', (value) => isSchema(value) || areSchemas(value)],
	['dependentRequired', (value) => isObject(value) && Object.values(value).every(areTexts)],
	...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((name) => [name, isNumeric] as const),
	...['Length', 'Items', 'Properties', 'Contains'].flatMap((name) =>
		['min', 'max'].map((end) => [end + name, isNumber] as const),
	),
	...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((name) => [name, areSchemas] as const),
	...[...NAMED_SCHEMAS].map((name) => [name, isObject] as const),
	...'not if then else contains propertyNames additionalProperties additionalItems unevaluatedItems unevaluatedProperties'
		.split(' ')
		.map((name) => [name, isSchema] as const),
]);

/** Keywords whose value is a schema, or holds schemas. What other keywords hold is nobody's business, unless a reference leads there. */
const SCHEMAS = new Set([
	...[...FITS].flatMap(([name, fits]) => (fits === isSchema || fits === areSchemas ? [name] : [])),
	...NAMED_SCHEMAS,
	'items',
]);
const REFERENCES = new Set(['$ref', '$dynamicRef', '$recursiveRef']);

/**
 * Removes what would affect the validator itself, and what it cannot run, or would run with another meaning: an unknown
 * reference, a pattern of another language, a bound that is no number. The rest of the schema is enforced. Nothing that
 * the whole schema allows becomes invalid.
 */
export function neutralize(root: JsonObject): { schema: JsonObject; skipped: readonly Skipped[] } {
	const strict = new Neutralizer(root, false);
	const schema = strict.node(root, '') as JsonObject;
	if (strict.skipped.length === 0) {
		return { schema, skipped: [] };
	}
	// What a reference leads to may be incomplete, too.
	const lenient = new Neutralizer(root, true);
	return { schema: lenient.node(root, '') as JsonObject, skipped: lenient.skipped };
}

class Neutralizer {
	readonly skipped: Skipped[] = [];
	/** The whole schema as JSON. */
	readonly #written: string;

	/** @param refersToLess whether what references lead to allows more than it should */
	constructor(
		private readonly root: JsonObject,
		private readonly refersToLess: boolean,
	) {
		this.#written = JSON.stringify(root);
	}

	node(node: Json, at: string): Json {
		if (Array.isArray(node)) {
			return node.map((item, index) => this.node(item, `${at}/${index}`));
		}
		if (!isObject(node)) {
			return node;
		}
		const kept = new Map<string, Json>();
		const incomplete = new Set<string>();
		for (const [name, given] of Object.entries(node)) {
			const value = emptied(name, given);
			if (value === undefined || DROPPED.has(name)) {
				continue;
			}
			const before = this.skipped.length;
			const reason = this.#unfit(name, value);
			if (reason === undefined) {
				kept.set(name, this.#value(name, value, `${at}/${pointerToken(name)}`));
			} else {
				this.skipped.push({ pointer: at, keyword: name, message: reason });
			}
			if (this.skipped.length > before || (this.refersToLess && JSON.stringify(value).includes('"$ref"'))) {
				incomplete.add(name);
			}
		}
		return withPrototypeProperty(Object.fromEntries(withoutInverted(kept, incomplete)));
	}

	#value(name: string, value: Json, at: string): Json {
		if (DATA.has(name)) {
			return value;
		}
		if (!SCHEMAS.has(name)) {
			const before = this.skipped.length;
			const visited = this.node(value, at);
			if (!this.#written.includes(`"#${at}`)) {
				this.skipped.length = before;
			}
			return visited;
		}
		if (!NAMED_SCHEMAS.has(name) || !isObject(value)) {
			return this.node(value, at);
		}
		const members: [string, Json][] = [];
		for (const [key, schema] of Object.entries(value)) {
			const pointer = `${at}/${pointerToken(key)}`;
			const reason = name === 'patternProperties' ? unfitPattern(key) : undefined;
			const fits = isSchema(schema) || (name === 'dependencies' && areTexts(schema));
			if (reason !== undefined || !fits) {
				this.skipped.push({ pointer, keyword: name, message: reason ?? unfit(key, schema) });
			}
			if (reason === undefined) {
				members.push([key, fits ? this.node(schema, pointer) : {}]);
			}
		}
		return Object.fromEntries(members);
	}

	/** Why a keyword is left out. */
	#unfit(name: string, value: Json): Sentence | undefined {
		if (name === 'pattern' && typeof value === 'string') {
			return unfitPattern(value);
		}
		if (REFERENCES.has(name) && typeof value === 'string') {
			return this.#leads(value)
				? undefined
				: localizable('Not checked here: "{0}" is not looked up.', value.slice(0, 200));
		}
		const fits = REFERENCES.has(name) || name === 'pattern' ? isText : FITS.get(name);
		return fits === undefined || fits(value) ? undefined : unfit(name, value);
	}

	#leads(reference: string): boolean {
		const target = atFragment(this.root, reference);
		// The validator finds anchors by itself.
		return target === undefined
			? /^#[^/]/.test(reference) && this.#written.includes(`nchor":${JSON.stringify(reference.slice(1))}`)
			: isSchema(emptySchema(target));
	}
}

function unfit(name: string, value: Json): Sentence {
	return localizable('Not checked here: "{0}" cannot be {1}.', name.slice(0, 60), writeJson(value).slice(0, 60));
}

/** The value of a keyword as it is read; undefined if it says nothing. Many languages write `null` or `[]` for an empty object. */
function emptied(name: string, value: Json): Json | undefined {
	if (DATA.has(name) && name !== 'enum') {
		return value;
	}
	if (value === null || (name === 'id' && typeof value === 'string')) {
		// `id` is the identifier of draft 4. Values other than strings are custom keywords.
		return undefined;
	}
	if (name === 'required') {
		return Array.isArray(value) ? value.filter(isText) : undefined;
	}
	if (NAMED_SCHEMAS.has(name)) {
		return Array.isArray(value) && value.length === 0
			? {}
			: isObject(value)
				? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, emptySchema(member)]))
				: value;
	}
	if (Array.isArray(value) && ['allOf', 'anyOf', 'oneOf', 'prefixItems'].includes(name)) {
		return value.length === 0 ? undefined : value.map(emptySchema);
	}
	return FITS.get(name) === isSchema || name === 'items' ? emptySchema(value) : value;
}

/** Nothing, where a schema is expected, is an empty schema. */
function emptySchema(value: Json): Json {
	return isEmptyObject(value) ? {} : value;
}

/** Drops keywords that allow less because something inside them, or beside them, allows more. */
function withoutInverted(kept: Map<string, Json>, incomplete: ReadonlySet<string>): Map<string, Json> {
	const drop = (...names: readonly string[]) => {
		for (const name of names) {
			kept.delete(name);
		}
	};
	if (kept.get('nullable') !== true || !kept.has('type')) {
		drop('nullable');
	}
	const values = kept.get('enum');
	if (Array.isArray(values) && values.length === 0) {
		drop('enum');
		kept.set('allOf', [...((kept.get('allOf') ?? []) as readonly Json[]), false]);
	}
	if (incomplete.size === 0) {
		return kept;
	}
	drop('unevaluatedProperties', 'unevaluatedItems');
	if (incomplete.has('patternProperties')) {
		drop('additionalProperties');
	}
	if (incomplete.has('not')) {
		drop('not');
	}
	if (incomplete.has('if')) {
		drop('if', 'then', 'else');
	}
	if (incomplete.has('contains')) {
		drop('maxContains');
	}
	const union = kept.get('oneOf');
	if (incomplete.has('oneOf') && union !== undefined) {
		drop('oneOf');
		kept.set('allOf', [...((kept.get('allOf') ?? []) as readonly Json[]), { anyOf: union }]);
	}
	return kept;
}

/** The validator ignores a property named `__proto__`, but not a pattern that matches exactly that name. */
function withPrototypeProperty(node: JsonObject): JsonObject {
	const properties = own(node, 'properties');
	if (!isObject(properties) || !Object.hasOwn(properties, '__proto__')) {
		return node;
	}
	const pattern = '^__proto__$';
	const named = Object.entries(properties).filter(([name]) => name === '__proto__');
	const patterns = isObject(node.patternProperties) ? node.patternProperties : {};
	const schemas = [
		...named.map(([, schema]) => schema),
		...(Object.hasOwn(patterns, pattern) ? [patterns[pattern] as Json] : []),
	];
	return {
		...node,
		properties: Object.fromEntries(Object.entries(properties).filter(([name]) => name !== '__proto__')),
		patternProperties: { ...patterns, [pattern]: { allOf: schemas } },
	};
}
