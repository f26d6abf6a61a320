import { given, isObject, type Json, type JsonObject, own } from '../json.ts';
import { inDoubles, isNumeric, isText, type Numeric } from '../jsonText.ts';
import { mentionsSecret } from '../secretNames.ts';
import { type Field, isListed, type ListField } from './fields.ts';
import { acceptedFile } from './file.ts';
import { Flattener, sameJson } from './flatten.ts';
import { hasType, optionsOf, shown } from './options.ts';
import { TEXT_FORMATS, type TextEntry } from './textFormats.ts';
import { variantFields } from './variants.ts';

/** Texts longer than this use a multi-line control. */
const LONG_TEXT = 200;

/** Keywords by which a schema may demand or describe more than its properties do. */
const ELSEWHERE = '$ref $dynamicRef allOf anyOf oneOf not if const enum'.split(' ');
const OPEN = 'patternProperties dependentSchemas additionalProperties unevaluatedProperties'.split(' ');
const WHOLE: Field = { kind: 'json', key: '', label: '', required: false, nullable: false, whole: true };

/**
 * Converts a `requestedSchema` or a tool's input schema to fields: a choice of its alternatives, if it has any, and its
 * properties in their order. A schema that asks for something which no field can show is one field of JSON.
 */
export function fieldsOf(schema: JsonObject): readonly Field[] {
	const flattener = new Flattener(schema);
	const root = flattener.fold(schema);
	const read = (key: string, node: Json, required: boolean) => readField(key, node, required, flattener);
	const fields = (root && variantFields(root, flattener, read)) ?? [
		...propertyFields(schema, flattener),
		...conditionalFields(schema, flattener),
	];
	const isOpen = (name: string) => Object.keys(own(root ?? schema, name) ?? {}).length > 0;
	const demandsMore =
		ELSEWHERE.some((name) => given(root ?? schema, name) !== undefined) ||
		OPEN.some(isOpen) ||
		Number(given(root ?? schema, 'minProperties')) > 0;
	return fields.length === 0 && demandsMore ? [WHOLE] : fields;
}

/** The fields of the properties that a schema has at its root, which is all that most clients show. */
export function propertyFields(schema: JsonObject, flattener = new Flattener(schema)): Field[] {
	const root = flattener.fold(schema) ?? schema;
	const properties = own(root, 'properties');
	const names = own(root, 'required');
	const required = new Set(Array.isArray(names) ? names : []);
	return Object.entries(isObject(properties) ? properties : {}).map(([key, node]) =>
		readField(key, node, required.has(key), flattener),
	);
}

/** Properties that a schema has only on a condition. Whether they are required is up to the validation. */
function conditionalFields(schema: JsonObject, flattener: Flattener): Field[] {
	const root = flattener.fold(schema) ?? schema;
	const all = own(root, 'allOf');
	const parts = [root, ...(Array.isArray(all) ? all : [])];
	const dependent = Object.values(own(root, 'dependentSchemas') ?? {}) as readonly Json[];
	const branches = [...parts.flatMap((part) => [own(part, 'then'), own(part, 'else')]), ...dependent];
	const found = new Map<string, Json>();
	for (const branch of branches) {
		for (const [key, node] of Object.entries(own(flattener.fold(branch), 'properties') ?? {})) {
			if (!found.has(key) && own(own(root, 'properties'), key) === undefined) {
				found.set(key, node as Json);
			}
		}
	}
	return [...found].map(([key, node]) => readField(key, node, false, flattener));
}

/** The fields that are sent while the first alternative is chosen, or all if there are none. */
export function firstFields(schema: JsonObject): readonly Field[] {
	return fieldsOf(schema).filter(
		(field) => (field.variant?.options.includes(0) ?? true) && !('whole' in field || 'unsent' in field),
	);
}

type Base = Pick<Field, 'key' | 'label' | 'description' | 'required' | 'nullable'>;

