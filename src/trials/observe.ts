import type { Call } from '../elicitation/call.ts';
import { inSeconds } from '../elicitation/clock.ts';
import { shorten } from '../elicitation/display.ts';
import type { Elicitation, ElicitationResponse } from '../elicitation/elicitation.ts';
import { own } from '../elicitation/json.ts';
import { writeJson } from '../elicitation/jsonText.ts';
import type { Registry } from '../elicitation/registry.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import type { TrialOutcome } from '../trialsProtocol.ts';
import { type BeginCall, type CallRunOptions, type CallSpec, runWithResponses } from './callRun.ts';

/** How long a server may wait for a response: longer than the request timeout of the SDKs, which is 60 s (ms). */
export const SERVER_TIMEOUT = 70_000;

/** How long to wait for a URL elicitation that nobody completes (ms). */
export const URL_TIMEOUT = 5_000;

/** Max length of a server's message in a table (characters). */
const MAX_SUMMARY_LENGTH = 200;

/** A run with more elicitations than this is stopped. */
const MAX_ELICITATIONS = 100;

/** One run of a trial: how a call is made. */
export interface TrialRun {
	/** Label in the table. */
	readonly name: Sentence;
	/** A complete sentence, for the timeline. */
	readonly description: Sentence;
	/**
	 * The response to the elicitation at this index of the run, from 0; undefined to leave it without one.
	 * @param note adds a remark about the response
	 */
	answer(
		elicitation: Elicitation,
		index: number,
		note: (note: Sentence) => void,
	): Promise<ElicitationResponse | undefined>;
	/** Modifies what a round trip of the call sends. */
	readonly tamper?: CallRunOptions['tamper'];
	/** Called if the call runs as a task. */
	readonly onTask?: CallRunOptions['onTask'];
	/** Time after the first elicitation until the call is cancelled (ms). Absent if all elicitations get a response. */
	readonly cancelAfter?: number;
}

/** A finding that the user should look at. */
export interface Remark {
	readonly text: Sentence;
	readonly warning: boolean;
}

/** How the server reacted. */
export interface Observation {
	/** Absent if the server could not be started or the run was stopped before the call. */
	readonly call?: Call;
	readonly outcome: TrialOutcome;
	/** Start of the server's message (server text), or the reason why there is none. */
	readonly message: string | Sentence;
	readonly elicitations: readonly Elicitation[];
	readonly notes: readonly Sentence[];
	/** Negotiated revision, for runs that compare revisions. */
	readonly revision?: string;
	/** What the server did that violates the protocol. */
	readonly violations?: readonly Sentence[];
}

/** The reason why the client ended a run. */
class StoppedError extends Error {
	constructor(readonly note: Sentence) {
		super(note.text);
	}
}

/** What a run needs. */
export interface RunContext {
	readonly begin: BeginCall;
	readonly registry: Registry;
}

/** Makes the call once and reports how the server reacted. Resolves to undefined if the server was not started. */
export async function observe(
	{ begin, registry }: RunContext,
	spec: Omit<CallSpec, 'trial'>,
	trial: TrialRun,
	signal: AbortSignal,
): Promise<Observation | undefined> {
	const watch = new Watch(registry, trial, signal);
	const violations: Sentence[] = [];
	const refusals = registry.onDidRefuse(({ server, reason }) => {
		if (server === spec.server) {
			violations.push(localizable('Its request violates the protocol. {0}', reason));
		}
	});
	try {
		const callRun = await runWithResponses(
			begin,
			registry,
			{ ...spec, trial: trial.description },
			(each) => watch.answer(each),
			{
				signal: watch.signal,
				quiet: true,
				...(trial.tamper && { tamper: trial.tamper }),
				onTask: trial.onTask,
				onCall: (call) => watch.begin(call),
			},
		);
		return callRun && { ...watch.observation(callRun.call, callRun.result, callRun.error), violations };
	} catch (error) {
		if (!signal.aborted) {
			throw error;
		}
		// Stopped while the server was starting, before the call.
		return { outcome: 'cancelled', message: '', elicitations: [], notes: [] };
	} finally {
		refusals.dispose();
		watch.dispose();
	}
}

/** Watches one run: makes sure that the user is not asked and that the run ends. */
class Watch {
	readonly #abort = new AbortController();
	readonly #elicitations: Elicitation[] = [];
	readonly #notes: Sentence[] = [];
	readonly #subscriptions: { dispose(): void }[];
	readonly #timers = new Set<ReturnType<typeof setTimeout>>();
	#call: Call | undefined;
	#askedAt: number | undefined;

