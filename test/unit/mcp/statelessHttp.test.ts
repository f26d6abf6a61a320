import { expect, it } from 'vitest';
import { RawHttpServer } from '../../rawServer/http.ts';
import { MODERN } from '../../rawServer/rawServer.ts';
import { connectRawServer } from './faults/rawServerFixtures.ts';
import { testClients } from './testClient.ts';

/* What servers of 2026-07-28 say with the status of an HTTP response. */

const world = testClients();

const refusal = (status: number, id: unknown, error: object) => ({
	status,
	headers: { 'content-type': 'application/json' },
	body: JSON.stringify({ jsonrpc: '2.0', id, error }),
});

it('a method that a server does not have (status 404) is told as its error, not as a wrong address', async () => {
	const here = world();
	const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open, {
		revision: MODERN,
		capabilities: { prompts: {} },
	});
	rawServer.refusePosts = ({ id }) => refusal(404, id, { code: -32601, message: 'Method not found' });
	await expect(connection.getPrompt('greet', {})).rejects.toThrow(
		/^raw-server: The server responded with error -32601: Method not found\. /,
	);
	const [error] = here.wire('received', ({ error }) => error?.code === -32601).slice(-1);
	expect(error.id).toBe(here.wire('sent', ({ method }) => method === 'prompts/get')[0].id);
});

it.each([
	['no JSON', 'nothing here'],
	['an error about another request', JSON.stringify({ jsonrpc: '2.0', id: 'x', error: { code: 1, message: 'No' } })],
])('status 404 with %s is told as a wrong address', async (_what, body) => {
	const here = world();
	const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open, { revision: MODERN });
	rawServer.refusePosts = () => ({ status: 404, body });
	await expect(connection.callTool('act', {})).rejects.toThrow(/ responded with HTTP status 404/);
});
