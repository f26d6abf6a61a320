import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { contentSecurityPolicy, finishedHtml, waitingHtml } from './html.ts';

const LIFETIME = 10 * 60_000;

/** One page in the user's browser with one button. Its id is the `elicitationId`; the token in its URL is another. */
export class Page {
	readonly id = randomUUID();
	#state: 'waiting' | 'finished' | 'closed' = 'waiting';
	readonly #settled: Promise<void>;
	#settle: () => void = () => {};

	constructor(
		readonly title: string,
		readonly url: string,
	) {
		this.#settled = new Promise((resolve) => {
			this.#settle = resolve;
		});
	}

	get state(): 'waiting' | 'finished' | 'closed' {
		return this.#state;
	}

	/** Waits until the page is finished or closed, the time is up or the signal fires. True when it is finished. */
	async finished(milliseconds: number, signal: AbortSignal): Promise<boolean> {
		let giveUp: () => void = () => {};
		const given = new Promise<void>((resolve) => {
			giveUp = resolve;
		});
		const timer = setTimeout(giveUp, milliseconds);
		signal.addEventListener('abort', giveUp);
		if (signal.aborted) giveUp();
		await Promise.race([this.#settled, given]);
		clearTimeout(timer);
		signal.removeEventListener('abort', giveUp);
		return this.#state === 'finished';
	}

	/** Ends the waiting. The first word counts. */
	settle(state: 'finished' | 'closed'): void {
		if (this.#state !== 'waiting') return;
		this.#state = state;
		this.#settle();
	}
}

/** Serves pages on the loopback interface, listening only while one of them waits for its button. */
export class Pages {
	readonly #pages = new Map<string, { readonly page: Page; readonly timer: NodeJS.Timeout }>();
	#listening: Promise<Server> | undefined;
	readonly #onFinished: (page: Page) => void;

	constructor(onFinished: (page: Page) => void) {
		this.#onFinished = onFinished;
	}

	async open(title: string): Promise<Page> {
		this.#listening ??= listen((request, response) => this.#serve(request, response));
		const { port } = (await this.#listening).address() as AddressInfo;
		// The token is the only key: the Host header is not compared, because an editor may forward the port.
		const path = `/sign-in/${randomBytes(32).toString('hex')}`;
		const page = new Page(title, `http://127.0.0.1:${port}${path}`);
		const timer = setTimeout(() => this.close(page), LIFETIME).unref();
		this.#pages.set(path, { page, timer });
		return page;
	}

	find(id: string | undefined): Page | undefined {
		for (const { page } of this.#pages.values()) if (page.id === id) return page;
		return undefined;
	}

	/** Forgets a page; one that still waits will never be finished. */
	close(closing: Page): void {
		for (const [path, { page, timer }] of this.#pages) {
			if (page !== closing) continue;
			clearTimeout(timer);
			this.#pages.delete(path);
			page.settle('closed');
		}
		this.#rest();
	}

	closeAll(): void {
		for (const { page } of [...this.#pages.values()]) this.close(page);
	}

	#rest(): void {
		for (const { page } of this.#pages.values()) if (page.state === 'waiting') return;
		const listening = this.#listening;
		this.#listening = undefined;
		void listening?.then((server) => {
			server.close();
			server.closeIdleConnections();
		});
	}

	#serve(request: IncomingMessage, response: ServerResponse): void {
		const page = this.#pages.get(request.url ?? '')?.page;
		if (page === undefined) {
			send(response, 404, '');
		} else if (request.method === 'GET') {
			send(response, 200, page.state === 'waiting' ? waitingHtml(page.title) : finishedHtml(page.title));
		} else if (request.method === 'POST') {
			// Only the button finishes a page: a browser that fetches it ahead of time does not.
			send(response, 200, finishedHtml(page.title));
			this.#finish(page);
		} else {
			send(response, 405, '');
		}
	}

	#finish(page: Page): void {
		if (page.state !== 'waiting') return;
		page.settle('finished');
		this.#onFinished(page);
		this.#rest();
	}
}

/** Pages by name: those of one call, or those that outlive calls. */
export class NamedPages {
	readonly #pages: Pages;
	readonly #ids: Record<string, string>;

	/** @param ids of pages opened earlier, by name */
	constructor(pages: Pages, ids: Readonly<Record<string, string>> = {}) {
		this.#pages = pages;
		this.#ids = { ...ids };
	}

	get ids(): Readonly<Record<string, string>> {
		return this.#ids;
	}

	/** The page of that name, opened unless it already is. */
	async open(name: string, title: string): Promise<Page> {
		const page = this.#pages.find(this.#ids[name]) ?? (await this.#pages.open(title));
		this.#ids[name] = page.id;
		return page;
	}

	closeAll(): void {
		for (const id of Object.values(this.#ids)) {
			const page = this.#pages.find(id);
			if (page !== undefined) this.#pages.close(page);
		}
	}
}

async function listen(serve: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
	const server = createServer(serve);
	server.requestTimeout = 10_000;
	// Browsers open connections ahead of need. None of them may keep the process alive once stdin is closed.
	server.unref();
	server.on('connection', (socket) => socket.unref());
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(0, '127.0.0.1', resolve);
	});
	return server;
}

function send(response: ServerResponse, status: number, html: string): void {
	response.writeHead(status, {
		'content-type': 'text/html; charset=utf-8',
		'content-security-policy': contentSecurityPolicy,
		'referrer-policy': 'no-referrer',
		'x-content-type-options': 'nosniff',
		'cache-control': 'no-store',
		// A kept connection would keep the listener alive after the last page.
		connection: 'close',
	});
	response.end(html);
}
