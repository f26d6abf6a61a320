import { ProtocolError } from '@modelcontextprotocol/client';
import { servesMode } from '../../config/capabilities.ts';
import { relatedTask, relatedTaskMeta } from '../../conversation/task.ts';
import { raceAbort } from '../../elicitation/abort.ts';
import type { Call } from '../../elicitation/call.ts';
import type { CallKeeper } from '../../elicitation/checkpoint.ts';
import { shorten } from '../../elicitation/display.ts';
import type { Elicitation, ElicitationResponse, Origin } from '../../elicitation/elicitation.ts';
import { INVALID_PARAMS, METHOD_NOT_FOUND } from '../../elicitation/errorCodes.ts';
import type { Json, JsonObject } from '../../elicitation/json.ts';
import { type ElicitationRequest, readElicitation } from '../../elicitation/request.ts';
import { readSampling, resultFor } from '../../elicitation/sampling.ts';
import { english, localizable, render, type Sentence } from '../../elicitation/sentence.ts';
import { inspectUrl, levelOf } from '../../elicitation/url/urlSafety.ts';
import type { ServerRequest } from '../wire/wire.ts';
import type { Session } from './session.ts';

/** Request for the response of a language model. */
const SAMPLING = 'sampling/createMessage';

/** What the user's refusal of a sampling request is told as (sampling, error handling). */
const USER_REJECTED = -1;

/** One call while its round trips are running. */
export interface ActiveCall {
	readonly session: Session;
	readonly call: Call;
	/** Ends the call at once when aborted. */
	readonly signal: AbortSignal;
	/** Absent if the call doesn't outlive its session. */
	readonly keeper: CallKeeper | undefined;
}

/** Pauses a call until the user decides whether it continues. Rejects if the call or its session ends first. */
export function atRoundLimit(
	{ session, call, signal }: Pick<ActiveCall, 'session' | 'call' | 'signal'>,
	reason: Sentence,
): Promise<boolean> {
	return raceAbort(raceAbort(session.registry.roundLimit(call, reason), session.closed), signal);
}

/** A request that may be shown to the user, or why it is refused. */
export type CheckedElicitation =
	| { readonly ok: true; readonly request: ElicitationRequest }
	| { readonly ok: false; readonly reason: Sentence; readonly unsafeUrl?: true };

/**
 * Checks a raw request, in place of the SDK's typed handler: well-formed params, a mode that was declared in this
 * session (E07, D04), and an allowed URL (U07).
 * @param method one that is served
 */
export function checkElicitation(session: Session, params: Json, method = 'elicitation/create'): CheckedElicitation {
	const read = method === SAMPLING ? readSampling(params) : readElicitation(params);
	if (!read.ok || read.request.mode === 'sampling') {
		return read;
	}
	const { request } = read;
	const unserved = whyUnserved(session, request.mode);
	if (unserved) {
		return { ok: false, reason: unserved };
	}
	if (request.mode === 'url') {
		const report = inspectUrl(request.url, { insecure: session.insecureUrls });
		if (report.verdict === 'refuse') {
			return { ok: false, reason: report.reason ?? localizable('The URL is refused.'), unsafeUrl: true };
		}
		const level = levelOf(report);
		return level ? { ok: true, request: { ...request, level } } : read;
	}
	return read;
}

/** True if requests of this method were declared and are for the user. */
export function isServed({ definition }: Session, method: string): boolean {
	return method === 'elicitation/create' || (method === SAMPLING && definition.sampling === 'ask');
}

/**
 * Why a mode isn't available in this session: the revision lacks it, or it wasn't declared. Undefined if it is
 * available.
 */
export function whyUnserved({ definition, revision }: Session, mode: 'form' | 'url'): Sentence | undefined {
	if (servesMode(definition, mode, revision)) {
		return undefined;
	}
	const { advertise } = definition.elicitation;
	return advertise === 'both' || advertise === mode
		? localizable('The session uses protocol revision {0}, which has no elicitation in {1} mode.', revision, mode)
		: localizable('This client did not declare elicitation in {0} mode.', mode);
}

