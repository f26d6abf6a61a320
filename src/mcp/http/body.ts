import { setImmediate } from 'node:timers/promises';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { MESSAGES_PER_TURN } from '../wire/envelope.ts';
import { MAX_MESSAGE_LENGTH, MessageTooLongError } from '../wire/failure.ts';

/** How much of a body that explains something is read (characters), and for how long (ms). Some never end. */
const MAX_BODY = 64 * 1024;
const MAX_TIME = 5_000;

/** True for a `text/event-stream` response. */
export function isEventStream({ headers }: Response): boolean {
	return headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true;
}

/** The whole body. Rejects if it is cut, or longer than a message may be (fault 13). */
export async function wholeText({ body }: Response): Promise<string> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of body ?? []) {
		length += chunk.length;
		if (length > MAX_MESSAGE_LENGTH) {
			throw new MessageTooLongError();
		}
		chunks.push(chunk);
	}
	return new TextDecoder().decode(Buffer.concat(chunks));
}

/** The beginning of a body. Never rejects. */
export async function boundedText({ body }: Response): Promise<string> {
	const reader = body?.getReader();
	if (!reader) {
		return '';
	}
	const decoder = new TextDecoder();
	let text = '';
	const late = setTimeout(() => void reader.cancel().catch(() => {}), MAX_TIME);
	try {
		while (text.length < MAX_BODY) {
			const { done, value } = await reader.read();
			if (done) {
				break;
			}
			text += decoder.decode(value, { stream: true });
		}
	} catch {
		// What was received may still explain something.
	} finally {
		clearTimeout(late);
		void reader.cancel().catch(() => {});
	}
	return text.slice(0, MAX_BODY);
}

/** Nothing of a body is needed. */
export function discard({ body }: Response): void {
	void body?.cancel().catch(() => {});
}

/** Receives what an event stream says. */
export interface Events {
	event(event: EventSourceMessage): void;
	/** The server asks for that delay before the stream is opened again (ms). */
	retry?(ms: number): void;
	/** Resolves when more may be read; undefined if it may be at once. */
	ready(): Promise<void> | undefined;
}

/**
 * Reads an event stream to its end, a bounded number of events in each turn of the event loop. Rejects if it is cut, or if
 * an event is longer than a message may be.
 */
export async function readEvents({ body }: Response, { event, retry, ready }: Events): Promise<void> {
	const decoder = new TextDecoder();
	const waiting: EventSourceMessage[] = [];
	let isTooLong = false;
	const parser = createParser({
		onEvent: (each) => void waiting.push(each),
		...(retry && { onRetry: retry }),
		onError: ({ type }) => {
			isTooLong ||= type === 'max-buffer-size-exceeded';
		},
		maxBufferSize: MAX_MESSAGE_LENGTH,
	});
	let count = 0;
	for await (const chunk of body ?? []) {
		await ready();
		parser.feed(decoder.decode(chunk, { stream: true }));
		for (const each of waiting.splice(0)) {
			event(each);
			if (++count % MESSAGES_PER_TURN === 0) {
				await setImmediate();
			}
		}
		if (isTooLong) {
			throw new MessageTooLongError();
		}
	}
}
