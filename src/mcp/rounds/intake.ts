import { ProtocolError } from '@modelcontextprotocol/client';
import { servesMode } from '../../config/capabilities.ts';
import type { ServerDefinition } from '../../config/definition.ts';
import { relatedTask, relatedTaskMeta } from '../../conversation/task.ts';
import { raceAbort } from '../../elicitation/abort.ts';
import type { Call } from '../../elicitation/call.ts';
import type { CallKeeper } from '../../elicitation/checkpoint.ts';
import { shorten } from '../../elicitation/display.ts';
import type { Elicitation, ElicitationResponse, Origin } from '../../elicitation/elicitation.ts';
import { INVALID_PARAMS, METHOD_NOT_FOUND } from '../../elicitation/errorCodes.ts';
import type { Json, JsonObject } from '../../elicitation/json.ts';
import type { Registry } from '../../elicitation/registry.ts';
import { type ElicitationRequest, readElicitation } from '../../elicitation/request.ts';
import { readSampling, resultFor } from '../../elicitation/sampling.ts';
import { english, localizable, render, type Sentence } from '../../elicitation/sentence.ts';
import { type InsecureUrls, inspectUrl, levelOf } from '../../elicitation/url/urlSafety.ts';
import type { ServerRequest } from '../wire/wire.ts';
import type { Completions } from './completions.ts';
import type { Roots } from './roots.ts';

/** Request for the response of a language model. */
const SAMPLING = 'sampling/createMessage';

/** What the user's refusal of a sampling request is told as (sampling, error handling). */
const USER_REJECTED = -1;

/** What handling a request needs to know about its connection. */
export interface IntakeContext {
	readonly definition: ServerDefinition;
	readonly connection: string;
	readonly registry: Registry;
	readonly completions: Completions;
	/** The protocol revision of the session; empty until negotiated. */
	revision(): string;
	/** Aborts when the session closes. From then on, the user must not be asked for anything that it would send. */
	readonly closed: AbortSignal;
	/** Calls in flight, for requests that the protocol doesn't link to a call. */
	callsInFlight(): readonly Call[];
	/** True over HTTP without a session id, so that a server may be unable to match a response with its request. */
	lacksSession(): boolean;
	/** The call that runs as that task on the server. */
	callOfTask(taskId: unknown): Call | undefined;
	/** Why a request of ours didn't reach the server, as far as known; `undefined` if it did. */
	whyLost(error: unknown): Sentence | undefined;
	readonly roots: Pick<Roots, 'resultOf'>;
	allowInsecureUrls(): InsecureUrls;
}

/** One call while its round trips are running. */
export interface ActiveCall {
	readonly context: IntakeContext;
	readonly call: Call;
	/** Ends the call at once when aborted. */
	readonly signal: AbortSignal;
	/** Absent if the call doesn't outlive its session. */
	readonly keeper: CallKeeper | undefined;
}

/** Pauses a call until the user decides whether it continues. Rejects if the call or its session ends first. */
export function atRoundLimit(
	{ context, call, signal }: Pick<ActiveCall, 'context' | 'call' | 'signal'>,
	reason: Sentence,
): Promise<boolean> {
	return raceAbort(raceAbort(context.registry.roundLimit(call, reason), context.closed), signal);
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
export function checkElicitation(
	context: IntakeContext,
	params: Json,
	method = 'elicitation/create',
): CheckedElicitation {
	const read = method === SAMPLING ? readSampling(params) : readElicitation(params);
	if (!read.ok || read.request.mode === 'sampling') {
		return read;
	}
	const { request } = read;
	const unserved = whyUnserved(context, request.mode);
	if (unserved) {
		return { ok: false, reason: unserved };
	}
	if (request.mode === 'url') {
		const report = inspectUrl(request.url, { insecure: context.allowInsecureUrls() });
		if (report.verdict === 'refuse') {
			return { ok: false, reason: report.reason ?? localizable('The URL is refused.'), unsafeUrl: true };
		}
		const level = levelOf(report);
		return level ? { ok: true, request: { ...request, level } } : read;
	}
	return read;
}

/** True if requests of this method were declared and are for the user. */
export function isServed({ definition }: IntakeContext, method: string): boolean {
	return method === 'elicitation/create' || (method === SAMPLING && definition.sampling === 'ask');
}

/**
 * Why a mode isn't available in this session: the revision lacks it, or it wasn't declared. Undefined if it is
 * available.
 */
export function whyUnserved(context: IntakeContext, mode: 'form' | 'url'): Sentence | undefined {
	const { definition } = context;
	const revision = context.revision();
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
	{ definition, connection, registry, completions, revision, closed }: IntakeContext,
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
		{ server: definition.name, connection, revision: revision(), params, ...source },
		done ? 'complete' : request.mode === 'sampling' ? 'ask' : definition.elicitation[request.mode],
	);
}

/**
 * Handles a request of the server (sessions, up to 2025-11-25). Resolves to the result; to undefined if the server cancelled
 * it, so that its response must not be sent (A02).
 */
export async function serveRequest(context: IntakeContext, request: ServerRequest): Promise<JsonObject | undefined> {
	const { params, signal, call } = request;
	const roots = context.roots.resultOf(request.method);
	if (roots) {
		return roots;
	}
	if (!isServed(context, request.method)) {
		throw new ProtocolError(METHOD_NOT_FOUND, 'Method not found');
	}
	const checked = checkElicitation(context, params, request.method);
	if (!checked.ok) {
		throw refused(context, params, checked);
	}
	const elicitation = addElicitation(context, checked.request, params, {
		intake: 'request',
		...sourceOf(context, params, call),
		...(context.lacksSession() && { lacksSession: true }),
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
	context: IntakeContext,
	params: Json,
	call: Call | undefined,
): Pick<ElicitationSource, 'calls' | 'stream'> {
	const ofTask = context.callOfTask(relatedTask(params));
	return ofTask ? { calls: [ofTask] } : call ? { calls: [call], stream: call } : { calls: context.callsInFlight() };
}

/** Why the server withdrew its elicitation, with its own reason if it gave one (fault 8). */
export function withdrawal(reason: unknown): Sentence {
	return typeof reason === 'string' && reason !== ''
		? localizable('The server withdrew its request with the reason "{0}".', shorten(reason, 300))
		: localizable('The server withdrew its request.');
}

/** Tells the user, and returns the error for the server. */
export function refused(
	{ definition, registry }: IntakeContext,
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
