import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { fileURLToPath } from 'node:url';
import { RawServer, type RawServerOptions, type Wire } from './rawServer.ts';

/** Max frame size (bytes). */
const PIECE = 1024 * 1024;

/** A process of the raw server. */
interface Body {
	readonly pid: number;
	readonly socket: Socket;
	/** Stdin was closed, or the process has exited. */
	left: boolean;
	/** It has closed its stdin. */
	deaf: boolean;
}

/** A raw server that the client starts as a process. The newest process sends the messages. */
export class RawStdioServer extends RawServer {
	readonly definition: Readonly<Record<string, unknown>>;
	readonly #server: Server;
	readonly #bodies: Body[] = [];

	private constructor(server: Server, options: RawServerOptions | undefined) {
		super(options);
		this.#server = server;
		const bridge = join(fileURLToPath(new URL('.', import.meta.url)), 'bridge.mjs');
		const { port } = server.address() as AddressInfo;
		this.definition = { command: process.execPath, args: [bridge, String(port)] };
		server.on('connection', (socket) => this.#connect(socket));
	}

	static async open(options?: RawServerOptions): Promise<RawStdioServer> {
		const server = createServer();
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return new RawStdioServer(server, options);
	}

	/** The pids of the started processes, oldest first. */
	get pids(): readonly number[] {
		return this.#bodies.map(({ pid }) => pid);
	}

	/** Waits until the client has closed stdin of the newest process or ended it. */
	async left(): Promise<void> {
		await this.until(() => this.#bodies.at(-1)?.left);
	}

	line(text: string): void {
		this.raw(`${text}\n`);
	}

	raw(bytes: string | Buffer, _during?: Wire): void {
		this.#frame('o', Buffer.from(bytes as string));
	}

	/** Writes to stderr. */
	complain(text: string): void {
		this.#frame('e', Buffer.from(text));
	}

	/** Stops reading stdin and keeps running. */
	async deafen(): Promise<void> {
		const body = this.#body;
		this.#frame('i', Buffer.alloc(0));
		await this.until(() => body.deaf);
	}

	/** Closes stdout and keeps running. */
	cut(): void {
		this.#frame('c', Buffer.alloc(0));
	}

	async die(code = 1): Promise<void> {
		const body = this.#body;
		this.#frame('x', Buffer.from(String(code)));
		await this.until(() => body.left);
	}

	async close(): Promise<void> {
		for (const { socket } of this.#bodies) {
			socket.destroy();
		}
		this.#server.close();
		await once(this.#server, 'close');
	}

	get #body(): Body {
		const body = this.#bodies.at(-1);
		if (!body) {
			throw new Error('The client has not started the server.');
		}
		return body;
	}

	#frame(kind: string, bytes: Buffer): void {
		const { socket } = this.#body;
		for (let at = 0; at === 0 || at < bytes.length; at += PIECE) {
			const piece = bytes.subarray(at, at + PIECE);
			const head = Buffer.alloc(5);
			head.write(kind, 'latin1');
			head.writeUInt32BE(piece.length, 1);
			socket.write(head);
			socket.write(piece);
		}
	}

	#connect(socket: Socket): void {
		let body: Body | undefined;
		socket.setNoDelay();
		const leave = () => {
			if (body) {
				body.left = true;
			}
			this.wake();
		};
		socket.on('error', leave);
		socket.on('end', leave);
		socket.on('close', leave);
		onLines(socket, (line) => {
			if (body && line === '\0') {
				body.deaf = true;
				this.wake();
			} else if (body) {
				this.take(JSON.parse(line), line);
			} else {
				body = { pid: Number(line), socket, left: false, deaf: false };
				this.#bodies.push(body);
				this.wake();
			}
		});
	}
}

/** Splits at LF only. readline would also split at U+2028. */
function onLines(socket: Socket, onLine: (line: string) => void): void {
	const decoder = new StringDecoder('utf8');
	let parts: string[] = [];
	socket.on('data', (chunk: Buffer) => {
		const [first = '', ...others] = decoder.write(chunk).split('\n');
		parts.push(first);
		for (const next of others) {
			const line = parts.join('');
			parts = [next];
			onLine(line);
		}
	});
}
