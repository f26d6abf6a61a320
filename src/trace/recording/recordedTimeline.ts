import { Call, isCallMethod } from '../../elicitation/call.ts';
import { Elicitation, type ElicitationGroup, type Origin } from '../../elicitation/elicitation.ts';
import type { Event } from '../../elicitation/emitter.ts';
import { URL_ELICITATION_REQUIRED } from '../../elicitation/errorCodes.ts';
import { sameJson } from '../../elicitation/form/flatten.ts';
import { idKey, isObject, type Json, keyOf, own } from '../../elicitation/json.ts';
import { textOf } from '../../elicitation/jsonText.ts';
import { readElicitation } from '../../elicitation/request.ts';
import { readSampling, responseIn } from '../../elicitation/sampling.ts';
import { localizable } from '../../elicitation/sentence.ts';
import { UrlIds } from '../../elicitation/url/urlIds.ts';
import type { TraceEntry } from '../log.ts';
import { Masking } from '../masking.ts';
import { PairMap } from '../pairMap.ts';
import type { Secrets } from '../secrets.ts';
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

const never: Event<never> = () => ({ dispose: () => {} });

type OpenKey = readonly [string | Call, unknown];

/** The messages of a recording. */
class RecordedTrace implements TimelineTrace {
	readonly masking = new Masking();
	readonly dropped = 0;
	readonly onDidAdd = never;
	readonly onDidForget = never;
	readonly onDidClear = never;
	readonly #entries: TraceEntry[] = [];

	/** @param secrets of this window; they stay hidden in recordings, too */
	constructor(readonly secrets: Secrets) {}

	get entries(): readonly TraceEntry[] {
		return this.#entries;
	}

	get length(): number {
		return this.#entries.length;
	}

	get(seq: number): TraceEntry | undefined {
		return this.#entries[seq];
	}

	hideIn<T>(value: T): T {
		return this.masking.entered.hideIn(this.secrets.hideIn(value));
	}

