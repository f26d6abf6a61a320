import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject, type Json, own } from '../../elicitation/json.ts';

/** What one list may hold, in how many pages it may come, and how long (milliseconds) it may take to go on (fault 27). */
const MAX_ENTRIES = 10_000;
const MAX_PAGES = 100;
const MAX_DURATION = 30_000;

/** Where the entries of a page stand, by the method that asks for it. */
const ENTRIES: ReadonlyMap<unknown, string> = new Map([
	['tools/list', 'tools'],
	['prompts/list', 'prompts'],
	['resources/list', 'resources'],
	['resources/templates/list', 'resourceTemplates'],
]);

/** One list on its way, page by page. */
interface Walk {
	readonly method: string;
	readonly since: number;
	pages: number;
	readonly entries: Json[];
}

/**
 * Ends lists that have no end. The SDK asks for page after page until there is none, and keeps nothing of a list that is too
 * long; so the last page that is wanted loses its cursor before the SDK sees it, and what came until then counts.
 */
export class ListBounds {
	readonly #walks = new Map<string, Walk>();
	/** The lists that requests without an answer belong to, by the id of the request. */
	readonly #open = new Map<string, Walk>();

	/** @param cut told of every list that was cut, and how many entries of it are used */
	constructor(private readonly cut: (method: string, entries: number) => void) {}

	/** What the last walk through a list brought: the entries exactly as the server sent them. */
	entries(method: string): readonly Json[] {
		return this.#walks.get(method)?.entries ?? [];
	}

	sent(message: JSONRPCMessage): void {
		const method = own(message, 'method');
		if (typeof method !== 'string' || !ENTRIES.has(method)) {
			return;
		}
		const going = own(own(message, 'params'), 'cursor') !== undefined ? this.#walks.get(method) : undefined;
		const walk = going ?? { method, since: Date.now(), pages: 0, entries: [] };
		this.#walks.set(method, walk);
		this.#open.set(String(own(message, 'id')), walk);
	}

	/** A response as the SDK gets to see it. */
	received(response: JSONRPCMessage): JSONRPCMessage {
		const id = String(own(response, 'id'));
		const walk = this.#open.get(id);
		const result = own(response, 'result');
		this.#open.delete(id);
		if (!walk || !isObject(result)) {
			return response;
		}
		const key = ENTRIES.get(walk.method) ?? '';
		const entries = own(result, key);
		const count = Array.isArray(entries) ? entries.length : 0;
		const room = MAX_ENTRIES - walk.entries.length;
		const used = Array.isArray(entries) ? entries.slice(0, room) : [];
		walk.pages++;
		walk.entries.push(...used);
		const over =
			walk.pages >= MAX_PAGES || walk.entries.length >= MAX_ENTRIES || Date.now() - walk.since > MAX_DURATION;
		const { nextCursor, ...rest } = result;
		if (count <= room && !(over && nextCursor !== undefined)) {
			return response;
		}
		this.cut(walk.method, walk.entries.length);
		const kept = Array.isArray(entries) ? { [key]: used } : {};
		return { ...response, result: { ...rest, ...kept } } as JSONRPCMessage;
	}
}