/** Converts one property to a field. */
export function readField(key: string, node: Json, required: boolean, flattener: Flattener): Field {
	const flat = flattener.flatten(node);
	const named = flat?.keywords ?? (isObject(node) ? node : {});
	const description = shown(own(named, 'description'));
	const base: Base = {
		key,
		label: titleOf(node, named) ?? key,
		...(description !== undefined && { description }),
		required,
		nullable: flat?.nullable ?? false,
	};
	const value = own(named, 'default');
	// A default of `null` means blank.
	const preset = value === null ? undefined : value;
	const field =
		flat && (readListed(base, flat.keywords, preset, flattener) ?? readTyped(base, flat.keywords, preset, flattener));
	const read: Field = field ?? { ...base, kind: 'json', ...(preset !== undefined && { default: preset }) };
	const secret = !isListed(read) && (isMasked(named) || mentionsSecret(key) || mentionsSecret(read.label));
	return secret ? { ...read, secret } : read;
}

/**
 * The property's own title. The title of a shared definition names a type (`Color`), not the property (`background`).
 */
function titleOf(node: Json, folded: JsonObject): string | undefined {
	const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((name) => own(node, name) ?? []) as readonly Json[];
	const shared = [node, ...parts].some((part) => own(part, '$ref') !== undefined);
	return shown(own(node, 'title')) ?? (shared ? undefined : shown(own(folded, 'title')));
}

/** Reads properties that list their values: constants and choices. */
function readListed(
	base: Base,
	keywords: JsonObject,
	preset: Json | undefined,
	flattener: Flattener,
): Field | undefined {
	if (Object.hasOwn(keywords, 'const')) {
		const value = keywords.const as Json;
		return base.nullable && value !== null
			? {
					...base,
					kind: 'choice',
					options: optionsOf({ enum: [value] }, flattener) ?? [],
					...(sameJson(preset ?? null, value) && { default: 0 }),
				}
			: { ...base, kind: 'const', value };
	}
	const options = optionsOf(keywords, flattener);
	if (options === undefined) {
		return undefined;
	}
	const index = preset === undefined ? -1 : options.findIndex((option) => sameJson(option.value, preset));
	return { ...base, kind: 'choice', options, ...(index >= 0 && { default: index }) };
}

function readTyped(
	base: Base,
	keywords: JsonObject,
	preset: Json | undefined,
	flattener: Flattener,
): Field | undefined {
	switch (typeOf(keywords, flattener)) {
		case 'string':
			return readText(base, keywords, preset);
		case 'number':
			return readNumber(base, keywords, preset, false);
		case 'integer':
			return readNumber(base, keywords, preset, true);
		case 'boolean':
			return { ...base, kind: 'boolean', ...(typeof preset === 'boolean' && { default: preset }) };
		case 'array':
			return readArray(base, keywords, preset, flattener);
		case 'null':
			return { ...base, kind: 'const', value: null };
		default:
			return undefined;
	}
}

/** The type of the value, if the schema allows only one. */
function typeOf(keywords: JsonObject, flattener: Flattener): string | undefined {
	const type = own(keywords, 'type');
	if (typeof type === 'string') {
		return type;
	}
	if (Array.isArray(type)) {
		return common(type.map((name) => (typeof name === 'string' ? name : undefined)));
	}
	for (const name of ['anyOf', 'oneOf']) {
		const union = own(keywords, name);
		if (Array.isArray(union)) {
			return common((flattener.branches(union) ?? [undefined]).map((branch) => branch && typeOfBranch(branch)));
		}
	}
	if (['minLength', 'maxLength', 'pattern', 'format'].some((name) => Object.hasOwn(keywords, name))) {
		return 'string';
	}
	return ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].some((name) =>
		Object.hasOwn(keywords, name),
	)
		? 'number'
		: undefined;
}

function typeOfBranch(branch: JsonObject): string | undefined {
	const type = own(branch, 'type');
	if (typeof type === 'string') {
		// Arrays and objects of different shapes have no common control.
		return type === 'array' || type === 'object' ? undefined : type;
	}
	const values = Object.hasOwn(branch, 'const') ? [branch.const as Json] : own(branch, 'enum');
	return Array.isArray(values) && values.every((value) => typeof value === 'string') ? 'string' : undefined;
}

