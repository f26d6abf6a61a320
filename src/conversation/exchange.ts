import type { Intake } from '../elicitation/elicitation.ts';
import type { Json } from '../elicitation/json.ts';

/** Who speaks: `sent` is what the client says, `received` what the server says. */
export type Direction = 'sent' | 'received';

/** A message of a conversation, as its reader keeps it. */
export interface Spoken {
	readonly direction: Direction;
	/** Milliseconds since the epoch. */
	readonly at: number;
	/** The call that it is known to belong to. */
	readonly call?: object | undefined;
	readonly message: unknown;
	/** Approximate memory (bytes) that to remember the message takes, where that is to be bounded. */
	readonly memorySize?: number;
}

/** A request and its response, in either direction. The server makes requests also in results and errors. */
export class Exchange<M extends Spoken> {
	/** The message that is the request. Undefined once it is forgotten, and for an entry of another message. */
	request: M | undefined;
	/** The message with the response. Undefined if there is none yet, or once it is forgotten. */
	response: M | undefined = undefined;
	/** Time between the two (ms). */
	latency: number | undefined = undefined;
	/** What the server asks, raw. Undefined where it is no longer needed to understand the response. */
	params: Json | undefined;
	/** True if the side that made it has withdrawn it. */
	withdrawn = false;
	/** True if another one had the same id at the same time. Which of them a response is for cannot be known for certain. */
	shared = false;
	/** The request that has the same id and waits, too. */
	earlier: Exchange<M> | undefined;
	/** Of which progress is reported. */
	token: string | number | undefined = undefined;
	readonly weight: number;
	/** When the request was made (ms since the epoch). */
	readonly #at: number;

	/**
	 * @param spoken the message that makes the request
	 * @param from the side that makes it
	 * @param about the request whose task it asks about
	 */
	constructor(
		spoken: M,
		readonly from: Direction,
		readonly intake: Intake,
		readonly method: string,
		params: Json | undefined,
		public call: M['call'],
		readonly about: Exchange<M> | undefined,
		earlier: Exchange<M> | undefined,
	) {
		this.request = intake === 'request' ? spoken : undefined;
		this.params = params;
		this.earlier = earlier;
		this.#at = spoken.at;
		this.weight = (spoken.memorySize ?? 0) + (earlier?.weight ?? 0);
	}

	respond(response: M): void {
		this.response = response;
		// The clock may have been set back in between.
		this.latency = Math.max(0, response.at - this.#at);
	}

	/** Forgets a message. The method and the latency stay known. */
	forget(message: M): void {
		if (this.request === message) {
			this.request = undefined;
		}
		if (this.response === message) {
			this.response = undefined;
		}
	}

	release(): void {
		this.params = undefined;
		this.earlier = undefined;
	}
}
