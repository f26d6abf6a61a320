import { Conversation } from '../conversation/conversation.ts';
import type { Direction } from '../conversation/exchange.ts';
import type { Call } from '../elicitation/call.ts';
import { shorten, visibleOnOneLine } from '../elicitation/display.ts';
import { isFilledText, isObject, type Json, own } from '../elicitation/json.ts';
import { parsedJson, writeJson } from '../elicitation/jsonText.ts';
import { isTooDeep } from '../elicitation/nesting.ts';
import { truncateText } from '../elicitation/truncate.ts';
import { isMessage } from '../mcp/wire/envelope.ts';
import { Privacy } from '../privacy/privacy.ts';
import { Redactor } from '../privacy/redactor.ts';
import { Secrets } from '../privacy/secrets.ts';
import { jsonLines } from '../trace/export.ts';
import { type TraceEntry, TraceLog } from '../trace/log.ts';
import { Calls } from './calls.ts';

/** Longer messages are not recorded (bytes). */
export const MAX_MESSAGE = 64 * 1024 * 1024;

/** How many messages are kept for what later ones may repeat of them: states, and requests that are sent again. */
const MAX_MESSAGES = 200;

/** Bounds of the secrets of headers and variables: their number, and the total length of their spellings. The newest are kept. */
const MAX_SECRETS = 500;
const MAX_SECRET_CHARACTERS = 1024 * 1024;

/** Longer texts that are no messages are cut (characters). */
const MAX_TEXT = 10_000;

/** Longer names of clients are cut (characters). */
const MAX_NAME = 64;

/** Takes the lines of a recording, each with its line feed. */
export type Sink = (line: string) => void;

/** What was said at one time by one side. */
export interface Said {
	readonly direction: Direction;
	/** Milliseconds since the epoch. */
	readonly at: number;
	/** The call that it was said in, if the transport tells. */
	readonly call?: Call | undefined;
}

/**
 * What clients and a server say to each other, as a recording that the timeline opens: without secrets, each line complete in
 * itself, so that it ends well wherever it ends.
 */
export class Transcript {
	readonly #trace = new TraceLog(() => MAX_MESSAGES, new Privacy(new Secrets(MAX_SECRETS, MAX_SECRET_CHARACTERS)));
	#sessions = 0;
	#calls = 0;

	/**
	 * @param server its name
	 * @param id unique among the recordings in one file
	 */
	constructor(
		private readonly server: string,
		private readonly id: string,
		private readonly sink: Sink,
	) {}

	/** Never writes these. */
	hide(secrets: readonly string[]): void {
		this.#trace.privacy.configured.add(secrets);
	}

	/** Begins to record another connection. */
	session(): Session {
		const calls = new Calls(() => `${this.id}-${++this.#calls}`);
		return new Session(this.#trace, calls, this.server, `${this.id}-${++this.#sessions}`, this.sink);
	}
}

/** A connection between a client and the server. */
export class Session {
	readonly #conversation = new Conversation<TraceEntry>(() => this.calls.only);
	/** Once it is known which client it is. */
	#name: string | undefined;

	constructor(
		private readonly trace: TraceLog,
		private readonly calls: Calls,
		private readonly server: string,
		private readonly id: string,
		private readonly sink: Sink,
	) {}

	/**
	 * Records a text that one side has sent: a message, a batch, or something else. Returns the call of the last message.
	 * @param value what it is as JSON
	 */
	text(text: string, said: Said, value = messageIn(text)): Call | undefined {
		if (value === undefined || isTooDeep(value)) {
			const trimmed = text.trim();
			if (trimmed !== '') {
				this.note(trimmed, said);
			}
			return undefined;
		}
		const messages = Array.isArray(value) ? value.filter(isObject) : [value];
		return messages.map((message) => this.#message(message, said)).at(-1);
	}

	#message(message: Json, { direction, at, call }: Said): Call | undefined {
		this.#name ??= nameOf(clientIn(message), this.server);
		const entry = this.trace.add({
			server: this.#name,
			session: this.id,
			direction,
			at,
			message,
			call: (direction === 'sent' ? this.calls.of(message, this.#name) : undefined) ?? call,
			conversation: {
				read: (spoken) => {
					const reading = this.#conversation.read(spoken);
					this.calls.read(direction, message, reading);
					return reading;
				},
			},
		});
		for (const line of jsonLines([entry], new Redactor(this.trace))) {
			this.sink(line);
		}
		return entry.call;
	}

	/** Records what is no message. */
	note(text: string, said: Said): void {
		this.#write(said, { text: new Redactor(this.trace).text(truncateText(text, MAX_TEXT)) });
	}

	/** Records that something could not be recorded. */
	missing(bytes: number, said: Said): void {
		this.#write(said, { missing: bytes });
	}

	#write({ direction, at }: Said, what: object): void {
		const { id: session, server } = this;
		this.sink(
			`${writeJson({ at: new Date(at).toISOString(), server: this.#name ?? server, session, direction, ...what })}\n`,
		);
	}
}

/** The message or the batch that a text is. */
export function messageIn(text: string): Json | undefined {
	// Some programs begin with a byte order mark, which counts as space.
	const value = parsedJson(text.trim());
	return value !== undefined && isMessage(value) ? value : undefined;
}

/** How a client introduces itself in a message: when a session begins or, without sessions, in every request. */
export function clientIn(message: Json): Json | undefined {
	const params = own(message, 'params');
	return own(params, 'clientInfo') ?? own(own(params, '_meta'), 'io.modelcontextprotocol/clientInfo');
}

/** Both sides of a connection. */
function nameOf(client: Json | undefined, server: string): string {
	const [title, name, version] = ['title', 'name', 'version'].map((member) => own(client, member));
	const words = [[title, name].find(isFilledText), version].filter(isFilledText);
	return words.length === 0 ? server : `${shorten(visibleOnOneLine(words.join(' ')), MAX_NAME)} ▸ ${server}`;
}
