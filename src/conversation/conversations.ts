import { Conversation } from './conversation.ts';
import type { Spoken } from './exchange.ts';

/** A connection, as recordings name it. */
interface Named {
	readonly server: string;
	readonly session?: string | undefined;
}

/** The conversations of a recording: each connection has ids of its own. */
export class Conversations<M extends Spoken> {
	readonly #byServer = new Map<string, Map<string | undefined, Conversation<M>>>();

	of({ server, session }: Named): Conversation<M> {
		let sessions = this.#byServer.get(server);
		if (!sessions) {
			sessions = new Map();
			this.#byServer.set(server, sessions);
		}
		let conversation = sessions.get(session);
		if (!conversation) {
			conversation = new Conversation();
			sessions.set(session, conversation);
		}
		return conversation;
	}
}
