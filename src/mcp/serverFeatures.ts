import type { Client, Prompt, Resource, Tool } from '@modelcontextprotocol/client';
import { type Json, type JsonObject, own } from '../elicitation/json.ts';
import { explainList } from './explain.ts';
import { ResourceTemplate } from './resourceTemplate.ts';
import type { Failure } from './wire/failure.ts';

/** A tool as the server lists it: raw, and server text throughout. So are the others. */
export type ToolInfo = Pick<Tool, 'name' | 'title' | 'description'> & { readonly inputSchema: JsonObject };
export type PromptInfo = Pick<Prompt, 'name' | 'title' | 'description' | 'arguments'>;
export type ResourceInfo = Pick<Resource, 'uri' | 'name' | 'title' | 'description' | 'mimeType'>;

/** What a server offers, list by list. */
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
	read(client: Client): Promise<FeatureLists[Name]>;
}

/** A server that does not answer a list is not waited for longer than this (milliseconds). */
const LIST_OPTIONS = { cacheMode: 'refresh', timeout: 30_000 } as const;

/** Servers tell of one change many times over: it is read this long after the first of them (milliseconds). */
const REFRESH_DELAY = 300;

const METHOD_NOT_FOUND = -32601;

export const NO_FEATURES: FeatureLists = { tools: [], prompts: [], resources: [], resourceTemplates: [] };

const LISTS: { readonly [Name in ListName]: List<Name> } = {
	tools: {
		capability: 'tools',
		method: 'tools/list',
		read: async (client) => {
			const { tools } = await client.listTools(undefined, LIST_OPTIONS);
			// Without its output schema: what a tool returned is shown, not judged, before the user has seen it.
			return tools.map(({ outputSchema: _, ...tool }) => tool as ToolInfo);
		},
	},
	prompts: {
		capability: 'prompts',
		method: 'prompts/list',
		read: async (client) => (await client.listPrompts(undefined, LIST_OPTIONS)).prompts,
	},
	resources: {
		capability: 'resources',
		method: 'resources/list',
		read: async (client) => (await client.listResources(undefined, LIST_OPTIONS)).resources,
	},
	resourceTemplates: {
		capability: 'resources',
		method: 'resources/templates/list',
		read: async (client) => {
			const { resourceTemplates } = await client.listResourceTemplates(undefined, LIST_OPTIONS);
			return resourceTemplates.map(
				({ uriTemplate, name, title, description }) => new ResourceTemplate(uriTemplate, name, title, description),
			);
		},
	},
};

const NAMES = Object.keys(LISTS) as ListName[];

/** What one server offers, as it said last. */
export class ServerFeatures {
	#features = NO_FEATURES;
	readonly #raw = new Map<ListName, readonly Json[]>();
	readonly #failures = new Map<ListName, Failure>();
	#heard = false;
	#error: unknown;
	readonly #wanted = new Set<ListName>();
	/** The reading that runs, and the one after it: what changes meanwhile is read once more, not once for every notice. */
	#running: Promise<void> = Promise.resolve();
	#next: Promise<void> | undefined;
	#soon: ReturnType<typeof setTimeout> | undefined;

	constructor(
		private readonly server: string,
		private readonly client: Client,
		private readonly warn: (line: string) => void,
		private readonly changed: () => void,
		/** Runs what may need a sign-in. */
		private readonly guard: <T>(operation: () => Promise<T>) => Promise<T>,
		/** What the last reading of a list brought, as it crossed the wire. */
		private readonly entries: (method: string) => readonly Json[],
	) {}

	get features(): FeatureLists {
		return this.#features;
	}

	/** A list as the server sent it: with everything that the offer leaves out. */
	raw(name: ListName): readonly Json[] {
		return this.#raw.get(name) ?? [];
	}

	/** Why a list could not be read; the rest of the server may work all the same. */
	get failure(): Failure | undefined {
		return NAMES.map((name) => this.#failures.get(name)).find((failure) => failure !== undefined);
	}

	/** What a list failed with, as long as none has been read. */
	get error(): unknown {
		return this.#heard ? undefined : this.#error;
	}

	/** Reads the lists that the server says it has. Never rejects: a server whose list fails is still connected. */
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

	/** Reads these lists in a moment: the server says that they have changed. */
	refreshSoon(names: readonly ListName[]): void {
		for (const name of names) {
			this.#wanted.add(name);
		}
		this.#soon ??= setTimeout(() => {
			this.#soon = undefined;
			void this.refresh([]);
		}, REFRESH_DELAY);
	}

	/** Reads no more by itself. */
	dispose(): void {
		clearTimeout(this.#soon);
	}

	async #read(name: ListName): Promise<void> {
		const { capability, method, read } = LISTS[name];
		this.#failures.delete(name);
		if (!this.client.getServerCapabilities()?.[capability]) {
			return;
		}
		try {
			const entries = await this.guard(() => read(this.client));
			this.#heard = true;
			this.#features = { ...this.#features, [name]: entries };
			this.#raw.set(name, this.entries(method));
		} catch (error) {
			this.#error = error;
			const failure = explainList(this.server, method, error);
			this.warn(`${method} failed: ${failure.message}`);
			// Common among servers that declare what their SDK has by default; tools are what they are there for.
			if (name === 'tools' || own(error, 'code') !== METHOD_NOT_FOUND) {
				this.#failures.set(name, failure);
			}
		}
	}
}
