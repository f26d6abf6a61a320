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
		const sessions = this.#byServer.get(server) ?? new Map<string | undefined, Conversation<M>>();
		const known = sessions.get(session) ?? new Conversation<M>();
		this.#byServer.set(server, sessions.set(session, known));
		return known;
	}
}