function common(types: readonly (string | undefined)[]): string | undefined {
	const distinct = new Set(types);
	if (distinct.size === 2 && distinct.has('integer') && distinct.has('number')) {
		return 'number';
	}
	return distinct.size === 1 ? types[0] : undefined;
}

function readText(base: Base, keywords: JsonObject, preset: Json | undefined): Field {
	const format = shown(own(keywords, 'format'));
	const pattern = own(keywords, 'pattern');
	const initial = isText(preset) ? preset : undefined;
	const file = acceptedFile(own(keywords, 'x-mcp-file'));
	return {
		...base,
		kind: 'text',
		entry: entryOf(keywords, format, initial),
		...(format !== undefined && { format }),
		...counts(keywords, ['minLength', 'maxLength']),
		...(typeof pattern === 'string' && { pattern }),
		...(file && { file }),
		...(initial !== undefined && { default: initial }),
	};
}

/** True if the schema marks the value as hidden. */
export function isMasked(keywords: JsonObject): boolean {
	return own(keywords, 'writeOnly') === true || own(keywords, 'format') === 'password';
}

function entryOf(keywords: JsonObject, format: string | undefined, preset: string | undefined): TextEntry {
	if (isMasked(keywords)) {
		return 'password';
	}
	// A single-line control would drop the line breaks of the default.
	if (preset !== undefined && /[\r\n]/.test(preset)) {
		return 'area';
	}
	const { entry, enterable } = TEXT_FORMATS.get(format ?? '') ?? {};
	if (entry !== undefined) {
		// Another default would be lost.
		return preset === undefined || preset === '' || (enterable?.test(preset) ?? true) ? entry : 'line';
	}
	const longest = own(keywords, 'maxLength');
	return typeof longest === 'number' && longest > LONG_TEXT ? 'area' : 'line';
}

function readNumber(base: Base, keywords: JsonObject, preset: Json | undefined, integer: boolean): Field {
	return {
		...base,
		kind: 'number',
		integer,
		...bounds(keywords, ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']),
		...(isNumeric(preset) && { default: preset }),
	};
}

function readArray(
	base: Base,
	keywords: JsonObject,
	preset: Json | undefined,
	flattener: Flattener,
): Field | undefined {
	if (Object.hasOwn(keywords, 'prefixItems') || Object.hasOwn(keywords, 'contains')) {
		return undefined;
	}
	const items = flattener.flatten(own(keywords, 'items'))?.keywords;
	if (items === undefined) {
		return undefined;
	}
	const limits = counts(keywords, ['minItems', 'maxItems']);
	const options = optionsOf(Object.hasOwn(items, 'const') ? { enum: [items.const as Json] } : items, flattener);
	if (options !== undefined) {
		const indexes = Array.isArray(preset)
			? preset.map((value) => options.findIndex((option) => sameJson(option.value, value)))
			: undefined;
		const usable = indexes !== undefined && !indexes.includes(-1) && new Set(indexes).size === indexes.length;
		return { ...base, kind: 'choices', options, ...limits, ...(usable && { default: indexes }) };
	}
	const item = itemOf(typeOf(items, flattener));
	if (item === undefined) {
		return undefined;
	}
	const type = item === 'text' ? 'string' : 'number';
	const usable = Array.isArray(preset) && preset.every((value) => hasType(value, type));
	return { ...base, kind: 'list', item, ...limits, ...(usable && { default: preset as readonly (string | number)[] }) };
}

function itemOf(type: string | undefined): ListField['item'] | undefined {
	return type === 'string' ? 'text' : type === 'number' || type === 'integer' ? type : undefined;
}

/** The numeric keywords among `names`. */
function bounds<Name extends string>(keywords: JsonObject, names: readonly Name[]): { [name in Name]?: Numeric } {
	const found: { [name in Name]?: Numeric } = {};
	for (const name of names) {
		const value = own(keywords, name);
		if (isNumeric(value)) {
			found[name] = value;
		}
	}
	return found;
}

/** The same for numbers of characters or entries, of which nobody has so many that a double cannot count them. */
function counts<Name extends string>(keywords: JsonObject, names: readonly Name[]): { [name in Name]?: number } {
	return inDoubles(bounds(keywords, names)) as { [name in Name]?: number };
}
