import { BridgeEndpoint } from './bridgeEndpoint.ts';
import type { BridgeHost } from './host.ts';
import { Listener } from './listener.ts';

/** The URL under which a client reaches a server. */
export interface Endpoint {
	readonly url: string;
	/** Headers that every request must carry. Secret. */
	readonly headers: Record<string, string>;
}

/**
 * Exposes this extension's servers to another client on this machine. Listens only after the first endpoint is
 * requested.
 */
export class Bridge {
	#offered: ReadonlySet<string> = new Set();
	/** Keyed by path. */
	readonly #endpoints = new Map<string, BridgeEndpoint>();
	#listening: Promise<Listener> | undefined;

	constructor(private readonly host: BridgeHost) {}

	/** Sets which servers are bridged. Endpoints of all others are closed at once. */
	async offer(servers: readonly string[]): Promise<void> {
		this.#offered = new Set(servers);
		const ending: Promise<void>[] = [];
		const paths = new Set(servers.map(pathOf));
		for (const [path, endpoint] of this.#endpoints) {
			if (!paths.has(path)) {
				this.#endpoints.delete(path);
				ending.push(endpoint.close());
			}
		}
		if (this.#endpoints.size === 0 && this.#listening) {
			const listening = this.#listening;
			this.#listening = undefined;
			ending.push(
				listening.then(
					(listener) => listener.close(),
					() => {},
				),
			);
		}
		await Promise.all(ending);
	}

	/** The endpoint of a bridged server; `undefined` for all others. */
	async endpoint(server: string): Promise<Endpoint | undefined> {
		if (!this.#offered.has(server)) {
			return undefined;
		}
		const path = pathOf(server);
		if (!this.#endpoints.has(path)) {
			this.#endpoints.set(path, new BridgeEndpoint(this.host, server));
		}
		this.#listening ??= this.#listen();
		const { origin, headers } = await this.#listening;
		return { url: origin + path, headers };
	}

	/** Closes every endpoint and stops listening. */
	close(): Promise<void> {
		return this.offer([]);
	}

	#listen(): Promise<Listener> {
		const listening = Listener.open((path) => {
			const endpoint = this.#endpoints.get(path);
			return endpoint && ((request, body) => endpoint.handle(request, body));
		});
		listening.catch(() => {
			this.#listening = undefined;
		});
		return listening;
	}
}

/** Encoded as URL-safe characters only, because clients disagree on how to escape the others. */
function pathOf(server: string): string {
	return `/${Buffer.from(server).toString('base64url')}`;
}