/** Where an elicitation comes from, besides the connection. */
export type ElicitationSource = Omit<Origin, 'server' | 'connection' | 'revision' | 'params'>;

/** Adds an elicitation to the registry. Every kind of server request ends up here. Throws if the session is closed. */
export function addElicitation(
	{ definition, id, registry, completions, revision, closed }: Session,
	request: ElicitationRequest,
	params: Json,
	source: ElicitationSource,
): Elicitation {
	closed.throwIfAborted();
	// Only for -32042 may the completion notification arrive first. For a server's own request, it is about nothing (U09).
	const done =
		source.intake === 'urlRequired' &&
		request.mode === 'url' &&
		completions.take(request.elicitationId, source.calls[0]);
	return registry.add(
		request,
		{ server: definition.name, connection: id, revision, params, ...source },
		done ? 'complete' : request.mode === 'sampling' ? 'ask' : definition.elicitation[request.mode],
	);
}

/**
 * Handles a request of the server (sessions, up to 2025-11-25). Resolves to the result; to undefined if the server cancelled
 * it, so that its response must not be sent (A02).
 */
export async function serveRequest(session: Session, request: ServerRequest): Promise<JsonObject | undefined> {
	const { params, signal, call } = request;
	const roots = session.roots.resultOf(request.method);
	if (roots) {
		return roots;
	}
	if (!isServed(session, request.method)) {
		throw new ProtocolError(METHOD_NOT_FOUND, 'Method not found');
	}
	const checked = checkElicitation(session, params, request.method);
	if (!checked.ok) {
		throw refused(session, params, checked);
	}
	const elicitation = addElicitation(session, checked.request, params, {
		intake: 'request',
		...sourceOf(session, params, call),
		...(session.lacksSession && { lacksSession: true }),
		tellsDelivery: true,
	});
	request.elicitation = elicitation;
	// The listener stays until the response is delivered.
	const withdraw = () => {
		elicitation.withdraw(withdrawal(signal.reason));
		elicitation.delivery?.end(withdrawal(signal.reason));
	};
	signal.addEventListener('abort', withdraw, { once: true });
	if (signal.aborted) {
		withdraw();
	}
	const outcome = await elicitation.outcome;
	return outcome.action === 'withdrawn' ? undefined : toResult(elicitation, outcome, relatedTask(params));
}

/**
 * The calls that may have caused a request. A task tells it (K03), and doesn't depend on the stream of any request.
 * @param call the call on whose stream it arrived
 */
export function sourceOf(
	session: Session,
	params: Json,
	call: Call | undefined,
): Pick<ElicitationSource, 'calls' | 'stream'> {
	const ofTask = session.callOfTask(relatedTask(params));
	return ofTask ? { calls: [ofTask] } : call ? { calls: [call], stream: call } : { calls: session.calls.inFlight };
}

/** Why the server withdrew its elicitation, with its own reason if it gave one (fault 8). */
export function withdrawal(reason: unknown): Sentence {
	return typeof reason === 'string' && reason !== ''
		? localizable('The server withdrew its request with the reason "{0}".', shorten(reason, 300))
		: localizable('The server withdrew its request.');
}

/** Tells the user, and returns the error for the server. */
export function refused(
	{ definition, registry }: Session,
	params: Json,
	{ reason }: CheckedElicitation & { ok: false },
): ProtocolError {
	registry.refuse({ server: definition.name, reason, params });
	return new ProtocolError(INVALID_PARAMS, render(reason, english));
}

/**
 * The JSON-RPC result of a response.
 * @param taskId the task that it belongs to
 */
export function toResult(
	{ request }: Elicitation,
	response: ElicitationResponse,
	taskId: string | undefined,
): JsonObject {
	if (response.action === 'error') {
		throw new ProtocolError(response.code, response.message);
	}
	const result = resultFor(request, response);
	if (!result) {
		throw new ProtocolError(USER_REJECTED, 'User rejected sampling request');
	}
	return { ...result, ...(taskId !== undefined && relatedTaskMeta(taskId)) };
}
