import type { Reading, Settlement } from '../../conversation/conversation.ts';
import { Conversations } from '../../conversation/conversations.ts';
import type { Exchange } from '../../conversation/exchange.ts';
import { Call, isCallMethod } from '../../elicitation/call.ts';
import { Elicitation, type Origin } from '../../elicitation/elicitation.ts';
import type { Event } from '../../elicitation/emitter.ts';
import { isObject, own } from '../../elicitation/json.ts';
import { textOf } from '../../elicitation/jsonText.ts';
import { readElicitation } from '../../elicitation/request.ts';
import { readSampling, responseIn } from '../../elicitation/sampling.ts';
import { localizable } from '../../elicitation/sentence.ts';
import { UrlIds } from '../../elicitation/url/urlIds.ts';
import { Privacy } from '../../privacy/privacy.ts';
import type { Secrets } from '../../privacy/secrets.ts';
import type { TraceEntry } from '../log.ts';
import type { TimelineRegistry, TimelineTrace } from '../timeline.ts';
import { CallEnds } from './callEnds.ts';
import {
	inOrder,
	type Lines,
	type RecordedCall,
	type RecordedMessage,
	readLines,
	revisionIn,
} from './readRecording.ts';

const UNANSWERED = localizable('The recording has no response to this request.');
const WITHDRAWN = localizable('The server withdrew its request.');
const ENDED = localizable('The call that needed it has ended.');
const UNFINISHED = localizable('The recording does not contain its end.');

const never: Event<never> = () => ({ dispose: () => {} });

/** The messages of a recording. */
class RecordedTrace implements TimelineTrace {
	readonly dropped = 0;
	readonly onDidAdd = never;
	readonly onDidForget = never;
	readonly onDidClear = never;
	readonly #entries: TraceEntry[] = [];
	readonly #conversations = new Conversations<TraceEntry>();

	readonly privacy: Privacy;

	/** @param secrets of this window; they stay hidden in recordings, too */
	constructor(secrets: Secrets) {
		this.privacy = new Privacy(secrets);
	}

	get entries(): readonly TraceEntry[] {
		return this.#entries;
	}

	get length(): number {
		return this.#entries.length;
	}

	get(seq: number): TraceEntry | undefined {
		return this.#entries[seq];
	}

	add({ at, server, session, direction, truncated, masked, message }: RecordedMessage, call: Call | undefined) {
		const entry: { -readonly [K in keyof TraceEntry]: TraceEntry[K] } = {
			seq: this.#entries.length,
			at,
			server,
			session,
			direction,
			call,
			exchange: undefined,
			message,
			masked: undefined,
			// Nothing is dropped, so nothing needs the size.
			memorySize: 0,
			truncated,
		};
		const reading = this.#conversations.of(entry).read(entry);
		entry.exchange = reading.exchange;
		const safe = this.privacy.read(entry, reading, masked);
		entry.masked = safe === message ? undefined : safe;
		this.#entries.push(entry);
		return { entry, reading };
	}
}

/** A recording that has been played back. */
export interface Played extends Lines {
	readonly recorded: RecordedTimeline;
}

/**
 * Plays a recording back while it is read, so that nothing is kept that the timeline does not need. Yields after a few
 * messages how much is read (0 to 1), so that the caller can pause.
 * @param file in UTF-8
 * @param secrets of this window
 */
export function* playRecording(file: Uint8Array, secrets: Secrets): Generator<number, Played> {
	let recorded = new RecordedTimeline(secrets);
	const lines = yield* readLines(file, (message) => recorded.add(message));
	if (!lines.sorted) {
		const messages: RecordedMessage[] = [];
		yield* readLines(file, (message) => messages.push(message));
		recorded = new RecordedTimeline(secrets);
		for (const [index, message] of inOrder(messages).entries()) {
			recorded.add(message);
			yield index / messages.length;
		}
	}
	yield* recorded.end();
	return { ...lines, recorded };
}

/**
 * A recording as the source of a timeline: plays the messages back, and so finds the calls and the elicitations that
 * they belong to.
 */
class RecordedTimeline {
	readonly trace: RecordedTrace;
	readonly registry: TimelineRegistry;
	readonly #calls: Call[] = [];
	readonly #byRecorded = new Map<RecordedCall, Call>();
	readonly #elicitations: Elicitation[] = [];
	readonly #byExchange = new Map<Exchange<TraceEntry>, Elicitation>();
	/** The URLs that a call requires. */
	readonly #required = new Map<Call, Elicitation[]>();
	readonly #urlIds = new UrlIds();
	/** By server. */
	readonly #revisions = new Map<string, string>();
	readonly #ends = new CallEnds();
	#now = 0;
	readonly #clock = () => this.#now;

	/** @param secrets of this window */
	constructor(secrets: Secrets) {
		this.trace = new RecordedTrace(secrets);
		this.registry = {
			calls: this.#calls,
			elicitations: this.#elicitations,
			urlIds: this.#urlIds,
			onDidAdd: never,
			onDidChange: never,
			onDidChangeDelivery: never,
			onDidForget: never,
			onDidChangeCalls: never,
			onDidForgetCall: never,
			autoResponders: { onDidConsult: never },
		};
	}

