import type { Client, Prompt, Resource, Tool } from '@modelcontextprotocol/client';
import { METHOD_NOT_FOUND } from '../elicitation/errorCodes.ts';
import { type Json, type JsonObject, own } from '../elicitation/json.ts';
import { localizable } from '../elicitation/sentence.ts';
import { explainList } from './explain.ts';
import type { OwnRequests, SendOptions } from './ownRequests.ts';
import { ResourceTemplate } from './resourceTemplate.ts';
import { Failure } from './wire/failure.ts';
import type { ListBounds } from './wire/listBounds.ts';

/** A tool as listed by the server: raw, untrusted text. The same goes for the other lists. */
export type ToolInfo = Pick<Tool, 'name' | 'title' | 'description'> & { readonly inputSchema: JsonObject };
export type PromptInfo = Pick<Prompt, 'name' | 'title' | 'description' | 'arguments'>;
export type ResourceInfo = Pick<Resource, 'uri' | 'name' | 'title' | 'description' | 'mimeType'>;

/** The features of a server by kind. */
export interface FeatureLists {
	readonly tools: readonly ToolInfo[];
	readonly prompts: readonly PromptInfo[];
	readonly resources: readonly ResourceInfo[];
	readonly resourceTemplates: readonly ResourceTemplate[];
}

export type ListName = keyof FeatureLists;

interface List<Name extends ListName> {
	readonly capability: 'tools' | 'prompts' | 'resources';
	readonly method: string;
	read(client: Client, options: SendOptions & { readonly cacheMode: 'refresh' }): Promise<FeatureLists[Name]>;
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

const LISTS: { readonly [Name in ListName]: List<Name> } = {
	tools: {
		capability: 'tools',
		method: 'tools/list',
		read: async (client, options) => (await client.listTools(undefined, options)).tools as ToolInfo[],
	},
	prompts: {
		capability: 'prompts',
		method: 'prompts/list',
		read: async (client, options) => (await client.listPrompts(undefined, options)).prompts,
	},
	resources: {
		capability: 'resources',
		method: 'resources/list',
		read: async (client, options) => (await client.listResources(undefined, options)).resources,
	},
	resourceTemplates: {
		capability: 'resources',
		method: 'resources/templates/list',
		read: async (client, options) => {
			const { resourceTemplates } = await client.listResourceTemplates(undefined, options);
			return resourceTemplates.map(
				({ uriTemplate, name, title, description }) => new ResourceTemplate(uriTemplate, name, title, description),
			);
		},
	},
};

const NAMES = Object.keys(LISTS) as ListName[];

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
		private readonly lists: ListBounds,
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
		return NAMES.map((name) => this.#failures.get(name)).find((failure) => failure !== undefined);
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
		if (!this.client.getServerCapabilities()?.completions) {
			return [];
		}
		const ref =
			kind === 'prompt' ? { type: 'ref/prompt' as const, name } : { type: 'ref/resource' as const, uri: name };
		try {
			const params = { ref, argument: { name: argument, value }, context: { arguments: others } };
			const send = (options: SendOptions) => this.client.complete(params, options);
			return (await this.requests.run('completion/complete', send, signal)).completion.values;
		} catch (error) {
			if (!signal.aborted) {
				this.warn(`completion/complete failed: ${error instanceof Error ? error.message : error}`);
			}
			return [];
		}
	}

	/** Reads the lists that the server declares. Never rejects: a server stays connected if a list fails. */
	refresh(names: readonly ListName[] = NAMES): Promise<void> {
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
		const { capability, method, read } = LISTS[name];
		this.#failures.delete(name);
		if (!this.client.getServerCapabilities()?.[capability]) {
			return;
		}
		try {
			const entries = await this.requests.run(method, (options) =>
				read(this.client, { ...options, cacheMode: 'refresh' }),
			);
			this.#features = { ...this.#features, [name]: entries };
			this.#raw.set(name, this.lists.entries(method));
			const cut = this.lists.cut(method);
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
}
