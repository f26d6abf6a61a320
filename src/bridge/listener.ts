import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isSameSecret, newSecret } from './secret.ts';
import { type Handler, serveHttp } from './serveHttp.ts';

const LOOPBACK = '127.0.0.1';

/** An HTTP server on loopback that requires a secret. Requests from browser pages are refused even if they carry it. */
export class Listener {
	/** Lives as long as the listener and is never written to disk. */
	readonly #secret = `Bearer ${newSecret()}`;
	readonly #server: Server;
	#host = '';

	/** @param handler returns the handler for a path; `undefined` if there is none */
	private constructor(private readonly handler: (path: string) => Handler | undefined) {
		this.#server = createServer((incoming, outgoing) => {
			// A client that disconnects early needs no response.
			this.#serve(incoming, outgoing).catch(() => outgoing.destroy());
		});
	}

	/** Rejects if the system doesn't provide a port. */
	static async open(handler: (path: string) => Handler | undefined): Promise<Listener> {
		const listener = new Listener(handler);
		await new Promise<void>((resolve, reject) => {
			listener.#server.once('error', reject).listen(0, LOOPBACK, resolve);
		});
		listener.#host = `${LOOPBACK}:${(listener.#server.address() as AddressInfo).port}`;
		return listener;
	}

	get origin(): string {
		return `http://${this.#host}`;
	}

	/** Headers that every request must carry. */
	get headers(): Record<string, string> {
		return { Authorization: this.#secret };
	}

	/** Closes every connection. */
	async close(): Promise<void> {
		const closed = new Promise((resolve) => this.#server.close(resolve));
		this.#server.closeAllConnections();
		await closed;
	}

	async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
		const handle = this.#mayAsk(incoming) && this.handler(incoming.url ?? '');
		if (handle) {
			await serveHttp(incoming, outgoing, this.origin, handle);
		} else {
			// Respond without reading the body.
			outgoing.writeHead(handle === false ? 403 : 404, { connection: 'close' }).end();
		}
	}

	#mayAsk({ headers }: IncomingMessage): boolean {
		// After DNS rebinding, Host is the attacker's name. Browsers send Origin.
		return (
			headers.host === this.#host &&
			headers.origin === undefined &&
			isSameSecret(headers.authorization ?? '', this.#secret)
		);
	}
}
