import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { ServerDefinition } from '../../config/definition.ts';
import type { Call } from '../../elicitation/call.ts';
import type { Clock } from '../../elicitation/clock.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import type { Registry } from '../../elicitation/registry.ts';
import type { Sentence } from '../../elicitation/sentence.ts';
import type { InsecureUrls } from '../../elicitation/url/urlSafety.ts';
import type { Requester } from '../wire/wire.ts';
import type { Completions } from './completions.ts';
import type { Roots } from './roots.ts';

/** The calls of a session. */
export interface CallsOfSession {
	/** Those that wait for a response from the server. */
	readonly inFlight: readonly Call[];
	/** Those that run, also while they wait for the user. */
	readonly running: readonly Call[];
	/** The server tells what the task of a call is doing. */
	reported(call: Call, message: string): void;
	/** The response of a call is known. */
	responded(call: Call, response: JSONRPCMessage): void;
}

/** A live session, as those see it who ask the user and send the responses. There is one, `ClientSession`. */
export interface Session {
	/** Scopes elicitation ids: completion notifications of other sessions don't apply to this one. */
	readonly id: string;
	readonly definition: ServerDefinition;
	readonly registry: Registry;
	readonly client: Requester;
	readonly calls: CallsOfSession;
	readonly completions: Completions;
	readonly roots: Pick<Roots, 'resultOf'>;
	/** The protocol revision; empty until negotiated. */
	readonly revision: string;
	/** Aborts when the session closes. From then on, the user must not be asked for anything that it would send. */
	readonly closed: AbortSignal;
	/** True over HTTP without a session id, so that a server may be unable to match a response with its request. */
	readonly lacksSession: boolean;
	readonly insecureUrls: InsecureUrls;
	/** The call that runs as that task on the server. */
	callOfTask(taskId: unknown): Call | undefined;
	/**
	 * Runs an operation that may require a sign-in, or find out that the session has ended.
	 * @param waiting what waits for it
	 */
	guard<T>(
		operation: () => Promise<T>,
		waiting?: { readonly signal?: AbortSignal; readonly clock?: Pick<Clock, 'pause' | 'resume'> },
	): Promise<T>;
	/** Delivers a response (D01). Never rejects. */
	deliver(elicitation: Elicitation, signal: AbortSignal, send: () => Promise<unknown>): Promise<void>;
	/** Why a request of ours didn't reach the server, as far as known; undefined if it did. */
	whyLost(error: unknown): Sentence | undefined;
	/** True if an error means that the server no longer knows this session. */
	hasExpired(error: unknown): boolean;
	/** How long a busy server demands to wait before the next attempt (ms), 0 if it does not; undefined if that would fail, too. */
	waitAfter(error: unknown): number | undefined;
	/** Closes the streams of a task after a grace period. */
	abandon(taskId: string): void;
	/** Removes the user's secrets. */
	hide(sentence: Sentence): Sentence;
	warn(line: string): void;
}
