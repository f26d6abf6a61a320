import type { Clock } from '../../elicitation/clock.ts';
import { sameJson } from '../../elicitation/form/flatten.ts';
import {
	isEmptyObject,
	isObject,
	type Json,
	type JsonObject,
	mapMembers,
	own,
	without,
} from '../../elicitation/json.ts';
import { localizable, type Sentence } from '../../elicitation/sentence.ts';
import { jsonLength } from '../../elicitation/truncate.ts';
import { withoutNulls, withoutNullsWithin } from './envelope.ts';
import { Reason } from './failure.ts';

/** Max entries, size as JSON (characters), pages, and time of the server (ms) of one list (fault 27). */
const MAX_ENTRIES = 10_000;
const MAX_SIZE = 16 * 1024 * 1024;
const MAX_PAGES = 100;
const MAX_DURATION = 30_000;

/** The member of the result that holds the entries, and the member of an entry that names it, by method. */
const LISTS = {
	'tools/list': ['tools', 'name'],
	'prompts/list': ['prompts', 'name'],
	'resources/list': ['resources', 'uri'],
	'resources/templates/list': ['resourceTemplates', 'uriTemplate'],
} as const;

type ListMethod = keyof typeof LISTS;

/** Members of an entry that nobody looks at. */
const UNUSED = ['annotations', 'icons', 'outputSchema', 'size', '_meta'];

/** Members that are shown as text. */
const TEXTS = ['name', 'title', 'description', 'mimeType'];

/** A list as far as it was read. */
export interface ReadList {
	/** As the server sent them. */
	readonly raw: readonly Json[];
	/** Those that can be used, without what is not as it should be. */
	readonly entries: readonly JsonObject[];
	/** Why it is not whole. */
	readonly cut?: Sentence;
}

/**
 * Reads all pages of a list. Endless ones are truncated, and oddities of single entries don't spoil the rest.
 * @param clock the server's time for the request. Each page has the whole time
 */
export async function readList(
	method: ListMethod,
	request: (params: JsonObject) => Promise<JsonObject>,
	clock: Clock,
): Promise<ReadList> {
	const [member] = LISTS[method];
	const raw: Json[] = [];
	const bounds = { size: 0 };
	let before: Json | undefined;
	let cursor: Json | undefined;
	for (let page = 1; ; page++) {
		const result = await request(cursor === undefined ? {} : { cursor });
		const given = own(result, member);
		// Go writes an empty list as null, Lua as an empty object.
		const listed = Array.isArray(given) ? given : isNothing(given) ? [] : undefined;
		if (!listed) {
			throw new Reason(localizable('The result of "{0}" has no list.', method));
		}
		const room = roomIn(raw.length, bounds, listed);
		raw.push(...listed.slice(0, room));
		const next = own(result, 'nextCursor') ?? undefined;
		const isRepeated = next !== undefined && next === cursor && sameJson(listed, before ?? null);
		const hasRoom = page < MAX_PAGES && raw.length < MAX_ENTRIES && clock.serverTime <= MAX_DURATION;
		const entries = () => raw.map((entry) => acceptable(method, entry)).filter((entry) => entry !== undefined);
		clock.restart();
		if (room < listed.length || (next !== undefined && !hasRoom)) {
			const cut = localizable('What "{0}" returns is too long, and is only used up to entry {1}.', method, raw.length);
			return { raw, entries: entries(), cut };
		}
		if (next === undefined || isRepeated) {
			return { raw, entries: entries() };
		}
		before = listed;
		cursor = next;
	}
}

function isNothing(given: Json | undefined): boolean {
	return given !== undefined && (isEmptyObject(given) || (isObject(given) && Object.keys(given).length === 0));
}

/** How many of these entries there is room for. */
function roomIn(count: number, bounds: { size: number }, entries: readonly Json[]): number {
	const most = MAX_ENTRIES - count;
	for (const [at, entry] of entries.entries()) {
		bounds.size += jsonLength(entry);
		if (at >= most || bounds.size > MAX_SIZE) {
			return at;
		}
	}
	return entries.length;
}

/** An entry without what nobody expects in it; undefined if it has no name. */
function acceptable(method: ListMethod, entry: Json): JsonObject | undefined {
	const [member, name] = LISTS[method];
	if (!isObject(entry) || typeof own(entry, name) !== 'string') {
		return undefined;
	}
	const known = withoutNulls(without(entry, UNUSED));
	const odd = TEXTS.filter((text) => own(known, text) !== undefined && typeof own(known, text) !== 'string');
	// Some tools without arguments have no schema, or an empty one.
	const named = { name: own(entry, name) as string, ...(member === 'tools' && { inputSchema: {} }) };
	return mapMembers({ ...named, ...without(known, odd) }, (text, value) =>
		text === 'inputSchema'
			? acceptableSchema(value)
			: text === 'arguments'
				? (Array.isArray(value) ? value : [])
						.filter((each) => typeof own(each, 'name') === 'string')
						.map(withoutNullsWithin)
				: withoutNullsWithin(value),
	) as JsonObject;
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
