import type { ProtocolEra } from '@modelcontextprotocol/client';
import {
	type HttpDefinition,
	isProgram,
	type ServerDefinition,
	type StdioDefinition,
	socketOf,
} from '../config/definition.ts';
import { localizable } from '../elicitation/sentence.ts';
import type { Authorization } from './auth/auth.ts';
import { SignInNeeded } from './auth/signIn.ts';
import type { ClientSession, SessionWire } from './clientSession.ts';
import { HttpClient } from './http/httpClient.ts';
import { httpErrorIn } from './http/httpError.ts';
import { Sse } from './http/sse.ts';
import { StreamableHttp } from './http/streamableHttp.ts';
import type { ServerLog } from './logMessages.ts';
import { environmentOf } from './process/environment.ts';
import type { Reaper } from './process/reaperClient.ts';
import { StdioTransport } from './process/stdioTransport.ts';
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
	open(wire: SessionWire): ClientSession;
}

/**
 * Connects with the transport and revision that the server supports. Resolves to the era to begin with
 * next time. Rejects with the error of the last attempt.
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
	const open = (wire: SessionWire) => {
		session = context.open(wire);
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
	const wire = () => spawn(context, definition);
	const session = context.open(wire());
	try {
		return await session.connect(known);
	} catch (error) {
		const found = await tryNewer(context, session, error, wire);
		if (found) {
			return found;
		}
		if (known === 'legacy' || definition.protocolVersion !== 'auto' || !(await session.exitSoon())) {
			throw error;
		}
		// Servers on older SDKs exit if the first request isn't `initialize` (E05).
		log.info('The server ended at the probe for the newer protocol; trying the older one.');
		await session.close(ENDED);
		return context.open(wire()).connect('legacy');
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
	wire: () => SessionWire,
): Promise<ProtocolEra | undefined> {
	const other = failed.retryWith(error);
	if (!other) {
		return undefined;
	}
	log.info('The server does not speak the older protocol; trying the newer one again.');
	await failed.close(ENDED);
	return open(wire()).connect('modern', other.discovery);
}

/**
 * @param definition as the user consented to it, with the variables of an `envFile` in `env`; the file isn't read again
 * on restarts
 */
function spawn({ reaper, log }: HandshakeContext, definition: StdioDefinition): StdioTransport {
	const protocolErrors = new ProtocolErrorLog((line) => log.warn(line));
	const events = {
		stderr: (line: string) => log.stderr(line),
		noise: (line: string) => protocolErrors.add(`Ignored a line on stdout that is no JSON-RPC message: ${line}`),
	};
	const { command, args, cwd, env } = definition;
	return new StdioTransport({ command, args, cwd, env: environmentOf(env) }, events, reaper);
}

/** Where an HTTP server is, and how it is reached. Nothing about a socket tells where to sign in. */
function reached({ url, headers }: HttpDefinition, authorization: Authorization | undefined): [URL, HttpClient] {
	const socket = socketOf(url);
	return [
		new URL(socket ? `http://localhost${socket.path}` : url),
		new HttpClient({ ...headers }, socket ? undefined : authorization?.provider, socket?.socketPath),
	];
}

function overSse({ open, authorization }: HandshakeContext, definition: HttpDefinition): Promise<ProtocolEra> {
	return open(new Sse(...reached(definition, authorization))).connect('legacy');
}

async function overHttp(context: HandshakeContext, definition: HttpDefinition): Promise<ProtocolEra> {
	const wire = () => new StreamableHttp(...reached(definition, context.authorization));
	const session = context.open(wire());
	try {
		return await session.connect(context.known);
	} catch (error) {
		// If there was a probe, it has been responded to; a timeout would have thrown.
		const found = context.known === 'legacy' && (await tryNewer(context, session, error, wire));
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
