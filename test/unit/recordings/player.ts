import type { JsonObject } from '../../../src/elicitation/json.ts';
import { Playback } from '../../../src/recordings/playback.ts';
import { RecordedServer } from '../../../src/recordings/recordedServer.ts';
import { deploy, type Line, read, recording } from '../trace/recording/recorded.ts';

/** The server that a recording with this text, or of these messages, is served by. */
export function serverOf(recorded: string | readonly Line[]): RecordedServer {
	const text = typeof recorded === 'string' ? recorded : recording(...recorded);
	return new RecordedServer('s', read(text).messages);
}

/** A client of a served recording. */
export class Player {
	/** What the server has sent. */
	readonly sent: JsonObject[] = [];
	readonly #playback: Playback;
	#id = 0;

	constructor(recorded: string | readonly Line[]) {
		this.#playback = new Playback(serverOf(recorded));
	}

	/** Sends a message; resolves once the server needs nothing more. */
	receive(message: object): Promise<void> {
		// As it arrives: without what is undefined.
		const wire: JsonObject = JSON.parse(JSON.stringify({ jsonrpc: '2.0', ...message }));
		return this.#playback.receive(wire, (each) => this.sent.push(each));
	}

	/** Makes a request; resolves to the response. */
	async request(method: string, params: JsonObject) {
		await this.receive({ id: ++this.#id, method, params });
		return this.sent.at(-1) as { result?: Record<string, unknown>; error?: { message: string } };
	}

	call(more: object = {}) {
		return this.request('tools/call', deploy(more));
	}
}
