import { BridgeEndpoint } from './bridgeEndpoint.ts';
import type { BridgeHost } from './host.ts';
import { Listener } from './listener.ts';

/** Where a client finds a server. */
export interface Endpoint {
	readonly url: string;
	/** What it has to send with every request; secret. */
	readonly headers: Record<string, string>;
}

/** Servers of this extension as servers for another client on this machine. Listens only as long as somebody was sent there. */
export class Bridge {
	#offered: ReadonlySet<string> = new Set();
	/** By path. */
	readonly #endpoints = new Map<string, BridgeEndpoint>();
	#listening: Promise<Listener> | undefined;

	constructor(private readonly host: BridgeHost) {}

	/** Takes over which servers are offered: what is no longer offered ends at once. */
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

	/** Where an offered server is found from now on; undefined for all others. */
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

	/** Ends everything. */
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

/** Of characters that mean nothing in a URL: clients are not agreed on how to write the others. */
function pathOf(server: string): string {
	return `/${Buffer.from(server).toString('base64url')}`;
}
