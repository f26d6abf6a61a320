import { type Ending, STATUS } from './command.ts';
import { CannotRun, messageOf } from './errors.ts';
import type { Output } from './output.ts';

/** Ctrl+C, or SIGINT from elsewhere. */
export interface Interruption {
	/** Aborts once it has come, so that what has happened until then can be written. */
	readonly signal: AbortSignal;
	/** Does what SIGINT does: interrupts, or ends the program at once if that has been done. */
	readonly interrupt: () => void;
}

/** Runs what SIGINT may interrupt. Resolves to `interrupted` then, whatever `act` came to. */
export async function interruptible(
	output: Output,
	act: (interruption: Interruption) => Promise<Ending>,
): Promise<Ending> {
	const abort = new AbortController();
	const { signal } = abort;
	const interrupt = () => {
		if (signal.aborted) {
			process.exit(STATUS.interrupted);
		}
		abort.abort(new CannotRun('It was interrupted.'));
	};
	process.on('SIGINT', interrupt);
	try {
		const ending = await act({ signal, interrupt });
		return signal.aborted ? 'interrupted' : ending;
	} catch (error) {
		if (!signal.aborted) {
			throw error;
		}
		output.tell(messageOf(error));
		return 'interrupted';
	} finally {
		process.off('SIGINT', interrupt);
	}
}
