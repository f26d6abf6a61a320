import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A proxy that forwards requests for any host to one local server. */
export interface Proxy {
	readonly url: string;
	/** Requests so far, as `CONNECT host:port` or `POST url`. */
	readonly log: readonly string[];
	/** Responds to everything with 502 from now on. */
	refuse(): void;
}

const closing: (() => void)[] = [];

/** Starts a proxy in front of the server at this URL. It is closed at the end of the file. */
export async function proxy(target: string): Promise<Proxy> {
	const { hostname, port } = new URL(target);
	const log: string[] = [];
	const sockets = new Set<Socket>();
	let refusing = false;
	const server = createServer((incoming, response) => {
		log.push(`${incoming.method} ${incoming.url}`);
		if (refusing) {
			response.writeHead(502).end('The proxy knows no such host.');
			return;
		}
		const { pathname, search } = new URL(incoming.url ?? '/', target);
		const { method, headers } = incoming;
		const outgoing = request({ hostname, port, path: `${pathname}${search}`, method, headers }, (answer) => {
			response.writeHead(answer.statusCode ?? 500, answer.headers);
			answer.pipe(response);
		});
		outgoing.on('error', () => response.destroy());
		response.on('close', () => outgoing.destroy());
		incoming.pipe(outgoing);
	});
	server.on('connect', (incoming, socket: Socket, head: Buffer) => {
		log.push(`CONNECT ${incoming.url}`);
		socket.on('error', () => {});
		if (refusing) {
			socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
			return;
		}
		const onward = connect(Number(port), hostname, () => {
			socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			onward.write(head);
			onward.pipe(socket).pipe(onward);
		});
		sockets.add(onward);
		onward.on('error', () => socket.destroy());
	});
	server.on('connection', (socket) => sockets.add(socket));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	closing.push(() => {
		server.close();
		for (const socket of sockets) {
			socket.destroy();
		}
	});
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		log,
		refuse: () => {
			refusing = true;
			for (const socket of sockets) {
				socket.destroy();
			}
		},
	};
}

export function closeProxies(): void {
	for (const close of closing.splice(0)) {
		close();
	}
}
