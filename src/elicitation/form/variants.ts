import { isObject, type Json, type JsonObject, own, plainObject, without } from '../json.ts';
import type { ChoiceField, Field } from './fields.ts';
import { type Flattener, isNullOnly, merge, sameJson } from './flatten.ts';
import { distinct, labelOf, shown } from './options.ts';

/** Unions nest so deep in alternatives. */
const MAX_DEPTH = 4;
/** Max number of fields of all alternatives together. */
const MAX_FIELDS = 1_000;

/** Reads one property of an object. */
type ReadProperty = (key: string, node: Json, required: boolean) => Field;

/**
 * The fields of a schema whose root is a union of objects, as generators write for discriminated unions: a choice of the
 * alternatives, then what each of them asks for. Undefined for other schemas, and for alternatives that cannot be told
 * apart from here. A property that tells them apart is the choice.
 * @param root without references and `allOf`
 */
export function variantFields(root: JsonObject, flattener: Flattener, read: ReadProperty): Field[] | undefined {
	const variants = variantsOf(root, flattener, 0);
	const [first] = variants ?? [];
	if (variants === undefined || first === undefined) {
		return undefined;
	}
	const key = discriminatorOf(root, variants, flattener);
	const choice = choiceOf(key, root, variants, flattener, read);
	const fields: Field[] = [choice];
	const nodes: { key: string; node: Json; required: boolean; options: number[] }[] = [];
	for (const [index, { keywords }] of variants.entries()) {
		const required = requiredOf(keywords);
		for (const [name, node] of Object.entries(propertiesOf(keywords)).filter(([name]) => name !== key)) {
			const same = nodes.find(
				(each) => each.key === name && each.required === required.has(name) && sameJson(each.node, node),
			);
			if (same) {
				same.options.push(index);
			} else {
				nodes.push({ key: name, node, required: required.has(name), options: [index] });
			}
		}
		if (nodes.length > MAX_FIELDS) {
			return undefined;
		}
	}
	for (const { key: name, node, required, options } of nodes) {
		const field = read(name, node, required);
		fields.push(options.length === variants.length ? field : { ...field, variant: { field: 0, options } });
	}
	return fields;
}

interface Variant {
	/** What the root and the alternative say together. */
	readonly keywords: JsonObject;
	/** The alternative alone. */
	readonly branch: JsonObject;
}

/** The alternatives of a union of objects that brings properties of its own; undefined if it does not, or is no such union. */
function variantsOf(root: JsonObject, flattener: Flattener, depth: number): Variant[] | undefined {
	const name = ['oneOf', 'anyOf'].find((each) => brings(root, each, flattener));
	const branches = name === undefined ? undefined : flattener.branches(own(root, name) as readonly Json[]);
	if (name === undefined || branches === undefined || depth > MAX_DEPTH) {
		return undefined;
	}
	const rest = without(root, [name]);
	const variants = branches
		.filter((branch) => !isNullOnly(branch))
		.map((branch): readonly Variant[] | undefined => {
			const keywords = merge(rest, branch);
			const type = own(branch, 'type');
			if (keywords === undefined || (type !== undefined && ![type].flat().includes('object'))) {
				return undefined;
			}
			return variantsOf(keywords, flattener, depth + 1) ?? [{ keywords, branch }];
		});
	return variants.includes(undefined) ? undefined : (variants as readonly (readonly Variant[])[]).flat();
}

/** True if a union has properties that the schema beside it lacks. */
function brings(root: JsonObject, name: string, flattener: Flattener): boolean {
	const union = own(root, name);
	const known = propertiesOf(root);
	const branches = Array.isArray(union) ? (flattener.branches(union) ?? []) : [];
	return branches.some(
		(branch) =>
			Object.keys(propertiesOf(branch)).some((key) => !Object.hasOwn(known, key)) ||
			['oneOf', 'anyOf'].some((inner) => brings(branch, inner, flattener)),
	);
}

/** The property that has another constant in each alternative. */
function discriminatorOf(root: JsonObject, variants: readonly Variant[], flattener: Flattener): string | undefined {
	const told = own(own(root, 'discriminator'), 'propertyName');
	const names = [
		...(typeof told === 'string' ? [told] : []),
		...Object.keys(propertiesOf(variants[0]?.keywords ?? {})),
	];
	return names.find((name) => {
		const values = variants.map(({ keywords }) => constantOf(own(propertiesOf(keywords), name), flattener));
		const texts = values.map((value) => (typeof value === 'object' ? undefined : JSON.stringify(value)));
		return !texts.includes(undefined) && new Set(texts).size === texts.length;
	});
}

function constantOf(node: Json | undefined, flattener: Flattener): Json | undefined {
	const keywords = flattener.flatten(node)?.keywords;
	const values = own(keywords, 'enum');
	return own(keywords, 'const') ?? (Array.isArray(values) && values.length === 1 ? values[0] : undefined);
}

function choiceOf(
	key: string | undefined,
	root: JsonObject,
	variants: readonly Variant[],
	flattener: Flattener,
	read: ReadProperty,
): ChoiceField {
	const options = variants.map(({ keywords, branch }) => {
		const value = key === undefined ? null : (constantOf(own(propertiesOf(keywords), key), flattener) ?? null);
		const names = Object.keys(propertiesOf(branch)).join(', ') || '{}';
		const description = shown(own(branch, 'description'));
		return {
			value,
			label: shown(own(branch, 'title')) ?? (key === undefined ? names : labelOf(value)),
			...(description !== undefined && { description }),
		};
	});
	const base = { required: true, nullable: false, kind: 'choice', options: distinct(options) } as const;
	if (key === undefined) {
		return { ...base, key: '', label: '', unsent: true };
	}
	const [first] = variants;
	const { label, description } = read(key, own(propertiesOf(first?.keywords ?? root), key) ?? {}, true);
	return { ...base, key, label, ...(description !== undefined && { description }) };
}

function propertiesOf(keywords: JsonObject): JsonObject {
	const properties = own(keywords, 'properties');
	return isObject(properties) ? properties : plainObject([]);
}

function requiredOf(keywords: JsonObject): ReadonlySet<Json> {
	const names = own(keywords, 'required');
	return new Set(Array.isArray(names) ? names : []);
}
