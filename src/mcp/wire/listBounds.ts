import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject, type Json, mapMembers, own, textOf, without } from '../../elicitation/json.ts';
import { withoutNulls, withoutNullsWithin } from './envelope.ts';

/** Max entries, pages, and time (ms) of one list (fault 27). */
const MAX_ENTRIES = 10_000;
const MAX_PAGES = 100;
const MAX_DURATION = 30_000;

/** The member that holds the entries, by method. */
const ENTRIES: ReadonlyMap<unknown, string> = new Map([
	['tools/list', 'tools'],
	['prompts/list', 'prompts'],
	['resources/list', 'resources'],
	['resources/templates/list', 'resourceTemplates'],
]);

/**
 * Members of an entry that nobody looks at. The SDK would reject the whole list for what it doesn't expect in them, and
 * results that don't match their output schema.
 */
const UNUSED = ['annotations', 'icons', 'outputSchema', 'size', '_meta'];

/** One list being read page by page. */
interface Walk {
	readonly method: string;
	readonly since: number;
	pages: number;
	readonly entries: Json[];
}

/**
 * Truncates endless lists, and keeps oddities of single entries from spoiling a list. The SDK reads all pages and discards
 * a list that is too long. So the last allowed page loses its cursor before the SDK sees it, and the entries so far are
 * kept.
 */
export class ListBounds {
	readonly #walks = new Map<string, Walk>();
	/** The list of each pending request, by request id. */
	readonly #open = new Map<string, Walk>();

	/** @param cut called for every truncated list with the number of entries kept */
	constructor(private readonly cut: (method: string, entries: number) => void) {}

	/** The raw entries of the last time a list was read. */
	entries(method: string): readonly Json[] {
		return this.#walks.get(method)?.entries ?? [];
	}

	sent(message: JSONRPCMessage): void {
		const method = own(message, 'method');
		if (typeof method !== 'string' || !ENTRIES.has(method)) {
			return;
		}
		const going = own(own(message, 'params'), 'cursor') !== undefined ? this.#walks.get(method) : undefined;
		const walk = going ?? { method, since: performance.now(), pages: 0, entries: [] };
		this.#walks.set(method, walk);
		this.#open.set(textOf(own(message, 'id')), walk);
	}

	/** The response to pass to the SDK. */
	received(response: JSONRPCMessage): JSONRPCMessage {
		const id = textOf(own(response, 'id'));
		const walk = this.#open.get(id);
		const result = own(response, 'result');
		this.#open.delete(id);
		if (!walk || !isObject(result)) {
			return response;
		}
		const key = ENTRIES.get(walk.method) ?? '';
		// Go writes an empty list as null, Lua as an empty object.
		const given = own(result, key);
		const entries = given === null || (isObject(given) && Object.keys(given).length === 0) ? [] : given;
		const count = Array.isArray(entries) ? entries.length : 0;
		const room = MAX_ENTRIES - walk.entries.length;
		const used = Array.isArray(entries) ? entries.slice(0, room) : [];
		const kept = Array.isArray(entries) ? { [key]: used.map((entry) => acceptable(key, entry)) } : {};
		walk.pages++;
		walk.entries.push(...used);
		const over =
			walk.pages >= MAX_PAGES || walk.entries.length >= MAX_ENTRIES || performance.now() - walk.since > MAX_DURATION;
		const { nextCursor = null, ...rest } = result;
		if (count <= room && !(over && nextCursor !== null)) {
			return { ...response, result: { ...result, ...kept } } as JSONRPCMessage;
		}
		this.cut(walk.method, walk.entries.length);
		return { ...response, result: { ...rest, ...kept } } as JSONRPCMessage;
	}
}

/** An entry without what the SDK would reject the whole list for. */
function acceptable(key: string, entry: Json): Json {
	if (!isObject(entry)) {
		return entry;
	}
	const known = withoutNulls(without(entry, UNUSED));
	// Some tools without arguments have no schema, or an empty one.
	return mapMembers(key === 'tools' ? { inputSchema: {}, ...known } : known, (name, value) =>
		name === 'inputSchema'
			? acceptableSchema(value)
			: name === 'arguments' && !Array.isArray(value)
				? []
				: withoutNullsWithin(value),
	);
}

/** In a schema, null may be a value: only its own members cannot mean it. PHP writes an empty object as an empty list. */
function acceptableSchema(schema: Json): Json {
	return mapMembers({ type: 'object', ...(isObject(schema) && withoutNulls(schema)) }, (name, value) => {
		switch (name) {
			case 'type':
				return 'object';
			case 'properties':
				return isObject(value) ? value : {};
			case 'required':
				return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
			default:
				return value;
		}
	});
}
