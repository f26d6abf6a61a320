import type { Direction } from '../conversation/exchange.ts';
import type { Call } from '../elicitation/call.ts';
import { type Json, keyOf, own } from '../elicitation/json.ts';
import { dropOldest } from '../elicitation/limits.ts';
import { parseUrl } from '../elicitation/url/parseUrl.ts';
import { contentOf, EventBody, WholeBody } from './bodies.ts';
import type { Channel, Cut } from './channel.ts';
import { clientIn, MAX_MESSAGE, messageIn, type Session, type Transcript } from './transcript.ts';

/** Max number of sessions that are told apart; the oldest is forgotten first. */
const MAX_SESSIONS = 1_000;

interface Head {
	/** `Mcp-Session-Id` */
	readonly session: string | undefined;
	/** `Content-Type` */
	readonly type: string | undefined;
	/** `Content-Encoding` */
	readonly encoding: string | undefined;
	/** What headers contain that is never written. */
	readonly secrets: readonly string[];
}

/** The beginning of a request. */
export interface RequestHead extends Head {
	readonly method: string;
	/** With the query. */
	readonly path: string;
}

/** The beginning of a response. */
export interface ResponseHead extends Head {
	/** The channel of the request. */
	readonly request: number;
	readonly status: number;
	readonly reason: string;
}

/** A request that waits for its response. */
interface Exchange {
	readonly head: RequestHead;
	/** Known once its message is. */
	session?: Session;
	/** That its message begins or continues. */
	call?: Call | undefined;
}

/** Records the messages in the bodies of HTTP requests and responses. Nothing else of them is recorded: it may be a token. */
export class HttpRecording {
	/** By the channel of the request. */
	readonly #exchanges = new Map<number, Exchange>();
	readonly #sessions: Sessions;

	constructor(private readonly transcript: Transcript) {
		this.#sessions = new Sessions(transcript);
	}

	request(id: number, head: RequestHead): Channel {
		this.transcript.hide(head.secrets);
		const exchange: Exchange = { head };
		this.#exchanges.set(id, exchange);
		const body = new WholeBody(
			{
				text: (text, at) => {
					const message = messageIn(text);
					exchange.session = this.#sessions.of(head, message);
					const said = { direction: 'sent', at } as const;
					if (message === undefined) {
						exchange.session.note(`No message in the body of ${nameOf(head)} (${text.length} characters)`, said);
					} else {
						exchange.call = exchange.session.text(text, said, message);
					}
				},
				missing: (bytes, at) => this.#sessionOf(exchange).missing(bytes, { direction: 'sent', at }),
				end: () => {},
			},
			MAX_MESSAGE,
		);
		return contentOf(head.encoding, body);
	}

	response({ request, ...head }: ResponseHead): Channel {
		this.transcript.hide(head.secrets);
		const exchange = this.#exchanges.get(request);
		this.#exchanges.delete(request);
		if (!exchange) {
			throw new Error('a response came without a request');
		}
		if (head.session !== undefined && exchange.session) {
			this.#sessions.name(head.session, exchange.session);
		}
		const direction: Direction = 'received';
		let hasSpoken = false;
		const events = {
			text: (text: string, at: number, event?: string) => {
				const { call } = exchange;
				if (event === 'endpoint') {
					this.#sessions.name(pathOf(text, exchange.head.path), this.#sessionOf(exchange));
					return;
				}
				const message = messageIn(text);
				if (message !== undefined) {
					hasSpoken = true;
					this.#sessionOf(exchange).text(text, { direction, at, call }, message);
				}
			},
			missing: (bytes: number, at: number) => {
				hasSpoken = true;
				this.#sessionOf(exchange).missing(bytes, { direction, at });
			},
			end: (at: number, cut: Cut) => {
				if (cut) {
					const what = `Ended by the ${cut === 'sent' ? 'client' : 'server'} before it was complete: ${nameOf(exchange.head)}`;
					this.#sessionOf(exchange).note(what, { direction: cut, at });
				} else if (!hasSpoken && head.status >= 300) {
					const what = [head.status, head.reason, 'for', nameOf(exchange.head)].filter((word) => word !== '');
					this.#sessionOf(exchange).note(what.join(' '), { direction, at });
				}
			},
		};
		const isStream = head.type?.toLowerCase().startsWith('text/event-stream') === true;
		return contentOf(head.encoding, new (isStream ? EventBody : WholeBody)(events, MAX_MESSAGE));
	}

	#sessionOf(exchange: Exchange): Session {
		exchange.session ??= this.#sessions.of(exchange.head, undefined);
		return exchange.session;
	}
}

/** Tells the sessions apart of the clients that reach a server through the same tap. */
class Sessions {
	/** By what requests name: the id of a session, or the path that a server has given to one (2024-11-05). Oldest first. */
	readonly #named = new Map<string, Session>();
	/** The last that has begun without an id. */
	#nameless: Session | undefined;

	constructor(private readonly transcript: Transcript) {}

	/** The session of a request; undefined as message for a request without one. */
	of({ session, path, method }: RequestHead, message: Json | undefined): Session {
		const known = this.#named.get(session ?? path);
		if (known) {
			return known;
		}
		if (session !== undefined) {
			return this.name(session, this.transcript.session());
		}
		const first = Array.isArray(message) ? message[0] : message;
		if (own(first, 'method') === 'initialize') {
			this.#nameless = this.transcript.session();
			return this.#nameless;
		}
		const client = clientIn(first ?? null);
		if (client !== undefined) {
			// There are no sessions in 2026-07-28: one stands for all that a client says.
			const name = keyOf(client);
			return this.#named.get(name) ?? this.name(name, this.transcript.session());
		}
		const other = this.#nameless ?? this.transcript.session();
		if (method === 'POST') {
			this.#nameless = other;
		}
		return other;
	}

	name(name: string, session: Session): Session {
		if (this.#nameless === session) {
			this.#nameless = undefined;
		}
		this.#named.set(name, session);
		dropOldest(this.#named, MAX_SESSIONS);
		return session;
	}
}

/** Without the query, which may have secrets. */
function nameOf({ method, path }: RequestHead): string {
	return `${method} ${path.replace(/[?#].*$/s, '')}`;
}

/** The path to which a server wants messages to be sent. */
function pathOf(address: string, base: string): string {
	const url = parseUrl(address, `http://localhost${base}`);
	return url ? url.pathname + url.search : address;
}
