import { isObject, type Json, type JsonObject, own } from '../../elicitation/json.ts';
import { isExact, unmarked } from '../../elicitation/jsonText.ts';

/* What HTTP headers say of a message since 2026-07-28 (Streamable HTTP, request headers; tools, x-mcp-header). */

/** The member of `params` that `Mcp-Name` repeats, by method. */
const NAMES: Readonly<Record<string, string>> = {
	'tools/call': 'name',
	'prompts/get': 'name',
	'resources/read': 'uri',
	'tasks/get': 'taskId',
	'tasks/update': 'taskId',
	'tasks/cancel': 'taskId',
};

/** A token of HTTP (RFC 9110, section 5.6.2). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

/** Keywords with schemas in which no header may be declared: which of them apply depends on the value. */
const CONDITIONAL = [
	...['items', 'prefixItems', 'contains', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'],
	...['propertyNames', 'patternProperties', 'dependentSchemas', 'oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else'],
	...['$defs', 'definitions'],
];

/** A header that repeats an argument of a tool. */
export interface Mirrored {
	/** The names of the properties that lead to the argument. */
	readonly path: readonly string[];
	readonly header: string;
}

/** The headers that tell the revision, the method, and the name of what a request is about. */
export function mirroredName(
	revision: string,
	{ method, params }: { readonly method: string; readonly params?: unknown },
): Record<string, string> {
	const name = own(params, (Object.hasOwn(NAMES, method) && NAMES[method]) || '');
	return {
		'mcp-protocol-version': revision,
		'mcp-method': method,
		...(typeof name === 'string' && { 'mcp-name': encoded(name) }),
	};
}

/** The headers that the schema of a tool declares; undefined if it does so in a way that makes the tool invalid. */
export function mirroredIn(schema: Json): readonly Mirrored[] | undefined {
	const found: Mirrored[] = [];
	const isValid = visit(schema, [], found);
	const names = new Set(found.map(({ header }) => header.toLowerCase()));
	return isValid && names.size === found.length ? found : undefined;
}

/** @param path undefined where no header may be declared */
function visit(schema: Json | undefined, path: readonly string[] | undefined, found: Mirrored[]): boolean {
	if (Array.isArray(schema)) {
		return schema.every((each) => visit(each, undefined, found));
	}
	if (!isObject(schema)) {
		return true;
	}
	const header = own(schema, 'x-mcp-header');
	if (header !== undefined) {
		const isNamed = typeof header === 'string' && TOKEN.test(header);
		if (!path || path.length === 0 || !isNamed || !TYPES.has(own(schema, 'type'))) {
			return false;
		}
		found.push({ path, header });
	}
	const properties = own(schema, 'properties');
	return (
		Object.entries(isObject(properties) ? properties : {}).every(([name, inner]) =>
			visit(inner, path && [...path, name], found),
		) &&
		CONDITIONAL.every((keyword) => {
			const inner = own(schema, keyword);
			const isMap = ['patternProperties', 'dependentSchemas', '$defs', 'definitions'].includes(keyword);
			return visit(isMap && isObject(inner) ? Object.values(inner) : inner, undefined, found);
		})
	);
}

/** The headers of a call with these arguments. Absent arguments have none. */
export function mirroredArguments(mirrored: readonly Mirrored[], args: JsonObject): Record<string, string> {
	const headers = mirrored.map(({ path, header }) => {
		const value = path.reduce<Json | undefined>((inner, name) => own(inner, name), args);
		return [`Mcp-Param-${header}`, textIn(value)] as const;
	});
	return Object.fromEntries(headers.flatMap(([name, text]) => (text === undefined ? [] : [[name, encoded(text)]])));
}

function textIn(value: Json | undefined): string | undefined {
	const isWritten = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
	return isWritten ? (isExact(value) ? unmarked(value) : String(value)) : undefined;
}

/** As text if it is visible ASCII, without spaces around it; otherwise marked as base64 of UTF-8. */
function encoded(text: string): string {
	const isPlain = /^[!-~](?:[ -~\t]*[!-~])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
	return isPlain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}
