import { isObject, type Json, type JsonObject, own, plainObject, without } from '../json.ts';
import { nameOfToken } from '../pointer.ts';

/** Max depth of references and `allOf`. Request schemas nest at most 32 levels, so valid ones need no more. */
const MAX_DEPTH = 32;
/** Max schema nodes and options per form. Bounds the cost of exponential `$ref` expansion. */
const MAX_STEPS = 200_000;

/** Keywords that describe a value without affecting validation. The outermost one wins. */
const ANNOTATIONS = new Set([
	'title',
	'description',
	'default',
	'examples',
	'deprecated',
	'readOnly',
	'writeOnly',
	'enumNames',
	'$comment',
	'$defs',
	'definitions',
	'$schema',
	'$id',
	'additionalProperties',
	'unevaluatedProperties',
]);
const LOWER = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems']);
const UPPER = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems']);

/** Compares JSON values. Ignores the order of keys. */
export function sameJson(a: Json, b: Json): boolean {
	if (a === b) {
		return true;
	}
	if (Array.isArray(a) && Array.isArray(b)) {
		return a.length === b.length && a.every((item, index) => sameJson(item, b[index] ?? null));
	}
	if (!isObject(a) || !isObject(b)) {
		return false;
	}
	const keys = Object.keys(a);
	return (
		keys.length === Object.keys(b).length &&
		keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key] ?? null, b[key] ?? null))
	);
}

/** True if one JSON-RPC request is the other one, sent again: ids as text are the same. */
export function isSameRequest(a: JsonObject, b: JsonObject): boolean {
	return sameJson(without(a, ['id']), without(b, ['id']));
}

/** Resolves a JSON pointer in a URI fragment (`#/$defs/Color`). Resolves nothing outside the document. */
export function atFragment(root: Json, reference: string): Json | undefined {
	if (reference === '#') {
		return root;
	}
	if (!reference.startsWith('#/')) {
		return undefined;
	}
	let at: Json | undefined = root;
	for (const token of reference.slice(2).split('/')) {
		const key = decodeToken(token);
		if (key === undefined) {
			return undefined;
		}
		at = Array.isArray(at) ? (/^\d+$/.test(key) ? (at[Number(key)] as Json | undefined) : undefined) : own(at, key);
	}
	return at;
}

function decodeToken(token: string): string | undefined {
	try {
		return nameOfToken(decodeURIComponent(token));
	} catch {
		return undefined;
	}
}

/** A property's schema with references resolved and `null` separated. */
export interface Flat {
	/** The remaining keywords, without `$ref`, `allOf` and branches that only allow `null`. */
	readonly keywords: JsonObject;
	/** True if the schema mentions `null` and allows it. */
	readonly nullable: boolean;
}

/** Flattens the schemas of one document. The total cost per document is bounded. */
export class Flattener {
	#steps = 0;

	constructor(
		readonly root: JsonObject,
		private readonly maxSteps = MAX_STEPS,
	) {}

	/** Spends steps of the document's budget. Returns false once it is used up. */
	spend(steps: number): boolean {
		this.#steps += steps;
		return this.#steps <= this.maxSteps;
	}

	/** Merges references and `allOf` into one object; `undefined` if that would change the meaning. */
	fold(node: Json | undefined, depth = 0): JsonObject | undefined {
		if (node === true) {
			return {};
		}
		if (!isObject(node) || depth > MAX_DEPTH || !this.spend(1)) {
			return undefined;
		}
		if (Object.hasOwn(node, '$dynamicRef') || Object.hasOwn(node, '$recursiveRef')) {
			return undefined;
		}
		const reference = own(node, '$ref');
		const all = own(node, 'allOf');
		let folded: JsonObject | undefined = without(node, ['$ref', 'allOf']);
		if (Array.isArray(all)) {
			// In reverse, so that the properties of earlier parts come first.
			for (const part of all.toReversed()) {
				folded = merge(this.fold(part, depth + 1), folded);
			}
		}
		if (reference !== undefined) {
			const target = typeof reference === 'string' ? atFragment(this.root, reference) : undefined;
			folded = merge(this.fold(target, depth + 1), folded);
		}
		return folded;
	}

	/** The merged branches of `anyOf` or `oneOf`; `undefined` if one of them cannot be merged. */
	branches(union: readonly Json[]): JsonObject[] | undefined {
		const folded: JsonObject[] = [];
		for (const branch of union) {
			const flat = this.fold(branch);
			if (flat === undefined) {
				return undefined;
			}
			folded.push(flat);
		}
		return folded;
	}

