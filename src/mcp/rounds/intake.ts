import type { JSONRPCRequest } from '@modelcontextprotocol/client';
import { ProtocolError } from '@modelcontextprotocol/client';
import { servesMode } from '../../config/capabilities.ts';
import type { ServerDefinition } from '../../config/definition.ts';
import type { Call } from '../../elicitation/call.ts';
import { shorten } from '../../elicitation/display.ts';
import type { Elicitation, Group, Intake, Reply } from '../../elicitation/elicitation.ts';
import { type Json, own } from '../../elicitation/json.ts';
import type { Registry } from '../../elicitation/registry.ts';
import { type ElicitationRequest, readElicitation } from '../../elicitation/request.ts';
import { english, localizable, render, type Sentence } from '../../elicitation/sentence.ts';
import { inspectUrl } from '../../elicitation/url/urlSafety.ts';
import type { Completions } from './completions.ts';

const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;

/** What an intake needs to know of its connection. */
export interface IntakeContext {
	readonly definition: ServerDefinition;
	readonly connection: string;
	readonly registry: Registry;
	readonly completions: Completions;
	/** Of the session; empty until it is negotiated. */
	revision(): string;
	/** The calls in flight, for requests whose origin the protocol does not tell. */
	callsInFlight(): readonly Call[];
	/** The response to a request of the server is that of the elicitation; the signal aborts when the request is gone. */
	respond(id: JSONRPCRequest['id'], elicitation: Elicitation, signal: AbortSignal): void;
	/** Why a request of ours did not reach the server, as far as that is known; undefined where it did. */
	whyLost(error: unknown): Sentence | undefined;
	allowInsecureUrls(): 'never' | 'loopback' | 'always';
	/** A request of the server is gone: whatever answers it is not sent any more (A02). */
	forget(id: JSONRPCRequest['id']): void;
}

/** One call while its round trips are running. */
export interface ActiveCall {
	readonly context: IntakeContext;
	readonly call: Call;
	/** Ends the call at once when aborted. */
	readonly signal: AbortSignal;
}

/** What a server asks, if the user may be asked; else what goes on the wire (`message`) and what the user is told. */
export type CheckedElicitation =
	| { readonly ok: true; readonly request: ElicitationRequest }
	| { readonly ok: false; readonly message: string; readonly reason: Sentence; readonly unsafeUrl: boolean };

/**
 * Whether the user may be asked at all. What the SDK's typed handler would have checked is checked here instead, from the
 * raw message: params well-formed, mode declared in this session (E07, D04), URL allowed (U07).
 */
export function checkElicitation(context: IntakeContext, params: Json): CheckedElicitation {
	const refuse = (reason: Sentence, unsafeUrl = false): CheckedElicitation => ({
		ok: false,
		message: render(reason, english),
		reason,
		unsafeUrl,
	});
	const read = readElicitation(params);
	if (!read.ok) {
		return refuse(read.reason);
	}
	const { request } = read;
	const unserved = whyUnserved(context, request.mode);
	if (unserved) {
		return refuse(unserved);
	}
	if (request.mode === 'url') {
		const { verdict, reason } = inspectUrl(request.url, { insecure: context.allowInsecureUrls() });
		if (verdict === 'refuse') {
			return refuse(reason ?? localizable('The URL is refused.'), true);
		}
	}
	return read;
}

/** Why a mode is not served in this session: its revision does not have it, or it was not declared. Undefined where it is. */
export function whyUnserved(context: IntakeContext, mode: ElicitationRequest['mode']): Sentence | undefined {
	const { definition } = context;
	const revision = context.revision();
	if (servesMode(definition, mode, revision)) {
		return undefined;
	}
	const { advertise } = definition.elicitation;
	return advertise === 'both' || advertise === mode
		? localizable('The session speaks protocol revision {0}, which has no elicitation in {1} mode.', revision, mode)
		: localizable('This client did not declare elicitation in {0} mode.', mode);
}

/** Where a question comes from, besides the connection itself. */
export interface ElicitationSource {
	readonly intake: Intake;
	readonly calls: readonly Call[];
	readonly stream?: Call;
	readonly group?: Group;
	readonly tellsDelivery?: boolean;
}

/** The door: every way in which a server asks becomes one Elicitation here. */
export function addElicitation(
	{ definition, connection, registry, completions, revision }: IntakeContext,
	request: ElicitationRequest,
	params: Json,
	provenance: ElicitationSource,
): Elicitation {
	// A notice that comes ahead of a request of the server's own is about nothing (U09); -32042 it may well overtake.
	const done = provenance.intake === 'urlRequired' && request.mode === 'url' && completions.take(request.elicitationId);
	return registry.add(
		request,
		{ server: definition.name, connection, revision: revision(), params, ...provenance },
		done ? 'complete' : definition.elicitation[request.mode],
	);
}

/** Serves a server's own JSON-RPC request (sessions, up to 2025-11-25): the SDK hands it over raw. */
export async function serveRequest(
	context: IntakeContext,
	request: JSONRPCRequest,
	signal: AbortSignal,
	call: Call | undefined,
): Promise<Record<string, unknown>> {
	if (request.method !== 'elicitation/create') {
		throw new ProtocolError(METHOD_NOT_FOUND, 'Method not found');
	}
	const params = (own(request, 'params') ?? null) as Json;
	const vetted = checkElicitation(context, params);
	if (!vetted.ok) {
		throw refused(context, params, vetted);
	}
	const origin = call ? { calls: [call], stream: call } : { calls: context.callsInFlight() };
	const elicitation = addElicitation(context, vetted.request, params, {
		intake: 'request',
		...origin,
		tellsDelivery: true,
	});
	context.respond(request.id, elicitation, signal);
	// It is over for the signal only once the response is delivered.
	const withdraw = () => {
		elicitation.withdraw(withdrawal(signal.reason));
		elicitation.delivery?.end(withdrawal(signal.reason));
	};
	signal.addEventListener('abort', withdraw, { once: true });
	if (signal.aborted) {
		withdraw();
	}
	const reply = await elicitation.reply;
	if (reply.action === 'withdrawn') {
		context.forget(request.id);
	}
	return toResult(reply);
}

/** Why the server withdrew its question, in its own words where it gave any (fault 8). */
function withdrawal(reason: unknown): Sentence {
	return typeof reason === 'string' && reason !== ''
		? localizable('The server withdrew its question, saying "{0}".', shorten(reason, 300))
		: localizable('The server withdrew its question.');
}

/** Tells the user; the error is for the wire. */
function refused(
	{ definition, registry }: IntakeContext,
	params: Json,
	{ message, reason }: CheckedElicitation & { ok: false },
): ProtocolError {
	registry.refuse({ server: definition.name, reason, params });
	return new ProtocolError(INVALID_PARAMS, message);
}

/** A reply as the protocol writes it; of one that is withdrawn nothing is sent. */
function toResult(reply: Reply): Record<string, unknown> {
	if (reply.action === 'error') {
		throw new ProtocolError(reply.code, reply.message);
	}
	return { ...reply };
}
