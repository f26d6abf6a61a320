import type { PriorDiscovery, Transport } from '@modelcontextprotocol/client';
import type { HttpDefinition, ServerDefinition } from '../config/definition.ts';
import { own } from '../elicitation/json.ts';
import { say } from '../elicitation/sentence.ts';
import type { Reaper } from './reaperClient.ts';
import type { ServerLog, Session } from './session.ts';
import { httpTransport, stdioTransport } from './transports.ts';

/** Answers that an HTTP server of the older transport gives to the newer one (transports, backwards compatibility). */
const NO_STREAMABLE_HTTP = [400, 404, 405];

export interface HandshakeContext {
	readonly definition: ServerDefinition;
	readonly reaper: Reaper;
	readonly log: ServerLog;
	/** What the last handshake with this server found out. */
	readonly prior: PriorDiscovery | undefined;
	/** Makes the session of one attempt; the one before it, if any, has been closed. */
	open(transport: Transport): Session;
}

/** Reaches a server by whichever transport and era it has. Resolves to what was found out; rejects with the SDK's error. */
export function shakeHands(context: HandshakeContext): Promise<PriorDiscovery> {
	switch (context.definition.type) {
		case 'stdio':
			return overStdio(context);
		case 'http':
			return overHttp(context, context.definition);
		case 'sse':
			return context.open(httpTransport(context.definition, 'sse')).connect({ kind: 'legacy' });
	}
}

async function overStdio(context: HandshakeContext): Promise<PriorDiscovery> {
	const { definition, prior, log } = context;
	const session = context.open(spawn(context));
	try {
		return await session.connect(prior);
	} catch (error) {
		if (prior || definition.protocolVersion !== 'auto' || !(await session.exitSoon())) {
			throw error;
		}
		// Servers on older SDKs leave at the first request that is not `initialize`: that is an answer, too (E05).
		log.info('The server ended at the probe for the newer protocol; trying the older one.');
		await session.close(say('The connection to the server has ended.'));
		return context.open(spawn(context)).connect({ kind: 'legacy' });
	}
}

function spawn({ definition, reaper, log }: HandshakeContext): Transport {
	if (definition.type !== 'stdio') {
		throw new TypeError('Only stdio servers are spawned.');
	}
	const events = {
		stderr: (line: string) => log.stderr(line),
		noise: (line: string) => log.warn(`Ignored a line on stdout that is no JSON-RPC message: ${line.slice(0, 200)}`),
	};
	return stdioTransport(definition, events, reaper);
}

async function overHttp(context: HandshakeContext, definition: HttpDefinition): Promise<PriorDiscovery> {
	const session = context.open(httpTransport(definition, 'http'));
	try {
		return await session.connect(context.prior);
	} catch (error) {
		const status = own(own(error, 'data'), 'status');
		if (typeof status !== 'number' || !NO_STREAMABLE_HTTP.includes(status)) {
			throw error;
		}
		context.log.info(`No streamable HTTP here (status ${status}); trying the older SSE transport.`);
		await session.close(say('The connection to the server has ended.'));
		return context
			.open(httpTransport(definition, 'sse'))
			.connect({ kind: 'legacy' })
			.catch(() => {
				// The first answer says more about the server than that of a transport which it does not have.
				throw error;
			});
	}
}
