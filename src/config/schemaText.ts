import { applyEdits, findNodeAtLocation, format, modify, type Node } from 'jsonc-parser';
import { isObject, type Json, type JsonObject, own } from '../elicitation/json.ts';
import { unmarkNumbers } from '../elicitation/jsonText.ts';
import type { JsonPath } from './problem.ts';
import { difference, formattingOf, Lines, nodeToHighlight, parseText, type Replacement, type Span } from './text.ts';

/** Max number of requests that are read from a text, because to check each takes as long as the text is. */
export const MAX_REQUESTS = 100;

/** Members that contain JSON Schemas. Nothing in them is a request. */
const SCHEMAS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/** The params of an elicitation in a text. */
export interface RequestInText {
	readonly params: JsonObject;
	/** Their path in the text. */
	readonly at: JsonPath;
	/** True if the text contains only the requested schema. */
	readonly bare: boolean;
}

/** Expected contents of a text: one request, a schema, or anything that may contain requests. */
export type TextKind = 'request' | 'schema' | 'any';

/** What a text contains: requests or a schema alone; undefined if there is neither. */
export function kindOf(text: string): TextKind | undefined {
	if (requestsIn(text, 'any').length > 0) {
		return 'any';
	}
	const schema = requestsIn(text, 'schema')[0]?.params.requestedSchema;
	return isObject(schema) && (Object.hasOwn(schema, 'properties') || Object.hasOwn(schema, 'type'))
		? 'schema'
		: undefined;
}

/**
 * The requests in a text; none if it is not JSON.
 * @param most no further ones are read
 */
export function requestsIn(text: string, kind: TextKind, most = MAX_REQUESTS): RequestInText[] {
	const { value } = parseText(text);
	if (!isObject(value) && kind !== 'any') {
		return [];
	}
	switch (kind) {
		case 'request':
			return [{ params: value as JsonObject, at: [], bare: false }];
		case 'schema':
			return [{ params: { requestedSchema: value as JsonObject }, at: [], bare: true }];
		default: {
			const found: RequestInText[] = [];
			search(value as Json, [], found, most);
			return found;
		}
	}
}

function search(value: Json, at: JsonPath, found: RequestInText[], most: number): void {
	if (found.length >= most || typeof value !== 'object' || value === null) {
		return;
	}
	if (isObject(value) && (isObject(own(value, 'requestedSchema')) || isUrlRequest(value))) {
		found.push({ params: value, at, bare: false });
		return;
	}
	const params = own(value, 'params');
	if (own(value, 'method') === 'elicitation/create' && isObject(params)) {
		found.push({ params, at: [...at, 'params'], bare: false });
		return;
	}
	const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
	for (const [name, inner] of entries as Iterable<[string | number, Json]>) {
		if (!SCHEMAS.has(String(name))) {
			search(inner, [...at, name], found, most);
		}
	}
}

/** Also those that error -32042 lists. */
function isUrlRequest(value: JsonObject): boolean {
	return own(value, 'mode') === 'url' && typeof own(value, 'url') === 'string';
}

/** The request at an offset, or the first one. */
export function requestAt(text: string, kind: TextKind, offset: number): RequestInText | undefined {
	const requests = requestsIn(text, kind, Number.POSITIVE_INFINITY);
	const { root } = parseText(text);
	return (
		requests.find(({ at }) => {
			const node = root && findNodeAtLocation(root, [...at]);
			return node && node.offset <= offset && offset <= node.offset + node.length;
		}) ?? requests[0]
	);
}

/** The spans of members of a request. The span of a missing member is that of its parent. */
export function spansIn(text: string, request: RequestInText, places: readonly (readonly string[])[]): Span[] {
	const { root } = parseText(text);
	const lines = new Lines(text);
	return places.map((names) => {
		const { offset, length } = nodeToHighlight(root, pathOf(root, request, names));
		return lines.span(offset, length);
	});
}

/** A change of a request: replaces, removes or renames a member. */
export interface Change {
	readonly names: readonly string[];
	/** `undefined` removes the member. */
	readonly value?: Json | undefined;
	readonly name?: string;
}

/** The smallest text replacement that makes all changes. */
export function replacementFor(text: string, request: RequestInText, changes: readonly Change[]): Replacement {
	let changed = text;
	for (const { names, value, name } of changes) {
		const { root } = parseText(changed);
		const path = pathOf(root, request, names);
		changed = name === undefined ? withValue(changed, root, path, value) : renamed(changed, root, path, name);
	}
	return difference(text, changed);
}

/** Keeps values on one line if they were on one line. */
function withValue(text: string, root: Node | undefined, path: JsonPath, value: Json | undefined): string {
	const { offset = 0, length = 0 } = (root && findNodeAtLocation(root, path.slice(0, -1))) ?? {};
	const isLaidOut = /[\r\n]/.test(text.slice(offset, offset + length));
	const options = value !== undefined && isLaidOut ? { formattingOptions: formattingOf(text) } : {};
	const changed = unmarkNumbers(applyEdits(text, modify(text, [...path], value, options)));
	return isLaidOut ? changed : spaced(changed, path.slice(0, -1));
}

function spaced(text: string, path: JsonPath): string {
	const { root } = parseText(text);
	const { offset = 0, length = 0 } = (root && findNodeAtLocation(root, [...path])) ?? {};
	return applyEdits(text, format(text, { offset, length }, { ...formattingOf(text), keepLines: true }));
}

function renamed(text: string, root: Node | undefined, path: JsonPath, name: string): string {
	const { offset, length } = nodeToHighlight(root, path, true);
	return text.slice(0, offset) + JSON.stringify(name) + text.slice(offset + length);
}

/** Converts names to indexes where the parent is an array. */
function pathOf(root: Node | undefined, { at, bare }: RequestInText, names: readonly string[]): JsonPath {
	const path: (string | number)[] = [...at];
	for (const name of bare ? names.slice(1) : names) {
		path.push(/^\d+$/.test(name) && isList(root, path) ? Number(name) : name);
	}
	return path;
}

function isList(root: Node | undefined, path: readonly (string | number)[]): boolean {
	return root !== undefined && findNodeAtLocation(root, [...path])?.type === 'array';
}
