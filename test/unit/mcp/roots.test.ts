import { describe, expect, it } from 'vitest';
import { variants } from '../../nightly.ts';
import { RawStdioServer } from '../../rawServer/stdio.ts';
import { callRawServerTool, connectRawServer, REQUESTS, ROUNDS } from './faults/rawServerFixtures.ts';
import { testClients } from './testClient.ts';

const world = testClients();
const FOLDERS = [
	{ uri: 'file:///projects/app', name: 'app' },
	{ uri: 'file:///projects/lib', name: 'lib' },
];

describe.each(variants(...REQUESTS.toReversed()))('a server over %s', (_wire, open) => {
	it('gets the workspace folders as roots, and is told when they change (N01)', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		expect(rawServer.requests('initialize')[0].params.capabilities.roots).toEqual({ listChanged: true });
		const calling = connection.callTool('act', {});
		const call = await rawServer.expect('tools/call');
		const list = async (id: string) => {
			rawServer.send({ id, method: 'roots/list' }, call);
			return rawServer.until(() => rawServer.responses(id)[0]?.result);
		};
		expect(await list('before')).toEqual({ roots: FOLDERS.slice(0, 1) });
		here.folders = FOLDERS;
		here.foldersChanged.fire();
		await rawServer.expect('notifications/roots/list_changed');
		expect(await list('after')).toEqual({ roots: FOLDERS });
		rawServer.finish(call);
		await calling;
		await connection.stop();
		here.foldersChanged.fire();
		expect(here.logs.filter((line) => line.includes('roots have changed'))).toEqual([]);
	});

	it.each([
		[['file:///elsewhere'], {}, { result: { roots: [{ uri: 'file:///elsewhere' }] } }],
		['none', undefined, { error: { code: -32601, message: 'Method not found' } }],
	])('gets what its definition says: roots %j (N01)', async (roots, declared, response) => {
		const here = world();
		const { rawServer, call } = await callRawServerTool(here, open, {}, { roots });
		expect(rawServer.requests('initialize')[0].params.capabilities.roots).toEqual(declared);
		rawServer.send({ id: 'roots', method: 'roots/list' }, call);
		expect(await rawServer.until(() => rawServer.responses('roots')[0])).toMatchObject(response);
		here.foldersChanged.fire();
		await rawServer.fence(call);
		expect(rawServer.requests('notifications/roots/list_changed')).toEqual([]);
		rawServer.finish(call);
	});
});

it.each(variants(...ROUNDS.toReversed()))(
	'a round over %s that requires the roots goes on with them (N01)',
	async (_wire, open) => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const declared = call.params._meta['io.modelcontextprotocol/clientCapabilities'];
		expect(declared.roots).toEqual({});
		const inputRequests = { where: { method: 'roots/list' } };
		rawServer.answer(call, { resultType: 'input_required', inputRequests });
		const retry = await rawServer.expect('tools/call');
		expect(retry.params.inputResponses).toEqual({ where: { roots: FOLDERS.slice(0, 1) } });
		rawServer.finish(retry);
		await calling;
		here.foldersChanged.fire();
		expect(rawServer.requests('notifications/roots/list_changed')).toEqual([]);
	},
);

it('a server that knows only 2024-11-05 gets them, too', async () => {
	const { rawServer } = await connectRawServer(world(), RawStdioServer.open, { revision: '2024-11-05' });
	rawServer.send({ id: 'roots', method: 'roots/list' });
	expect(await rawServer.until(() => rawServer.responses('roots')[0]?.result)).toEqual({ roots: FOLDERS.slice(0, 1) });
});
