import { raceAbort } from '../../../elicitation/abort.ts';

/** Pending sign-ins by state. Redirects with an unknown state are ignored. */
export class PendingRedirects {
	readonly #waiting = new Map<string, (query: URLSearchParams) => void>();

	/** Resolves to the redirect's query with this state. Rejects when the signal aborts. */
	wait(state: string, signal: AbortSignal): Promise<URLSearchParams> {
		const redirect = new Promise<URLSearchParams>((resolve) => {
			this.#waiting.set(state, resolve);
		});
		return raceAbort(redirect, signal).finally(() => this.#waiting.delete(state));
	}

	/** False if no sign-in waits for it. */
	take(query: URLSearchParams): boolean {
		const take = this.#waiting.get(query.get('state') ?? '');
		take?.(query);
		return take !== undefined;
	}
}

/**
 * Query parameters of the redirect.
 * @param encoded VS Code on the desktop passes the query decoded, so `+` and `%` in it are literal; in a browser it
 * passes the query as received
 */
export function readQuery(query: string, encoded: boolean): URLSearchParams {
	if (encoded) {
		return new URLSearchParams(query);
	}
	const parameters = new URLSearchParams();
	for (const pair of query.split('&')) {
		const [name = '', ...value] = pair.split('=');
		parameters.append(name, value.join('='));
	}
	return parameters;
}
