import type { Elicitation } from '../../elicitation/elicitation.ts';
import type { JsonObject } from '../../elicitation/json.ts';
import { localizable } from '../../elicitation/sentence.ts';
import type { ActiveCall } from '../rounds/intake.ts';
import { Failure, sentence } from '../wire/failure.ts';
import type { TaskState } from './taskState.ts';

/** What a call that runs as a task needs from its session. */
export interface TaskHost {
	readonly modern: boolean;
	/** Sends a request of the call. It goes on when the call is cancelled, because the task is cancelled instead (K04). */
	request(method: string, params: JsonObject): Promise<JsonObject>;
	/** Cancels the task, and stops listening to it. */
	cancel(taskId: string): void;
	/** Stops listening to a task that has ended. */
	abandon(taskId: string): void;
	/**
	 * Delivers a response with a request (D01). Never rejects.
	 * @param send sends it with a function that leaves sign-ins to the delivery: their time is not the server's
	 */
	deliver(elicitation: Elicitation, send: (request: TaskHost['request']) => Promise<unknown>): Promise<void>;
	/** How long a busy server demands to wait before the next attempt (ms), 0 if it does not; undefined if that would fail, too. */
	waitAfter(error: unknown): number | undefined;
	/** The server tells what it is doing. */
	reports(message: string): void;
}

/** How a server asks for input while a task runs, and how it hands over the result. */
export interface TaskExchange {
	/** Called with every report of a task that isn't final. Throws a Failure if it can't be served. */
	observe(state: TaskState): void;
	/** The result of a final task. Rejects with the error that the call would have got. */
	result(state: TaskState): Promise<JsonObject>;
	/** The keys of requests whose responses the server has acknowledged. */
	readonly answered: ReadonlySet<string>;
	/** Settles if the end of the task is known before it is polled. */
	readonly early: Promise<JsonObject>;
}

/** The server has cancelled a task by itself. */
export function canceledByServer({ session, call }: ActiveCall, { message }: TaskState): Failure {
	return new Failure(
		session.definition.name,
		message === undefined
			? localizable('The server cancelled "{0}".', call.name)
			: localizable('The server cancelled "{0}": {1}', call.name, sentence(message)),
		localizable("See the server's log."),
	);
}
