import { setTimeout as pause } from 'node:timers/promises';
import type { Client, McpSubscription } from '@modelcontextprotocol/client';
import { pauseBefore, type StreamEvents } from './http/serverStream.ts';

/** How long a server may take to acknowledge a subscription before the start goes on without (milliseconds). */
const SUBSCRIBE_TIMEOUT = 10_000;

/**
 * Hears of changed lists in revision 2026-07-28, where a client has to ask for that and a server tells it in one long answer.
 * The SDK asks once, and not at all where it knows the server already; this asks again whenever the answer was cut.
 */
export class ListChangedSubscription {
	readonly #end = new AbortController();

	constructor(
		private readonly client: Client,
		private readonly tell: Pick<StreamEvents, 'lost' | 'found'> & { info(line: string): void },
	) {}

	/** Subscribes, where the server has anything to tell. Never rejects: a server that does not want to is connected all the same. */
	async open(): Promise<void> {
		if (Object.keys(this.#filter()).length === 0) {
			return;
		}
		try {
			this.#keep(await this.#listen());
		} catch (error) {
			this.tell.info(
				`The server does not tell when its lists change: ${error instanceof Error ? error.message : error}`,
			);
		}
	}

	close(): void {
		this.#end.abort();
	}

	#filter(): Parameters<Client['listen']>[0] {
		const { tools, prompts, resources } = this.client.getServerCapabilities() ?? {};
		return {
			...(tools?.listChanged && { toolsListChanged: true }),
			...(prompts?.listChanged && { promptsListChanged: true }),
			...(resources?.listChanged && { resourcesListChanged: true }),
		};
	}

	#listen(): Promise<McpSubscription> {
		return this.client.listen(this.#filter(), { timeout: SUBSCRIBE_TIMEOUT });
	}

	#keep({ closed }: McpSubscription): void {
		void closed.then((cause) => (cause === 'local' ? undefined : this.#openAgain()));
	}

	async #openAgain(): Promise<void> {
		for (let attempt = 0; ; attempt++) {
			try {
				await pause(pauseBefore(attempt), undefined, { signal: this.#end.signal });
				this.#keep(await this.#listen());
				if (attempt > 0) {
					this.tell.found();
				}
				return;
			} catch (error) {
				if (this.#end.signal.aborted) {
					return;
				}
				if (attempt === 0) {
					this.tell.lost(error);
				}
			}
		}
	}
}
