import { expect, onTestFinished } from 'vitest';
import type { Elicitation } from '../../../../src/elicitation/elicitation.ts';
import type { Connection } from '../../../../src/mcp/index.ts';
import { RawHttpServer } from '../../../rawServer/http.ts';
import {
	LEGACY,
	MODERN,
	type PendingRequest,
	type RawServer,
	type RawServerOptions,
} from '../../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../../rawServer/stdio.ts';
import type { AuthorizationServer } from '../../../servers/authorization.mjs';
import { failureOf } from '../misbehaving/markedProcesses.ts';
import { define, type Wire as Message, type TestClient } from '../testClient.ts';

type Open<P extends RawServer, O extends RawServerOptions> = (options?: O) => Promise<P>;

/** Opens a raw server and connects to it with product code until the test ends. */
export async function connectRawServer<P extends RawServer, O extends RawServerOptions>(
	here: TestClient,
	open: Open<P, O>,
	options?: O,
	more: object = {},
): Promise<{ rawServer: P; connection: Connection }> {
	const rawServer = await open(options);
	onTestFinished(() => rawServer.close());
	const connection = await here.connect(define('raw-server', { ...rawServer.definition, ...more }));
	return { rawServer, connection };
}

/** Does the same and calls its tool. */
export async function callRawServerTool<P extends RawServer, O extends RawServerOptions>(
	here: TestClient,
	open: Open<P, O>,
	options?: O,
	more: object = {},
) {
	const { rawServer, connection } = await connectRawServer(here, open, options, more);
	const calling = connection.callTool('act', {});
	return { rawServer, connection, calling, call: await rawServer.expect('tools/call') };
}

/** A call in progress. */
export interface During<P extends RawServer> {
	readonly here: TestClient;
	readonly rawServer: P;
	readonly connection: Connection;
	readonly call: Message;
	/** Sends an elicitation during the call, and waits until the user is asked. */
	ask(params: object, id?: string): Promise<PendingRequest & { readonly elicitation: Elicitation }>;
	/** Expects exactly these results in response to a request, also once everything sent before has been processed. */
	expectReplies(id: string, ...results: readonly object[]): Promise<void>;
}

/** Runs a part of a test during a call, which must succeed in the end. */
export async function duringCall<P extends RawServer, O extends RawServerOptions>(
	here: TestClient,
	open: Open<P, O>,
	test: (during: During<P>) => Promise<unknown>,
	options?: O,
	more: object = {},
): Promise<void> {
	const { rawServer, connection, calling, call } = await callRawServerTool(here, open, options, more);
	// A test that fails stops it.
	calling.catch(() => {});
	await test({
		...{ here, rawServer, connection, call },
		ask: async (params, id) => {
			const at = here.registry.elicitations.length;
			const pending = rawServer.ask(params, call, id);
			return { ...pending, elicitation: await here.until(() => here.registry.elicitations[at]) };
		},
		expectReplies: async (id, ...results) => {
			await rawServer.until(() => rawServer.responses(id).length >= results.length);
			await rawServer.fence(call);
			expect(rawServer.responses(id)).toEqual(results.map((result) => response(id, result)));
		},
	});
	rawServer.finish(call, { lived: true });
	expect(await calling).toMatchObject({ structuredContent: { lived: true } });
}

/** Calls the tool of a raw server that speaks in rounds, and asks this in the first one. */
export async function callWithRound<P extends RawServer, O extends RawServerOptions>(
	here: TestClient,
	open: Open<P, O>,
	inputRequests: object = { a: request(form) },
	options?: O,
	more: object = {},
) {
	const on = await callRawServerTool(here, open, options, more);
	on.calling.catch(() => {});
	on.rawServer.answer(on.call, ask(inputRequests));
	return on;
}

/** The words with which a start or a call fails. */
export async function wordsOf(promise: Promise<unknown>): Promise<string> {
	return (await failureOf(promise)).message;
}

/** Makes a raw server demand tokens of an authorization server, except for its session `lenient`. */
export function demandTokens(rawServer: RawHttpServer, authorization: AuthorizationServer, lenient?: string): void {
	rawServer.front = async ({ url, headers }) => {
		if (url?.startsWith('/.well-known/')) {
			const body = JSON.stringify({
				resource: rawServer.definition['url'],
				authorization_servers: [authorization.issuer],
			});
			return { status: 200, headers: { 'content-type': 'application/json' }, body };
		}
		if (lenient !== undefined && headers['mcp-session-id'] === lenient) {
			return undefined;
		}
		return authorization.verifier.verifyAccessToken(headers.authorization?.split(' ')[1] ?? '').then(
			() => undefined,
			() => ({ status: 401, headers: { 'www-authenticate': 'Bearer' } }),
		);
	};
}

type Wire = readonly [name: string, open: (options?: RawServerOptions) => Promise<RawServer>, revision: string];

const over = (revision: typeof LEGACY | typeof MODERN): readonly Wire[] => [
	['stdio', (options) => RawStdioServer.open({ ...options, revision }), revision],
	['HTTP', (options) => RawHttpServer.open({ ...options, revision }), revision],
];

/** Both transports with the revision that has elicitation requests. */
export const REQUESTS = over(LEGACY);

/** Both transports with the revision that has multi round-trip requests. */
export const ROUNDS = over(MODERN);

export const form = {
	message: 'Your name?',
	requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};

export const page = (elicitationId: string, url = 'https://example.com/in') => ({
	mode: 'url',
	message: 'Sign in',
	url,
	elicitationId,
});

/** The error "URL elicitation required". */
export const required = (...elicitations: unknown[]) => ({
	code: -32042,
	message: 'Pages first',
	data: { elicitations },
});

/** An `input_required` result. */
export const ask = (inputRequests?: object, requestState?: string) => ({
	resultType: 'input_required',
	...(inputRequests !== undefined && { inputRequests }),
	...(requestState !== undefined && { requestState }),
});

export const request = (params: object) => ({ method: 'elicitation/create', params });

/** The full response message to an elicitation. */
export const response = (id: string, result: object) => ({ jsonrpc: '2.0', id, result });