	constructor(
		private readonly registry: Registry,
		private readonly trial: TrialRun,
		private readonly outer: AbortSignal,
	) {
		outer.addEventListener('abort', this.#stop, { once: true });
		if (outer.aborted) {
			this.#stop();
		}
		this.#subscriptions = [
			registry.onDidAdd((elicitation) => this.#add(elicitation)),
			registry.onDidReachRoundLimit((roundLimit) => {
				if (roundLimit.call === this.#call) {
					roundLimit.decide(false);
				}
			}),
			registry.onDidChangeDelivery(({ cause, delivery }) => {
				// Nobody is asked to send it again, and the call would wait for it.
				if (cause !== undefined && cause === this.#call && delivery?.failed && delivery.problem) {
					this.#abort.abort(new StoppedError(delivery.problem));
				}
			}),
		];
	}

	get signal(): AbortSignal {
		return this.#abort.signal;
	}

	begin(call: Call): void {
		this.#call = call;
	}

	/** Never resolves if no response is to be given. The elicitation stays open until the call is cancelled. */
	async answer(elicitation: Elicitation): Promise<ElicitationResponse> {
		const index = this.#elicitations.indexOf(elicitation);
		const decision = await this.trial.answer(elicitation, index, (note) => this.#notes.push(note));
		if (decision?.action === 'accept' && elicitation.request.mode === 'url') {
			this.#after(URL_TIMEOUT, () => elicitation.giveUp());
		}
		return decision ?? new Promise<never>(() => {});
	}

	observation(call: Call, result: unknown, error: unknown): Observation {
		const notes = [...this.#notes, ...this.#declinedNotes(call), ...this.#endNotes(call, result)];
		return { call, elicitations: this.#elicitations, notes, ...this.#outcome(call, result, error) };
	}

	dispose(): void {
		this.outer.removeEventListener('abort', this.#stop);
		for (const subscription of this.#subscriptions) {
			subscription.dispose();
		}
		for (const timer of this.#timers) {
			clearTimeout(timer);
		}
	}

	readonly #stop = () => this.#abort.abort(this.outer.reason);

	#add(elicitation: Elicitation): void {
		if (!this.#call || elicitation.cause !== this.#call) {
			return;
		}
		this.#elicitations.push(elicitation);
		if (this.#elicitations.length > MAX_ELICITATIONS) {
			this.#abort.abort(
				new StoppedError(localizable('It was stopped because it sent more than {0} requests.', MAX_ELICITATIONS)),
			);
			return;
		}
		const { cancelAfter } = this.trial;
		if (cancelAfter !== undefined && this.#askedAt === undefined) {
			this.#after(cancelAfter, () => this.#abort.abort());
		}
		this.#askedAt ??= Date.now();
		// The user agreed to these calls, so the rate limit does not apply.
		elicitation.release();
	}

	#outcome(call: Call, result: unknown, error: unknown): Pick<Observation, 'outcome' | 'message'> {
		if (result !== undefined) {
			return { outcome: own(result, 'isError') === true ? 'isError' : 'result', message: summaryOf(result) };
		}
		if (call.state === 'cancelled') {
			return { outcome: this.#waited !== undefined || this.#stopReason ? 'waiting' : 'cancelled', message: '' };
		}
		return failure(error);
	}

	/** Elicitations that were declined automatically. */
	#declinedNotes(call: Call): Sentence[] {
		const declined = this.registry.elicitations.some(
			({ origin, unasked }) => unasked === 'settings' && origin.calls.includes(call),
		);
		return declined ? [localizable('Your settings decline the requests of this server; nothing could be tried.')] : [];
	}

	/** Remarks on how the run ended, beyond the outcome itself. */
	#endNotes(call: Call, result: unknown): Sentence[] {
		if (this.#stopReason && result === undefined) {
			return [this.#stopReason.note];
		}
		const waited = this.#waited;
		if (waited === undefined) {
			return [];
		}
		return call.state === 'cancelled'
			? [localizable('It was cancelled after {0} s, during which the server kept waiting.', waited)]
			: [localizable('The server gave up after {0} s.', waited)];
	}

	/** The reason why the client ended the run. */
	get #stopReason(): StoppedError | undefined {
		const { aborted, reason } = this.signal;
		return aborted && reason instanceof StoppedError ? reason : undefined;
	}

	/** How long the server waited without a response (s); undefined if it got all of them. */
	get #waited(): number | undefined {
		return this.trial.cancelAfter === undefined || this.#askedAt === undefined
			? undefined
			: inSeconds(Date.now() - this.#askedAt);
	}

	#after(milliseconds: number, act: () => void): void {
		this.#timers.add(setTimeout(act, milliseconds));
	}
}

/** An outcome in words, as a phrase. */
export function outcomeSentence(outcome: TrialOutcome): Sentence {
	switch (outcome) {
		case 'result':
			return localizable('Result');
		case 'isError':
			return localizable('Result that reports an error');
		case 'error':
			return localizable('JSON-RPC error');
		case 'waiting':
			return localizable('No result until it was cancelled');
		case 'failed':
			return localizable('No result');
		case 'cancelled':
			return localizable('Cancelled by you');
	}
}

/** Why a call had no result: the server's error, or the failure that prevented a response. */
export function failure(error: unknown): Pick<Observation, 'outcome' | 'message'> {
	const cause = error instanceof Error ? error.cause : undefined;
	const code = own(cause, 'code');
	if (typeof code === 'number' && cause instanceof Error) {
		return { outcome: 'error', message: shorten(`${code}: ${cause.message}`, MAX_SUMMARY_LENGTH) };
	}
	const what = own(error, 'what');
	return {
		outcome: 'failed',
		message: what === undefined ? String(error) : (what as unknown as Sentence),
	};
}

/** Start of a result of any kind: its first text, or its JSON. Server text. */
function summaryOf(result: unknown): string {
	const entries = ['content', 'messages', 'contents'].map((name) => own(result, name)).find(Array.isArray) ?? [];
	for (const entry of entries) {
		const content = own(entry, 'content') ?? entry;
		const text = own(content, 'text');
		if (typeof text === 'string' && text.trim() !== '') {
			return shorten(text.trim(), MAX_SUMMARY_LENGTH);
		}
	}
	return entries.length > 0 ? shorten(writeJson(entries[0]), MAX_SUMMARY_LENGTH) : '';
}
