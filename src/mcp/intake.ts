import type { JSONRPCRequest } from '@modelcontextprotocol/client';
import { ProtocolError } from '@modelcontextprotocol/client';
import type { ServerDefinition } from '../config/definition.ts';
import type { Call } from '../elicitation/call.ts';
import type { Elicitation, Intake, Reply } from '../elicitation/elicitation.ts';
import { type Json, own } from '../elicitation/json.ts';
import type { Registry } from '../elicitation/registry.ts';
import { readElicitation } from '../elicitation/request.ts';
import { english, render, say } from '../elicitation/sentence.ts';
import { inspectUrl } from '../elicitation/url/urlSafety.ts';

const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;

/** What an intake needs to know of its connection. */
export interface IntakeContext {
	readonly definition: ServerDefinition;
	readonly connection: string;
	readonly registry: Registry;
	revision(): string;
	/** The calls in flight, for requests whose origin the protocol does not tell. */
	callsInFlight(): readonly Call[];
	allowInsecureUrls(): 'never' | 'loopback' | 'always';
}

/**
 * The door: every way in which a server asks becomes one Elicitation here, from the raw message. What the SDK's typed handler
 * would have checked is checked here instead: mode declared (E07), params well-formed.
 */
export function admit(context: IntakeContext, params: Json, intake: Intake, calls: readonly Call[]): Elicitation {
	const { definition, registry } = context;
	const read = readElicitation(params);
	if (!read.ok) {
		registry.refuse({ server: definition.name, reason: read.reason, params });
		throw new ProtocolError(INVALID_PARAMS, read.message);
	}
	const { advertise } = definition.elicitation;
	const { request } = read;
	const { mode } = request;
	if (advertise !== 'both' && advertise !== mode) {
		const reason = say('This client did not declare elicitation in {0} mode.', mode);
		registry.refuse({ server: definition.name, reason, params });
		throw new ProtocolError(INVALID_PARAMS, render(reason, english));
	}
	if (request.mode === 'url') {
		const { verdict, reason = say('The URL is refused.') } = inspectUrl(request.url, {
			insecure: context.allowInsecureUrls(),
		});
		if (verdict === 'refuse') {
			registry.refuse({ server: definition.name, reason, params });
			throw new ProtocolError(INVALID_PARAMS, render(reason, english));
		}
	}
	return registry.add(
		request,
		{ server: definition.name, connection: context.connection, intake, revision: context.revision(), calls, params },
		definition.elicitation[mode],
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
	const elicitation = admit(context, params, 'request', call ? [call] : context.callsInFlight());
	const withdraw = () => elicitation.withdraw(say('The server withdrew its question.'));
	signal.addEventListener('abort', withdraw, { once: true });
	if (signal.aborted) {
		withdraw();
	}
	const reply = await elicitation.reply;
	signal.removeEventListener('abort', withdraw);
	return toResult(reply);
}

/** The error for a request whose params are no object; about an elicitation the person is told, too. */
export function refuseParams(context: IntakeContext, method: string, params: Json): { code: number; message: string } {
	try {
		if (method === 'elicitation/create') {
			admit(context, params, 'request', []);
		}
	} catch (error) {
		if (error instanceof ProtocolError) {
			return { code: error.code, message: error.message };
		}
		throw error;
	}
	return { code: INVALID_PARAMS, message: 'The params must be an object.' };
}

/** A reply as the protocol writes it. Withdrawn: never, because nothing is sent any more (A02). */
function toResult(reply: Reply): Record<string, unknown> | Promise<never> {
	return reply.action === 'withdrawn' ? new Promise<never>(() => {}) : { ...reply };
}
