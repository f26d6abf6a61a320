import { orAborted } from '../../../elicitation/abort.ts';

/** The sign-ins that wait for a browser to come back, each by its state: what carries no known state is nobody's. */
export class Answers {
	readonly #waiting = new Map<string, (answer: URLSearchParams) => void>();

	/** Resolves to the query that carries this state. Rejects when the signal aborts. */
	wait(state: string, signal: AbortSignal): Promise<URLSearchParams> {
		const answer = new Promise<URLSearchParams>((resolve) => {
			this.#waiting.set(state, resolve);
		});
		return orAborted(answer, signal).finally(() => this.#waiting.delete(state));
	}

	/** False when nobody waits for it. */
	take(answer: URLSearchParams): boolean {
		const take = this.#waiting.get(answer.get('state') ?? '');
		take?.(answer);
		return take !== undefined;
	}
}