	add(recorded: RecordedMessage, call: Call | undefined): void {
		const { at, server, direction, truncated, message } = recorded;
		const masked = this.masking.read({ server, direction, call, message, masked: recorded.masked });
		this.#entries.push({
			seq: this.#entries.length,
			at,
			server,
			direction,
			call,
			message,
			masked: masked === message ? undefined : masked,
			// Nothing is dropped, so nothing needs the size.
			memorySize: 0,
			truncated,
		});
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
	/** By id in the recording, server, kind, and name: several windows may have given an id to calls of theirs. */
	readonly #byKey = new Map<string, Call>();
	readonly #elicitations: Elicitation[] = [];
	/** Elicitations without a response, by server and id of their request, or by call (or server) and name in its round. */
	readonly #open = new PairMap<string | Call, unknown, Elicitation>();
	/** The names of the requests that each task has made (2026-07-28), and of those that may have no response yet. */
	readonly #askedByTask = new Map<string, { readonly all: Set<string>; readonly open: Set<string> }>();
	/** The URLs that a call requires. */
	readonly #required = new Map<Call, Elicitation[]>();
	readonly #urlIds = new UrlIds();
	/** The URL elicitations with each id that are not known to be complete. */
	readonly #urls = new Map<string, Elicitation[]>();
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

	/** Plays the next message back. */
	add(recorded: RecordedMessage): void {
		this.#now = recorded.at;
		const call = recorded.call && this.#callOf(recorded, recorded.call);
		this.trace.add(recorded, call);
		this.#ends.read(recorded, call, this.#now);
		if (recorded.direction === 'received') {
			this.#received(recorded, call);
		} else {
			this.#sent(recorded, call);
		}
	}

	/** Ends whatever the recording leaves open. Yields again and again that all is read, so that the caller can pause. */
	*end(): Generator<number, void> {
		const last = this.#now;
		for (const call of this.#calls) {
			this.#now = this.#ends.timeOf(call) ?? last;
			this.#ends.end(call);
			yield 1;
		}
		this.#now = last;
		for (const elicitation of this.#elicitations) {
			if (elicitation.live) {
				elicitation.withdraw(elicitation.undecided ? UNANSWERED : ENDED);
				yield 1;
			}
		}
		this.#open.clear();
	}

	#callOf({ server, message }: RecordedMessage, recorded: RecordedCall): Call {
		const { id, kind, name, trial, answeredBy, via } = recorded;
		const key = keyOf(id, server, kind, name);
		const known = this.#byKey.get(key);
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
		this.#byKey.set(key, call);
		return call;
	}

	#received(recorded: RecordedMessage, call: Call | undefined): void {
		const { server, message } = recorded;
		const [method, params, result] = [own(message, 'method'), own(message, 'params'), own(message, 'result')];
		const id = idKey(own(message, 'id'));
		const open = this.#open.get(server, id);
		const isRepeated = open?.undecided && sameJson(open.origin.params as Json, params ?? null);
		if (method !== undefined && id !== undefined && !isRepeated) {
			this.#ask(recorded, message, [server, id], call, 'request');
		}
		if (method === 'notifications/cancelled') {
			this.#open.get(server, idKey(own(params, 'requestId')))?.withdraw(WITHDRAWN);
		}
		if (method === 'notifications/elicitation/complete') {
			this.#complete(server, own(params, 'elicitationId'));
		}
		const revision = own(result, 'protocolVersion');
		if (typeof revision === 'string') {
			this.#revisions.set(server, revision);
		}
		const asker = call ?? server;
		const requests = this.#inputsOf(result, asker, server);
		const group = call && { call, round: call.rounds, size: requests.length };
		for (const [name, request] of requests) {
			this.#ask(recorded, request, [asker, name], call, 'inputRequired', group);
		}
		const error = own(message, 'error');
		const urls = own(error, 'code') === URL_ELICITATION_REQUIRED ? own(own(error, 'data'), 'elicitations') : undefined;
		if (Array.isArray(urls)) {
			const group = call && { call, round: call.rounds, size: urls.length };
			for (const url of urls as readonly Json[]) {
				const request = { method: 'elicitation/create', params: url };
				this.#ask(recorded, request, [asker, own(url, 'elicitationId')], call, 'urlRequired', group);
			}
		}
	}

	/** The requests of a result that were not made before: a task repeats its own until it has the responses. */
	#inputsOf(result: Json | undefined, asker: string | Call, server: string): [name: string, request: Json][] {
		const inputs = own(result, 'inputRequests');
		const requests = isObject(inputs) ? Object.entries(inputs) : [];
		const taskId = own(result, 'taskId');
		if (taskId === undefined) {
			return requests;
		}
		const task = keyOf(server, taskId);
		const asked = this.#askedByTask.get(task) ?? { all: new Set(), open: new Set() };
		this.#askedByTask.set(task, asked);
		for (const name of asked.open) {
			const open = this.#open.get(asker, name);
			if (!open?.undecided) {
				asked.open.delete(name);
			} else if (own(inputs, name) === undefined) {
				asked.open.delete(name);
				asked.all.delete(name);
				open.withdraw(WITHDRAWN);
			}
		}
		const added = requests.filter(([name]) => !asked.all.has(name));
		for (const [name] of added) {
			asked.all.add(name);
			asked.open.add(name);
		}
		return added;
	}

	#sent({ server, message }: RecordedMessage, call: Call | undefined): void {
		const [method, params] = [own(message, 'method'), own(message, 'params')];
		if (method === undefined) {
			const asked = this.#open.get(server, idKey(own(message, 'id')));
			this.#settle(asked, own(message, 'result'), own(message, 'error'));
			return;
		}
		if (method === 'initialize') {
			this.#open.deleteAll(server);
		}
		const revision = revisionIn(params);
		if (revision !== undefined) {
			this.#revisions.set(server, revision);
		}
		const responses = own(params, 'inputResponses');
		for (const [name, response] of isObject(responses) ? Object.entries(responses) : []) {
			this.#settle(this.#open.get(call ?? server, name), response, undefined);
		}
		if (call && isCallMethod(method)) {
			call.rounds++;
			for (const elicitation of this.#required.get(call) ?? []) {
				elicitation.opened();
				elicitation.retried();
			}
			this.#required.delete(call);
		}
	}

	#ask(
		{ server }: RecordedMessage,
		request: Json,
		key: OpenKey,
		call: Call | undefined,
		intake: Origin['intake'],
		group?: ElicitationGroup,
	): void {
		const params = own(request, 'params') ?? null;
		const method = own(request, 'method');
		const read =
			method === 'elicitation/create'
				? readElicitation(params)
				: method === 'sampling/createMessage'
					? readSampling(params)
					: undefined;
		if (!read?.ok) {
			return;
		}
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
			(changed) => this.#changed(key, changed),
			undefined,
			this.#clock,
		);
		this.#elicitations.push(elicitation);
		this.#urlIds.add(elicitation);
		this.#open.set(...key, elicitation);
		if (read.request.mode === 'url' && read.request.elicitationId !== undefined) {
			const id = keyOf(server, read.request.elicitationId);
			const same = this.#urls.get(id) ?? [];
			same.push(elicitation);
			this.#urls.set(id, same);
		}
		if (call && intake === 'urlRequired') {
			const required = this.#required.get(call) ?? [];
			required.push(elicitation);
			this.#required.set(call, required);
		}
		call?.clock.pause(elicitation, call.responder ? 'automatic' : 'person');
	}

	#changed(key: OpenKey, elicitation: Elicitation): void {
		// A URL that a call requires stays open until it completes.
		if (elicitation.undecided || (elicitation.state === 'opened' && elicitation.origin.intake === 'urlRequired')) {
			return;
		}
		if (this.#open.get(...key) === elicitation && elicitation.state !== 'opened') {
			this.#open.delete(...key);
		}
		elicitation.cause?.clock.resume(elicitation);
	}

	#complete(server: string, id: Json | undefined): void {
		const key = keyOf(server, id);
		for (const elicitation of this.#urls.get(key) ?? []) {
			if (elicitation.origin.intake === 'urlRequired') {
				// The consent to such a URL is no message.
				elicitation.opened();
			}
			elicitation.complete();
		}
		this.#urls.delete(key);
	}

	#settle(elicitation: Elicitation | undefined, response: Json | undefined, error: Json | undefined): void {
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
		} else if (isObject(response) && own(response, 'task') === undefined) {
			elicitation.respond(responseIn(request, response));
		}
	}
}
