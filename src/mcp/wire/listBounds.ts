import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Clock } from '../../elicitation/clock.ts';
import { idKey, isObject, type Json, mapMembers, own, without } from '../../elicitation/json.ts';
import { localizable, type Sentence } from '../../elicitation/sentence.ts';
import { jsonLength } from '../../elicitation/truncate.ts';
import { withoutNulls, withoutNullsWithin } from './envelope.ts';

/** Max entries, size as JSON (characters), pages, and time of the server (ms) of one list (fault 27). */
const MAX_ENTRIES = 10_000;
const MAX_SIZE = 16 * 1024 * 1024;
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
	readonly clock: Clock | undefined;
	pages: number;
	size: number;
	readonly entries: Json[];
	/** Why it is not whole. */
	cut?: Sentence;
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

	/** @param clockOf the clock of the request that reads a list */
	constructor(private readonly clockOf: (method: string) => Clock | undefined) {}

	/** The raw entries of the last time a list was read. */
	entries(method: string): readonly Json[] {
		return this.#walks.get(method)?.entries ?? [];
	}

	/** Why the last refresh of a list didn't read all of it; undefined if it did. */
	cut(method: string): Sentence | undefined {
		return this.#walks.get(method)?.cut;
	}

	sent(message: JSONRPCMessage): void {
		const method = own(message, 'method');
		if (typeof method !== 'string' || !ENTRIES.has(method)) {
			return;
		}
		const going = own(own(message, 'params'), 'cursor') !== undefined ? this.#walks.get(method) : undefined;
		const walk = going ?? { method, clock: this.clockOf(method), pages: 0, size: 0, entries: [] };
		this.#walks.set(method, walk);
		this.#open.set(idKey(own(message, 'id')) ?? '', walk);
	}

	/** The response to pass to the SDK. */
	received(response: JSONRPCMessage): JSONRPCMessage {
		const id = idKey(own(response, 'id')) ?? '';
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
		const listed: readonly Json[] = Array.isArray(entries) ? entries : [];
		const used = listed.slice(0, roomIn(walk, listed));
		const kept = Array.isArray(entries) ? { [key]: used.map((entry) => acceptable(key, entry)) } : {};
		walk.pages++;
		walk.entries.push(...used);
		// Each page has the whole time.
		walk.clock?.restart();
		const { nextCursor = null, ...rest } = result;
		const isWhole = used.length === listed.length;
		if (isWhole && (nextCursor === null || hasRoom(walk))) {
			return { ...response, result: { ...result, ...kept } } as JSONRPCMessage;
		}
		walk.cut = localizable(
			'What "{0}" returns is too long, and is only used up to entry {1}.',
			walk.method,
			walk.entries.length,
		);
		return { ...response, result: { ...rest, ...kept } } as JSONRPCMessage;
	}
}

/** How many of these entries there is room for. */
function roomIn(walk: Walk, entries: readonly Json[]): number {
	const most = MAX_ENTRIES - walk.entries.length;
	for (const [at, entry] of entries.entries()) {
		walk.size += jsonLength(entry);
		if (at >= most || walk.size > MAX_SIZE) {
			return at;
		}
	}
	return entries.length;
}

/** Whether there may be another page. */
function hasRoom({ pages, entries, clock }: Walk): boolean {
	return pages < MAX_PAGES && entries.length < MAX_ENTRIES && (clock?.serverTime ?? 0) <= MAX_DURATION;
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