	/** Whether the recording has no times of some calls, so that those between their messages stand for them. */
	get derivesTimes(): boolean {
		return [...this.#byRecorded.keys()].some(({ times }) => !times);
	}

	/** Plays the next message back. */
	add(recorded: RecordedMessage): void {
		this.#now = recorded.at;
		const call = recorded.call && this.#callOf(recorded, recorded.call);
		const { entry, reading } = this.trace.add(recorded, call);
		this.#ends.read(entry, reading, call);
		this.#readRevision(recorded);
		for (const exchange of reading.withdraws) {
			this.#byExchange.get(exchange)?.withdraw(WITHDRAWN);
		}
		for (const exchange of reading.completes) {
			this.#complete(this.#byExchange.get(exchange));
		}
		for (const settlement of reading.settles) {
			this.#settle(settlement);
		}
		for (const exchange of reading.asks) {
			this.#ask(exchange, entry, reading);
		}
		if (call && recorded.direction === 'sent' && isCallMethod(own(recorded.message, 'method'))) {
			this.#beginRound(call);
		}
	}

	/** Ends whatever the recording leaves open. Yields again and again that all is read, so that the caller can pause. */
	*end(): Generator<number, void> {
		const last = this.#now;
		for (const [{ times }, call] of this.#byRecorded) {
			this.#now = this.#ends.timeOf(call) ?? last;
			this.#ends.end(call);
			if (times) {
				call.clock.stop(times);
			}
			yield 1;
		}
		this.#now = last;
		for (const elicitation of this.#elicitations) {
			if (elicitation.live) {
				leave(elicitation);
				yield 1;
			}
		}
		this.#byExchange.clear();
	}

	#callOf({ server, message }: RecordedMessage, recorded: RecordedCall): Call {
		const { kind, name, trial, answeredBy, via } = recorded;
		const known = this.#byRecorded.get(recorded);
		if (known) {
			return known;
		}
		const params = own(message, 'params');
		const args = isCallMethod(own(message, 'method')) ? (own(params, 'arguments') ?? {}) : undefined;
		const number = String(this.#calls.length + 1);
		const said = via === undefined ? undefined : localizable('{0}', via);
		const call = new Call(number, server, kind, name, args, said, undefined, this.#clock);
		call.trial = trial === undefined ? undefined : localizable('{0}', trial);
		call.responder = answeredBy && { kind: answeredBy, name: '' };
		this.#calls.push(call);
		this.#byRecorded.set(recorded, call);
		return call;
	}

	#readRevision({ server, direction, message }: RecordedMessage): void {
		const revision =
			direction === 'sent' ? revisionIn(own(message, 'params')) : own(own(message, 'result'), 'protocolVersion');
		if (typeof revision === 'string') {
			this.#revisions.set(server, revision);
		}
	}

	/** Calls are sent again with responses, or after URL elicitations completed. */
	#beginRound(call: Call): void {
		call.rounds++;
		for (const elicitation of this.#required.get(call) ?? []) {
			elicitation.opened();
			elicitation.retried();
		}
		this.#required.delete(call);
	}

	#ask(exchange: Exchange<TraceEntry>, { server, call }: TraceEntry, { asks }: Reading<TraceEntry>): void {
		const { method, intake, params = null } = exchange;
		const read =
			method === 'elicitation/create'
				? readElicitation(params)
				: method === 'sampling/createMessage'
					? readSampling(params)
					: undefined;
		if (!read?.ok) {
			return;
		}
		const group = call && intake !== 'request' ? { call, round: call.rounds, size: asks.length } : undefined;
		const origin: Origin = {
			server,
			connection: server,
			intake,
			revision: this.#revisions.get(server) ?? '',
			calls: call ? [call] : [],
			...(group && { group }),
			params,
		};
		const elicitation = new Elicitation(
			String(this.#elicitations.length + 1),
			read.request,
			origin,
			changed,
			undefined,
			this.#clock,
		);
		this.#elicitations.push(elicitation);
		this.#urlIds.add(elicitation);
		this.#byExchange.set(exchange, elicitation);
		if (call && intake === 'urlRequired') {
			const required = this.#required.get(call) ?? [];
			required.push(elicitation);
			this.#required.set(call, required);
		}
		call?.clock.pause(elicitation, call.responder ? 'automatic' : 'person');
	}

	#complete(elicitation: Elicitation | undefined): void {
		if (elicitation?.origin.intake === 'urlRequired') {
			// The consent to such a URL is no message.
			elicitation.opened();
		}
		elicitation?.complete();
	}

	#settle({ exchange, result, error }: Settlement<TraceEntry>): void {
		const elicitation = exchange && this.#byExchange.get(exchange);
		if (!elicitation) {
			return;
		}
		const { request } = elicitation;
		const code = own(error, 'code');
		if (error !== undefined && request.mode === 'sampling') {
			elicitation.decline();
		} else if (error !== undefined) {
			const message = textOf(own(error, 'message') ?? '');
			elicitation.respond({ action: 'error', code: typeof code === 'number' ? code : 0, message });
		} else if (isObject(result) && own(result, 'task') === undefined) {
			elicitation.respond(responseIn(request, result));
		}
	}
}

/** What the recording does not contain may have happened all the same. */
function leave(elicitation: Elicitation): void {
	if (elicitation.undecided) {
		elicitation.withdraw(UNANSWERED, true);
	} else if (elicitation.origin.calls.some(({ state }) => state !== 'unfinished')) {
		elicitation.withdraw(ENDED);
	} else {
		elicitation.withdraw(UNFINISHED, true);
	}
}

function changed(elicitation: Elicitation): void {
	// A URL that a call requires stays open until it completes.
	if (!elicitation.undecided && (elicitation.state !== 'opened' || elicitation.origin.intake !== 'urlRequired')) {
		elicitation.cause?.clock.resume(elicitation);
	}
}
