import type { Call } from '../elicitation/call.ts';
import type { IntakeContext } from './intake.ts';

/** One call on its way through its rounds. */
export interface Run {
	readonly context: IntakeContext;
	readonly call: Call;
	/** Ends it at once. */
	readonly signal: AbortSignal;
}

/** What the promise brings, unless the signal aborts first. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
	return new Promise((resolve, reject) => {
		const abort = () => reject(signal.reason);
		if (signal.aborted) {
			abort();
			return;
		}
		signal.addEventListener('abort', abort, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
	});
}
