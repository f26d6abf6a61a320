import type { Direction } from '../conversation/exchange.ts';
import type { Channel, Cut } from './channel.ts';
import { HttpRecording, type RequestHead, type ResponseHead } from './httpRecording.ts';
import { Lines } from './lines.ts';
import { MAX_MESSAGE, type Session, type Sink, Transcript } from './transcript.ts';

/** How something is recorded. */
export interface RecordingOptions {
	/** Where to; a file that exists is continued. */
	readonly file: string;
	/** The name of the server. */
	readonly server: string;
	/** Unique among the recordings in the file. */
	readonly id: string;
	/** What is never written. */
	readonly secrets: readonly string[];
}

/** What the bytes are that follow. */
export type About =
	| { readonly kind: 'stdio'; readonly direction: Direction }
	| ({ readonly kind: 'request' } & RequestHead)
	| ({ readonly kind: 'response' } & ResponseHead);

/** What is to be recorded. `lost` is how much is missing before it (bytes). */
export type ToWorker =
	| { readonly id: number; readonly about: About }
	| { readonly id: number; readonly bytes: Uint8Array; readonly lost: number; readonly at: number }
	| { readonly id: number; readonly end: true; readonly cut: Cut; readonly lost: number; readonly at: number }
	| { readonly close: true };

/** With what it takes of the queue (bytes). */
export type Post = ToWorker & { readonly size: number };

/** How much of it is recorded (bytes), or why nothing more will be. */
export interface FromWorker {
	readonly done?: number;
	readonly failed?: string;
}

/** Records what passes through a tap. */
export class Recording {
	readonly #transcript: Transcript;
	readonly #channels = new Map<number, Channel>();
	readonly #http: HttpRecording;
	/** Of the only client over stdio. */
	#session: Session | undefined;

	constructor({ server, id, secrets }: Omit<RecordingOptions, 'file'>, sink: Sink) {
		this.#transcript = new Transcript(server, id, sink);
		this.#transcript.hide(secrets);
		this.#http = new HttpRecording(this.#transcript);
	}

	/** Call with one post after the other. */
	async take(post: Exclude<ToWorker, { close: true }>): Promise<void> {
		const { id } = post;
		if ('about' in post) {
			this.#channels.set(id, this.#open(id, post.about));
			return;
		}
		const channel = this.#channels.get(id);
		if (post.lost > 0) {
			channel?.lose(post.lost, post.at);
		}
		if ('bytes' in post) {
			await channel?.bytes(post.bytes, post.at);
		} else {
			this.#channels.delete(id);
			await channel?.end(post.at, post.cut);
		}
	}

	#open(id: number, about: About): Channel {
		switch (about.kind) {
			case 'stdio':
				this.#session ??= this.#transcript.session();
				return linesOf(this.#session, about.direction);
			case 'request':
				return this.#http.request(id, about);
			case 'response':
				return this.#http.response(about);
		}
	}
}

/** One direction over stdio. */
function linesOf(session: Session, direction: Direction): Channel {
	let now = 0;
	const said = () => ({ direction, at: now });
	const lines = new Lines(
		{ line: (text) => session.text(text, said()), missing: (bytes) => session.missing(bytes, said()) },
		MAX_MESSAGE,
	);
	const at = (time: number, act: () => void) => {
		now = time;
		act();
	};
	return {
		bytes: (chunk, time) => at(time, () => lines.push(chunk)),
		lose: (bytes, time) => at(time, () => lines.lose(bytes)),
		end: (time) => at(time, () => lines.end()),
	};
}
