import { createHash } from 'node:crypto';
import type { EventSourceMessage } from 'eventsource-parser';
import { dropOldest } from '../../elicitation/limits.ts';

/** Max events that are remembered. */
const MAX_EVENTS = 1_000;

const digestOf = (text: string) => createHash('sha1').update(text).digest('base64');

/**
 * Recognizes events that a server sends again when a stream is resumed, though it should only send what follows
 * (2025-11-25, resumability). What came after the last event id may have been lost on the way, so it counts as new.
 */
export class Replays {
	/** The received events of one stream, oldest first: digests of what they are, by those of their ids. Both may be long. */
	readonly #events = new Map<string, { readonly order: number; readonly digest: string }>();
	#order = 0;
	/** What came up to here, or earlier, is not sent again. */
	#last = 0;

	/** @param from the event after which the stream is resumed; absent if it is opened anew */
	begin(from: string | undefined): void {
		this.#last = (from !== undefined && this.#events.get(digestOf(from))?.order) || 0;
	}

	/** Whether an event was received before. */
	has({ id, data }: EventSourceMessage): boolean {
		if (!id || data === '') {
			return false;
		}
		const key = digestOf(id);
		const digest = digestOf(data);
		const before = this.#events.get(key);
		if (before && before.order <= this.#last && before.digest === digest) {
			return true;
		}
		this.#events.delete(key);
		this.#events.set(key, { order: ++this.#order, digest });
		dropOldest(this.#events, MAX_EVENTS);
		return false;
	}
}
