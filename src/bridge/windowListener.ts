import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { firstLine } from '../window/firstLine.ts';
import { type Hello, type HelloReply, readHello, SOCKETS } from '../window/openWindows.ts';
import { isSameSecret, newSecret } from './secret.ts';

/** Max programs that are connected at once. */
const MAX_PROGRAMS = 50;

/**
 * Listens to other programs of this user, on a socket in a folder that only they can enter, or on a named pipe. Whoever does not
 * know the secret is disconnected without a word.
 */
export class WindowListener {
	readonly secret = newSecret();
	readonly #sockets = new Set<Socket>();

	private constructor(
		readonly address: string,
		private readonly server: Server,
		private readonly folder: string | undefined,
	) {}

	/**
	 * Rejects with the error of the system.
	 * @param take takes over the socket of a program; returns why it does not, as a sentence
	 */
	static async open(take: (hello: Hello, socket: Socket) => string | undefined): Promise<WindowListener> {
		const folder = process.platform === 'win32' ? undefined : await mkdtemp(SOCKETS);
		const address = folder ? join(folder, 'window') : `\\\\.\\pipe\\mcp-elicitation-${newSecret()}`;
		const server = createServer();
		server.maxConnections = MAX_PROGRAMS;
		const listener = new WindowListener(address, server, folder);
		server.on('connection', (socket) => void listener.#greet(socket, take));
		await new Promise<void>((resolve, reject) => {
			server.once('error', reject).listen(address, resolve);
		});
		return listener;
	}

	/** Disconnects every program. */
	async close(): Promise<void> {
		const closed = new Promise((resolve) => this.server.close(resolve));
		for (const socket of this.#sockets) {
			socket.destroy();
		}
		await closed;
		if (this.folder) {
			await rm(this.folder, { recursive: true, force: true });
		}
	}

	async #greet(socket: Socket, take: (hello: Hello, socket: Socket) => string | undefined): Promise<void> {
		this.#sockets.add(socket);
		// A program may be gone at any time.
		socket.on('error', () => {});
		socket.once('close', () => this.#sockets.delete(socket));
		const hello = readHello((await firstLine(socket)) ?? '');
		if (!hello || !isSameSecret(hello.secret, this.secret)) {
			socket.destroy();
			return;
		}
		const error = take(hello, socket);
		const reply: HelloReply = error === undefined ? {} : { error };
		socket[error === undefined ? 'write' : 'end'](`${JSON.stringify(reply)}\n`);
		socket.resume();
	}
}
