import type { Prompt, Resource, Tool } from '@modelcontextprotocol/client';
import { METHOD_NOT_FOUND } from '../elicitation/errorCodes.ts';
import { type Json, type JsonObject, own } from '../elicitation/json.ts';
import { LIST_NAMES, LISTS, type ListName } from '../elicitation/lists.ts';
import { localizable } from '../elicitation/sentence.ts';
import type { Client } from './client.ts';
import { explainList } from './explain.ts';
import { mirroredIn } from './http/mirroredHeaders.ts';
import type { OwnRequests } from './ownRequests.ts';
import { ResourceTemplate } from './resourceTemplate.ts';
import { Failure } from './wire/failure.ts';
import { readList } from './wire/lists.ts';

/** A tool as listed by the server: raw, untrusted text. The same goes for the other lists. */
export type ToolInfo = Pick<Tool, 'name' | 'title' | 'description'> & { readonly inputSchema: JsonObject };
export type PromptInfo = Pick<Prompt, 'name' | 'title' | 'description' | 'arguments'>;
export type ResourceInfo = Pick<Resource, 'uri' | 'name' | 'title' | 'description' | 'mimeType'>;

/** The features of a server by kind. */
export interface FeatureLists extends Record<ListName, readonly unknown[]> {
	readonly tools: readonly ToolInfo[];
	readonly prompts: readonly PromptInfo[];
	readonly resources: readonly ResourceInfo[];
	readonly resourceTemplates: readonly ResourceTemplate[];
}

/**
 * Delay that coalesces `list_changed` notifications (ms). While each refresh is followed by another notification, it grows to
 * the longest: some servers send one whenever a list is read.
 */
const REFRESH_DELAY = 300;
const LONGEST_DELAY = 10_000;

/** The log tells of a delay that has grown to this (ms): several notifications in a row are no coincidence. */
const TOLD_DELAY = 4 * REFRESH_DELAY;

/** A notification that comes so soon after a refresh follows it (ms). */
const FOLLOWS = 1_000;

export const NO_FEATURES: FeatureLists = { tools: [], prompts: [], resources: [], resourceTemplates: [] };

/** The features of one server as last listed. */
export class ServerFeatures {
	#features = NO_FEATURES;
	readonly #raw = new Map<ListName, readonly Json[]>();
	readonly #failures = new Map<ListName, Failure>();
	readonly #wanted = new Set<ListName>();
	/** The running refresh and the next one. Changes during a refresh are coalesced into one more. */
	#running: Promise<void> = Promise.resolve();
	#next: Promise<void> | undefined;
	#soon: ReturnType<typeof setTimeout> | undefined;
	#isDisposed = false;
	#delay = REFRESH_DELAY;
	/** When the last scheduled refresh ended (ms); infinite while it runs. */
	#refreshed = Number.NEGATIVE_INFINITY;

	constructor(
		private readonly server: string,
		private readonly client: Client,
		private readonly warn: (line: string) => void,
		private readonly changed: () => void,
		private readonly requests: OwnRequests,
		/** Whether the arguments of tools are repeated in HTTP headers, where their schemas declare it. */
		private readonly hasHeaders: () => boolean,
	) {}

	get features(): FeatureLists {
		return this.#features;
	}

	/** A list exactly as the server sent it. */
	raw(name: ListName): readonly Json[] {
		return this.#raw.get(name) ?? [];
	}

