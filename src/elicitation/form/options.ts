import { isFilledText, isObject, type Json, type JsonObject, own } from '../json.ts';
import { isInteger, isNumeric, isText, unmarked, writeJson } from '../jsonText.ts';
import type { Option } from './fields.ts';
import { type Flattener, sameJson } from './flatten.ts';

const BRANCH_KEYWORDS = new Set([
	'const',
	'enum',
	'title',
	'description',
	'type',
	'default',
	'examples',
	'deprecated',
	'$comment',
]);

/** The label of a value without a title. */
export function labelOf(value: Json): string {
	return isFilledText(value) ? unmarked(value) : writeJson(value);
}

/** The text, or undefined if it is blank. Blank titles count as missing. */
export function shown(value: Json | undefined): string | undefined {
	return isFilledText(value) ? value : undefined;
}

/** True if a value has one of the types of a `type` keyword. */
export function hasType(value: Json, type: Json | undefined): boolean {
	if (Array.isArray(type)) {
		return type.some((name) => hasType(value, name));
	}
	switch (type) {
		case undefined:
			return true;
		case 'null':
			return value === null;
		case 'integer':
			return isInteger(value);
		case 'number':
			return isNumeric(value);
		case 'string':
			return isText(value);
		case 'array':
			return Array.isArray(value);
		case 'object':
			return isObject(value);
		default:
			return typeof value === type;
	}
}

/**
 * The options of a schema with `enum`, or `anyOf`/`oneOf` of constants; `undefined` for other schemas. `null` is never
 * an option: the user leaves the field blank instead.
 */
export function optionsOf(keywords: JsonObject, flattener: Flattener): readonly Option[] | undefined {
	const values = own(keywords, 'enum');
	const union = own(keywords, 'oneOf') ?? own(keywords, 'anyOf');
	let options: Option[] | undefined;
	if (Array.isArray(union) && !(Object.hasOwn(keywords, 'oneOf') && Object.hasOwn(keywords, 'anyOf'))) {
		options = unionOptions(union, Object.hasOwn(keywords, 'oneOf'), flattener);
		if (Array.isArray(values)) {
			options = options?.filter((option) => values.some((value) => sameJson(value, option.value)));
		}
	} else if (Array.isArray(values) && flattener.spend(values.length)) {
		options = enumOptions(values, own(keywords, 'enumNames'));
	}
	const type = own(keywords, 'type');
	const usable = options?.filter((option) => option.value !== null && hasType(option.value, type));
	return usable === undefined || usable.length === 0 ? undefined : distinct(usable);
}

function enumOptions(values: readonly Json[], names: Json | undefined): Option[] {
	const seen = new Set<string>();
	const options: Option[] = [];
	for (const [index, value] of values.entries()) {
		const identity = JSON.stringify(value);
		if (!seen.has(identity)) {
			seen.add(identity);
			options.push({ value, label: (Array.isArray(names) ? shown(names[index]) : undefined) ?? labelOf(value) });
		}
	}
	return options;
}

function unionOptions(union: readonly Json[], exclusive: boolean, flattener: Flattener): Option[] | undefined {
	const branches = flattener.branches(union);
	const byValue = new Map<string, Option | undefined>();
	for (const branch of branches ?? []) {
		if (!Object.keys(branch).every((name) => BRANCH_KEYWORDS.has(name))) {
			return undefined;
		}
		const values = Object.hasOwn(branch, 'const') ? [branch.const as Json] : own(branch, 'enum');
		if (!Array.isArray(values) || !flattener.spend(values.length)) {
			return undefined;
		}
		const title = values.length === 1 ? shown(own(branch, 'title')) : undefined;
		const description = shown(own(branch, 'description'));
		for (const value of values.filter((candidate) => hasType(candidate, own(branch, 'type')))) {
			const identity = JSON.stringify(value);
			if (!byValue.has(identity)) {
				byValue.set(identity, {
					value,
					label: title ?? labelOf(value),
					...(description !== undefined && { description }),
				});
			} else if (exclusive) {
				// `oneOf` rejects a value that two branches allow.
				byValue.set(identity, undefined);
			}
		}
	}
	return branches && [...byValue.values()].filter((option) => option !== undefined);
}

/**
 * Appends the value to labels that would otherwise look alike.
 * @param passes how often at most, because the result may look like another label
 */
export function distinct(options: readonly Option[], passes = 3): readonly Option[] {
	const groups = new Map<string, Json[]>();
	for (const { label, value } of options) {
		const group = groups.get(looksOf(label));
		if (group === undefined) {
			groups.set(looksOf(label), [value]);
		} else {
			group.push(value);
		}
	}
	if (groups.size === options.length || passes === 0) {
		return options;
	}
	const texts = new Map(
		[...groups].filter(([, values]) => values.length > 1).map(([looks, values]) => [looks, textFor(values)]),
	);
	const named = options.map((option) => {
		const text = texts.get(looksOf(option.label));
		return text === undefined ? option : { ...option, label: `${option.label} (${text(option.value)})` };
	});
	return distinct(named, passes - 1);
}

/** Nobody sees how many spaces there are. */
function looksOf(label: string): string {
	return label.trim().replace(/\s+/g, ' ');
}

/** Uses JSON if it is needed to distinguish the number 1 from the text "1". */
function textFor(values: readonly Json[]): (value: Json) => string {
	const looks = new Set(values.map((value) => looksOf(labelOf(value))));
	return looks.size === values.length ? labelOf : (value) => writeJson(value);
}
