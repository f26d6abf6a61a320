import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Connection } from '../../../src/mcp/index.ts';
import { Visitor } from '../../conformance/visitor.ts';
import { variants } from '../../nightly.ts';
import { type HttpOptions, RawHttpServer } from '../../rawServer/http.ts';
import type { RawServer, RawServerOptions, Wire } from '../../rawServer/rawServer.ts';
import { authorizationServer } from '../../servers/authorization.mjs';
import { demandTokens, REQUESTS, ROUNDS } from './faults/rawServerFixtures.ts';
import { define, type TestClient } from './testClient.ts';

/* Steps that tests with raw servers share. */

/** Both transports with both revisions; by day, sessions over HTTP and rounds over stdio stand for all four. */
export const WIRES = [...variants(...REQUESTS.toReversed()), ...variants(...ROUNDS)];

/** Opens a raw server until the test ends, and creates a connection to it that is not started. */
export async function createRawServer<P extends RawServer, O extends RawServerOptions>(
	here: TestClient,
	open: (options?: O) => Promise<P>,
	options?: O,
	more: object = {},
): Promise<{ rawServer: P; connection: Connection }> {
	const rawServer = await open(options);
	onTestFinished(() => rawServer.close());
	return { rawServer, connection: here.create(define('raw-server', { ...rawServer.definition, ...more })) };
}

/** The same with a raw server that demands tokens of an authorization server, where the user signs in. */
export async function createGuardedServer(here: TestClient, options: HttpOptions = {}, more: object = {}) {
	const guest = new Visitor();
	here.signIn = guest;
	const authorization = await authorizationServer();
	onTestFinished(authorization.stop);
	const created = await createRawServer(here, RawHttpServer.open, options, more);
	demandTokens(created.rawServer, authorization);
	return { guest, authorization, ...created };
}

/** Calls the tool, which succeeds. */
export async function callThrough(rawServer: RawServer, connection: Connection, result: object = {}): Promise<Wire> {
	const calling = connection.callTool('act', {});
	rawServer.finish(await rawServer.expect('tools/call'), result);
	return calling;
}

/** Accepts the subscription to the changes of the lists. */
export async function acceptSubscription(rawServer: RawServer): Promise<Wire> {
	const listen = await rawServer.expect('subscriptions/listen');
	const _meta = { 'io.modelcontextprotocol/subscriptionId': listen.id };
	const params = { _meta, notifications: listen.params.notifications };
	rawServer.notify('notifications/subscriptions/acknowledged', params, listen);
	return listen;
}

/** The origin of an HTTP server that answers like this until the test ends. */
export async function serving(handle: RequestListener): Promise<string> {
	const server = createServer(handle);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