	/** Why a list couldn't be read. The rest of the server may still work. */
	get failure(): Failure | undefined {
		return LIST_NAMES.map((name) => this.#failures.get(name)).find((failure) => failure !== undefined);
	}

	/**
	 * The server's suggestions for an argument of a prompt, or for a variable of a resource template. Never rejects: none if
	 * the server makes none.
	 * @param name of the prompt, or the URI template
	 * @param values what was entered so far, by argument
	 */
	async suggest(
		kind: 'prompt' | 'resource',
		name: string,
		argument: string,
		{ [argument]: value = '', ...others }: Readonly<Record<string, string>>,
		signal: AbortSignal,
	): Promise<readonly string[]> {
		if (!this.client.capabilities?.completions) {
			return [];
		}
		const ref =
			kind === 'prompt' ? { type: 'ref/prompt' as const, name } : { type: 'ref/resource' as const, uri: name };
		try {
			const params = { ref, argument: { name: argument, value }, context: { arguments: others } };
			const result = await this.requests.run(
				'completion/complete',
				(options) => this.client.request('completion/complete', params, options),
				signal,
			);
			const values = own(own(result, 'completion'), 'values');
			return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
		} catch (error) {
			if (!signal.aborted) {
				this.warn(`completion/complete failed: ${error instanceof Error ? error.message : error}`);
			}
			return [];
		}
	}

	/** Reads the lists that the server declares. Never rejects: a server stays connected if a list fails. */
	refresh(names: readonly ListName[] = LIST_NAMES): Promise<void> {
		for (const name of names) {
			this.#wanted.add(name);
		}
		this.#next ??= this.#running.then(() => {
			const wanted = [...this.#wanted];
			this.#wanted.clear();
			this.#next = undefined;
			this.#running = Promise.all(wanted.map((name) => this.#read(name))).then(() => this.changed());
			return this.#running;
		});
		return this.#next;
	}

	/** Schedules a refresh of lists that the server reports as changed. */
	refreshSoon(names: readonly ListName[]): void {
		for (const name of names) {
			this.#wanted.add(name);
		}
		if (this.#soon || this.#isDisposed) {
			return;
		}
		const follows = performance.now() - this.#refreshed < FOLLOWS;
		this.#delay = follows ? Math.min(2 * this.#delay, LONGEST_DELAY) : REFRESH_DELAY;
		if (this.#delay === TOLD_DELAY) {
			this.warn(
				'The server reports its lists as changed whenever they are read, so they are read less and less often.',
			);
		}
		this.#soon = setTimeout(async () => {
			this.#soon = undefined;
			this.#refreshed = Number.POSITIVE_INFINITY;
			await this.refresh([]);
			this.#refreshed = performance.now();
		}, this.#delay);
	}

	/** Cancels a scheduled refresh, and schedules no more: the session is about to close. */
	dispose(): void {
		this.#isDisposed = true;
		clearTimeout(this.#soon);
	}

	async #read(name: ListName): Promise<void> {
		const [capability, method] = LISTS[name];
		this.#failures.delete(name);
		if (!this.client.capabilities?.[capability]) {
			return;
		}
		try {
			const { raw, entries, cut } = await this.requests.run(method, ({ signal, clock }) =>
				readList(method, (params) => this.client.request(method, params, { signal }), clock),
			);
			const used =
				name === 'tools'
					? entries.filter((entry) => this.#isUsable(entry))
					: name === 'resourceTemplates'
						? entries.map(
								(entry) =>
									new ResourceTemplate(
										text(entry, 'uriTemplate') ?? '',
										text(entry, 'name') ?? '',
										text(entry, 'title'),
										text(entry, 'description'),
									),
							)
						: entries;
			this.#features = { ...this.#features, [name]: used };
			this.#raw.set(name, raw);
			if (cut) {
				const failure = new Failure(this.server, cut, localizable("Report it to the server's author."));
				this.warn(failure.message);
				this.#failures.set(name, failure);
			}
		} catch (error) {
			const failure = explainList(this.server, method, error);
			this.warn(`${method} failed: ${failure.message}`);
			// Many servers declare every capability that their SDK declares by default. Only a missing tools list counts as a
			// failure.
			if (name === 'tools' || own(error, 'code') !== METHOD_NOT_FOUND) {
				this.#failures.set(name, failure);
			}
		}
	}

	/** A tool that declares headers in a way that is not allowed must not be used (2026-07-28, tools, x-mcp-header). */
	#isUsable(tool: JsonObject): boolean {
		const isUsable = !this.hasHeaders() || mirroredIn(own(tool, 'inputSchema') ?? null) !== undefined;
		if (!isUsable) {
			this.warn(`The tool "${text(tool, 'name')}" is left out: what its schema says of HTTP headers is not allowed.`);
		}
		return isUsable;
	}
}

function text(entry: JsonObject, name: string): string | undefined {
	const value = own(entry, name);
	return typeof value === 'string' ? value : undefined;
}