	/** Merges a node, separates `null` and replaces unions of one branch with that branch. */
	flatten(node: Json | undefined): Flat | undefined {
		const folded = this.fold(node);
		if (folded === undefined) {
			return undefined;
		}
		const keywords = this.#withoutNull(folded, 0);
		return keywords === undefined
			? undefined
			: { keywords, nullable: this.#mentionsNull(folded) && this.#admitsNull(folded, 0) };
	}

	#mentionsNull(keywords: JsonObject): boolean {
		return ['type', 'enum', 'const', 'anyOf', 'oneOf', 'nullable'].some((name) => Object.hasOwn(keywords, name));
	}

	/** True if `null` is certainly valid. Assumes that it is not if that would require executing keywords. */
	#admitsNull(keywords: JsonObject, depth: number): boolean {
		if (depth > MAX_DEPTH || Object.hasOwn(keywords, 'not') || Object.hasOwn(keywords, 'if')) {
			return false;
		}
		const type = own(keywords, 'type');
		if (
			type !== undefined &&
			type !== 'null' &&
			!(Array.isArray(type) && type.includes('null')) &&
			own(keywords, 'nullable') !== true
		) {
			return false;
		}
		const values = own(keywords, 'enum');
		if (Array.isArray(values) && !values.includes(null)) {
			return false;
		}
		if (Object.hasOwn(keywords, 'const') && keywords.const !== null) {
			return false;
		}
		for (const name of ['anyOf', 'oneOf'] as const) {
			const union = own(keywords, name);
			if (Array.isArray(union)) {
				const admitting = this.branches(union)?.filter((branch) => this.#admitsNull(branch, depth + 1)).length ?? 0;
				if (name === 'oneOf' ? admitting !== 1 : admitting === 0) {
					return false;
				}
			}
		}
		return true;
	}

	#withoutNull(keywords: JsonObject, depth: number): JsonObject | undefined {
		if (depth > MAX_DEPTH) {
			return undefined;
		}
		let rest = keywords;
		const type = own(rest, 'type');
		if (Array.isArray(type)) {
			const types = type.filter((name) => name !== 'null');
			const only = types.length === 0 ? 'null' : types.length === 1 ? types[0] : undefined;
			rest = { ...rest, type: only ?? types };
		}
		for (const name of ['anyOf', 'oneOf'] as const) {
			const union = own(rest, name);
			if (!Array.isArray(union)) {
				continue;
			}
			const branches = this.branches(union);
			if (branches === undefined) {
				return undefined;
			}
			const left = branches.filter((branch) => !isNullOnly(branch));
			const [only] = left;
			// Keeps a union of one titled constant: it is a choice of one option, which the user still has to make.
			if (left.length === 1 && only !== undefined && !Object.hasOwn(only, 'const')) {
				const merged = merge(only, without(rest, [name]));
				return merged === undefined ? undefined : this.#withoutNull(merged, depth + 1);
			}
			rest = { ...rest, [name]: left };
		}
		return rest;
	}
}

/** True if the schema allows only `null`. */
export function isNullOnly(keywords: JsonObject): boolean {
	const type = own(keywords, 'type');
	const values = own(keywords, 'enum');
	return (
		type === 'null' ||
		(Array.isArray(type) && type.length > 0 && type.every((name) => name === 'null')) ||
		own(keywords, 'const') === null ||
		(Array.isArray(values) && values.length > 0 && values.every((value) => value === null))
	);
}

/** Merges two schemas. Annotations of `over` win, the tighter bound wins, and other conflicts make it undefined. */
export function merge(under: JsonObject | undefined, over: JsonObject | undefined): JsonObject | undefined {
	if (under === undefined || over === undefined) {
		return undefined;
	}
	const merged = new Map(Object.entries(under));
	for (const [name, value] of Object.entries(over)) {
		const other = merged.get(name);
		const together = other === undefined || ANNOTATIONS.has(name) ? value : mergeKeyword(name, other, value);
		if (together === undefined) {
			return undefined;
		}
		merged.set(name, together);
	}
	return plainObject(merged);
}

function mergeKeyword(name: string, under: Json, over: Json): Json | undefined {
	if (typeof under === 'number' && typeof over === 'number' && LOWER.has(name)) {
		return Math.max(under, over);
	}
	if (typeof under === 'number' && typeof over === 'number' && UPPER.has(name)) {
		return Math.min(under, over);
	}
	if (name === 'required' && Array.isArray(under) && Array.isArray(over)) {
		return [...under, ...over];
	}
	if (name === 'properties' && isObject(under) && isObject(over)) {
		const properties = new Map(Object.entries(under));
		for (const [key, value] of Object.entries(over)) {
			const other = properties.get(key);
			properties.set(key, other === undefined ? value : { allOf: [other, value] });
		}
		return plainObject(properties);
	}
	// Generators write several patterns as `allOf`. The field can show one; all are validated.
	return sameJson(under, over) || name === 'pattern' ? over : undefined;
}
