import { raceAbort } from '../../elicitation/abort.ts';
import type { Call } from '../../elicitation/call.ts';
import type { Elicitation, ElicitationGroup } from '../../elicitation/elicitation.ts';
import { URL_ELICITATION_REQUIRED } from '../../elicitation/errorCodes.ts';
import { type JsonObject, keyOf, own } from '../../elicitation/json.ts';
import type { UrlRequest } from '../../elicitation/request.ts';
import { localizable, type Sentence } from '../../elicitation/sentence.ts';
import { Failure, messageOf } from '../wire/failure.ts';
import { addElicitation, atRoundLimit, checkElicitation, whyUnserved } from './intake.ts';
import type { Session } from './session.ts';

/** Max entries of one error. */
const MAX_URLS = 10;

/** Max automatic retries of a call (fault 19). */
const MAX_AUTOMATIC = 3;

/** A URL elicitation that must be completed before the call can succeed. */
interface RequiredUrl {
	readonly request: UrlRequest;
	readonly params: JsonObject;
}

/** True for error -32042, URL elicitation required (2025-11-25). */
export function isUrlRequired(error: unknown): error is Error {
	return error instanceof Error && (error as { code?: unknown }).code === URL_ELICITATION_REQUIRED;
}

/** What may require URLs: a call, or another request of this client. */
export interface Requirer {
	readonly session: Session;
	/** Ends the wait for the user when aborted. */
	readonly signal: AbortSignal;
	readonly name: string;
	readonly call?: Call;
}

/** Handles the -32042 errors of one call, or of another request. */
export class UrlElicitationRequired {
	/** The URLs whose completion triggered the last retry; `undefined` if the user triggered it. */
	#completed: string | undefined;
	#automatic = 0;

	constructor(private readonly run: Requirer) {}

	/**
	 * Has the user open every URL, and waits until all are completed or the user retries. Rejects with a Failure if the
	 * call can't continue.
	 * @param modern whether the revision has replaced this error
	 */
	async satisfy(error: Error, modern: boolean): Promise<void> {
		const { session, call, name, signal } = this.run;
		if (modern) {
			throw this.#failure(
				error,
				localizable(
					'The server responded with an error that its protocol revision does not have: {0}',
					messageOf(error),
				),
				localizable(
					"Report it to the server's author: since 2026-07-28, URLs are requested in input_required results.",
				),
			);
		}
		const unserved = whyUnserved(session, 'url');
		if (unserved) {
			throw this.#malformed(error, unserved);
		}
		const urls = this.#read(error);
		await this.#breakLoop(error, urlsKey(urls));
		const group: ElicitationGroup | undefined = call && { call, round: call.rounds, size: urls.length };
		const source = { intake: 'urlRequired', calls: call ? [call] : [], ...(group && { group }) } as const;
		const elicitations = urls.map(({ request, params }) => addElicitation(session, request, params, source));
		switch (await raceAbort(settled(elicitations), signal)) {
			case 'completed':
				this.#completed = urlsKey(urls);
				this.#automatic++;
				return;
			case 'retried':
				this.#completed = undefined;
				this.#automatic = 0;
				return;
			case 'refused':
				throw this.#failure(
					error,
					localizable('"{0}" could not continue because a URL that it requires was not opened or completed.', name),
					localizable('Try again to be asked again.'),
				);
		}
	}

	/** If completed URLs are required again, or retries don't end, the user decides about a call; other requests end. */
	async #breakLoop(error: Error, key: string): Promise<void> {
		const { session, call, name, signal } = this.run;
		const reason =
			this.#completed === key
				? localizable('"{0}" still requires a URL that you have already completed.', name)
				: this.#automatic >= MAX_AUTOMATIC
					? localizable('"{0}" required URLs {1} times without finishing.', name, this.#automatic)
					: undefined;
		if (!reason) {
			return;
		}
		this.#automatic = 0;
		if (!call || !(await atRoundLimit({ session, call, signal }, reason))) {
			throw this.#failure(error, reason, localizable("Check the timeline, and report it to the server's author."));
		}
	}

	/** Reads the entries of the error. If one is malformed, the call fails without prompting (U12, fault 18). */
	#read(error: Error): RequiredUrl[] {
		const entries = own((error as { data?: unknown }).data, 'elicitations');
		if (!Array.isArray(entries) || entries.length === 0) {
			throw this.#malformed(error, localizable('It does not say which ones.'));
		}
		if (entries.length > MAX_URLS) {
			throw this.#malformed(
				error,
				localizable('It names {0} URLs; more than {1} are not shown.', entries.length, MAX_URLS),
			);
		}
		return entries.map((params) => {
			const checked = checkElicitation(this.run.session, params);
			if (!checked.ok) {
				throw this.#malformed(error, checked.reason);
			}
			const { request } = checked;
			if (request.mode !== 'url') {
				throw this.#malformed(error, localizable('One of them is not a URL.'));
			}
			if (!request.elicitationId) {
				throw this.#malformed(error, localizable('One of them has no "elicitationId".'));
			}
			return { request, params: params as JsonObject };
		});
	}

	#malformed(error: Error, why: Sentence): Failure {
		return this.#failure(
			error,
			localizable('The server requires URLs that cannot be shown. {0} Its error: {1}', why, messageOf(error)),
			localizable("Report it to the server's author; the timeline shows the whole error."),
		);
	}

	#failure(error: Error, what: Sentence, fix: Sentence): Failure {
		return new Failure(this.run.session.definition.name, what, fix, { cause: error });
	}
}

/** Identifies a set of URL elicitations by URL, because the server may assign new ids. */
function urlsKey(urls: readonly RequiredUrl[]): string {
	return keyOf(...urls.map(({ request }) => request.url).sort());
}

/**
 * Waits for all URL elicitations. If one is refused, or the user retries, that applies to all of them: they belong to
 * one call.
 */
function settled(elicitations: readonly Elicitation[]): Promise<'completed' | 'retried' | 'refused'> {
	return new Promise((resolve) => {
		let open = elicitations.length;
		for (const elicitation of elicitations) {
			void elicitation.ended.then((state) => {
				open--;
				if (state === 'retried') {
					for (const other of elicitations) {
						other.retried() || other.cancel();
					}
					resolve('retried');
				} else if (state !== 'completed') {
					for (const other of elicitations) {
						other.withdraw(localizable('Another URL that the same call requires was not opened or completed.'));
					}
					resolve('refused');
				} else if (open === 0) {
					resolve('completed');
				}
			});
		}
	});
}
