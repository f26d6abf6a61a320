import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Handler, serveHttp } from './exchange.ts';

const LOOPBACK = '127.0.0.1';

/** A port on loopback that answers only who knows its secret; pages in a browser never do, even with the secret. */
export class Listener {
	/** Ends with the listener, and is written nowhere. */
	readonly #secret = `Bearer ${randomBytes(32).toString('base64url')}`;
	readonly #server: Server;
	#host = '';

	/** @param handler answers what comes to a path; undefined where there is nothing */
	private constructor(private readonly handler: (path: string) => Handler | undefined) {
		this.#server = createServer((incoming, outgoing) => {
			// Whoever hangs up in the middle needs no answer.
			this.#serve(incoming, outgoing).catch(() => outgoing.destroy());
		});
	}

	/** Rejects when the system gives no port. */
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

	/** What a client has to send with every request. */
	get headers(): Record<string, string> {
		return { Authorization: this.#secret };
	}

	/** Ends every connection. */
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
			// Not a byte of its body is waited for.
			outgoing.writeHead(handle === false ? 403 : 404, { connection: 'close' }).end();
		}
	}

	#mayAsk({ headers }: IncomingMessage): boolean {
		// A name that was rebound to loopback stands in Host; a browser says where its page comes from.
		return (
			headers.host === this.#host &&
			headers.origin === undefined &&
			timingSafeEqual(digest(headers.authorization ?? ''), digest(this.#secret))
		);
	}
}

/** Of one length, whatever the text's. */
function digest(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}
