import type { ProtocolEra, Transport } from '@modelcontextprotocol/client';
import { type HttpDefinition, isProgram, type ServerDefinition, type StdioDefinition } from '../config/definition.ts';
import { localizable } from '../elicitation/sentence.ts';
import type { Authorization } from './auth/auth.ts';
import { SignInNeeded } from './auth/signIn.ts';
import type { ClientSession } from './clientSession.ts';
import { httpErrorIn } from './http/httpError.ts';
import type { ServerLog } from './logMessages.ts';
import type { Reaper } from './process/reaperClient.ts';
import { httpTransport, stdioTransport } from './transports.ts';
import { ProtocolErrorLog } from './wire/protocolErrorLog.ts';

const ENDED = localizable('The connection to the server has ended.');

/**
 * Statuses that a server with the older HTTP+SSE transport returns to Streamable HTTP (transports, backwards
 * compatibility).
 */
const NO_STREAMABLE_HTTP = [400, 404, 405];

export interface HandshakeContext {
	readonly definition: ServerDefinition;
	readonly reaper: Reaper;
	readonly log: ServerLog;
	/** The era that the server belonged to when it was last started. */
	readonly known: ProtocolEra | undefined;
	/** Absent if the server needs no sign-in. */
	readonly authorization: Authorization | undefined;
	/** Creates the session of one attempt. The previous one is closed already. */
	open(transport: Transport): ClientSession;
}

/**
 * Connects with the transport and revision that the server supports. Resolves to the era to begin with
 * next time. Rejects with the SDK's error.
 */
export function negotiate(context: HandshakeContext): Promise<ProtocolEra> {
	const { definition, authorization } = context;
	if (isProgram(definition)) {
		return overStdio(context, definition);
	}
	const reach = definition.type === 'http' ? overHttp : overSse;
	if (!authorization) {
		return reach(context, definition);
	}
	let session: ClientSession | undefined;
	const open = (transport: Transport) => {
		session = context.open(transport);
		return session;
	};
	return authorization.guard(async () => {
		// A transport that was refused can't be reused.
		await session?.close(ENDED);
		return reach({ ...context, open }, definition);
	});
}

async function overStdio(context: HandshakeContext, definition: StdioDefinition): Promise<ProtocolEra> {
	const { known, log } = context;
	const transport = () => spawn(context, definition);
	const session = context.open(transport());
	try {
		return await session.connect(known);
	} catch (error) {
		const found = await tryNewer(context, session, error, transport);
		if (found) {
			return found;
		}
		if (known === 'legacy' || definition.protocolVersion !== 'auto' || !(await session.exitSoon())) {
			throw error;
		}
		// Servers on older SDKs exit if the first request isn't `initialize` (E05).
		log.info('The server ended at the probe for the newer protocol; trying the older one.');
		await session.close(ENDED);
		return context.open(transport()).connect('legacy');
	}
}

/**
 * Retries after an error that doesn't rule out the modern protocol: the server responded to the probe too late, or has
 * been replaced by a newer version (E05). Undefined if the error rules it out.
 */
async function tryNewer(
	{ open, log }: HandshakeContext,
	failed: ClientSession,
	error: unknown,
	transport: () => Transport,
): Promise<ProtocolEra | undefined> {
	const other = failed.retryWith(error);
	if (!other) {
		return undefined;
	}
	log.info('The server does not speak the older protocol; trying the newer one again.');
	await failed.close(ENDED);
	return open(transport()).connect('modern', other.discovery);
}

function spawn({ reaper, log }: HandshakeContext, definition: StdioDefinition): Transport {
	const protocolErrors = new ProtocolErrorLog((line) => log.warn(line));
	const events = {
		stderr: (line: string) => log.stderr(line),
		noise: (line: string) => protocolErrors.add(`Ignored a line on stdout that is no JSON-RPC message: ${line}`),
	};
	return stdioTransport(definition, events, reaper);
}

function overSse({ open, authorization }: HandshakeContext, definition: HttpDefinition): Promise<ProtocolEra> {
	return open(httpTransport(definition, 'sse', authorization?.provider)).connect('legacy');
}

async function overHttp(context: HandshakeContext, definition: HttpDefinition): Promise<ProtocolEra> {
	const transport = () => httpTransport(definition, 'http', context.authorization?.provider);
	const session = context.open(transport());
	try {
		return await session.connect(context.known);
	} catch (error) {
		// If there was a probe, it has been responded to; a timeout would have thrown.
		const found = context.known === 'legacy' && (await tryNewer(context, session, error, transport));
		if (found) {
			return found;
		}
		const { status } = httpErrorIn(error) ?? {};
		if (status === undefined || !NO_STREAMABLE_HTTP.includes(status)) {
			throw error;
		}
		context.log.info(`No streamable HTTP here (status ${status}); trying the older SSE transport.`);
		await session.close(ENDED);
		return overSse(context, definition).catch((second) => {
			// The first error is more specific than that of a transport the server doesn't have.
			throw second instanceof SignInNeeded ? second : error;
		});
	}
}
