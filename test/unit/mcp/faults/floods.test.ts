import { describe, expect, it } from 'vitest';
import type { Elicitation } from '../../../../src/elicitation/elicitation.ts';
import { own } from '../../../../src/elicitation/json.ts';
import { variants } from '../../../nightly.ts';
import { MODERN } from '../../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../../rawServer/stdio.ts';
import { define, testClients } from '../testClient.ts';
import { callRawServerTool, connectRawServer, duringCall, form, REQUESTS, ROUNDS } from './rawServerFixtures.ts';

const world = testClients();

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });

describe.each(variants(...REQUESTS))('over %s', (_wire, open) => {
	it('fault 11: of 1,000 elicitations at once 20 are shown, 50 held, the rest canceled: one reply each (A01)', async () => {
		const here = world();
		here.perMinute = 30;
		await duringCall(here, open, async ({ rawServer, call }) => {
			const asked = Array.from({ length: 1_000 }, (_, at) => rawServer.ask({ ...form, message: `${at}` }, call).id);
			const ids = new Set<unknown>(asked);
			const replies = () => rawServer.received.filter(({ id, method }) => method === undefined && ids.has(id));
			await rawServer.until(() => replies().length === 930);
			const count = (wanted: Elicitation['state']) =>
				here.registry.elicitations.filter(({ state }) => state === wanted).length;
			expect([count('asking'), count('held')]).toEqual([20, 50]);
			expect(here.registry.heldRequests('raw-server')).toEqual({ held: 50, cancelled: 930, repeated: false });

			here.registry.declineHeld('raw-server');
			for (let live = here.registry.live; live.length > 0; live = here.registry.live) live[0]?.decline();
			await rawServer.until(() => replies().length === 1_000);
			await rawServer.fence(call);
			expect(new Set(replies().map(({ id }) => id)).size).toBe(1_000);
			expect(replies()).toHaveLength(1_000);
			const answered = (wanted: string) => replies().filter(({ result }) => result.action === wanted).length;
			expect([answered('cancel'), answered('decline')]).toEqual([930, 70]);
		});
	});
});

describe.each([...variants(...REQUESTS), ...variants(...ROUNDS.toReversed())])('over %s', (_wire, open, revision) => {
	it(`fault 27: 10,000 tools are listed, and not one more (${revision})`, async () => {
		const here = world();
		const tools = Array.from({ length: 10_001 }, (_, at) => `tool ${at}`);
		const { connection } = await connectRawServer(here, open, { tools });
		expect(connection.tools).toHaveLength(10_000);
		expect(connection.failure?.message).toBe(
			'raw-server: What "tools/list" returns is too long, and is only used up to entry 10,000. Report it to the server\'s author.',
		);
	});

	it(`fault 27: a list is bounded in bytes, and what came until then works (${revision})`, async () => {
		const here = world();
		const tools = ['a', 'b', 'c'].map((name) => ({ ...tool(name), description: 'x'.repeat(7 * 1024 * 1024) }));
		const { connection } = await connectRawServer(here, open, { tools });
		expect(connection.tools.map(({ name }) => name)).toEqual(['a', 'b']);
		expect(connection.failure?.message).toContain('only used up to entry 2');
	});

	it(`fault 27: a list that pages forever is bounded, and what came until then works (${revision})`, async () => {
		const here = world();
		const rawServer = await open({ manual: ['tools/list'] });
		const connection = here.create(define('raw-server', rawServer.definition));
		const starting = connection.start();
		let pages = 0;
		while (connection.state !== 'running') {
			const next = await Promise.race([rawServer.expect('tools/list'), starting]);
			if (next === undefined) break;
			pages++;
			const tools = [tool(`tool ${pages}`)];
			const cache = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
			rawServer.answer(next, { ...(revision === MODERN && cache), tools, nextCursor: `page ${pages}` });
		}
		expect(pages).toBe(100);
		expect(connection.tools).toHaveLength(100);
		const calling = connection.callTool('tool 100', {});
		rawServer.finish(await rawServer.expect('tools/call'));
		await calling;
		await connection.stop();
		await rawServer.close();
	});
});

describe.each([...REQUESTS, ...ROUNDS])('over %s', (wire, open, revision) => {
	it(`fault 11: of 1,000 messages at once, 32 are received before other work gets its turn, all in order (${revision})`, async () => {
		const here = world();
		const received: unknown[] = [];
		let thisTurn = 0;
		let most = 0;
		let turning = true;
		const turn = () => {
			thisTurn = 0;
			if (turning) setImmediate(turn);
		};
		const sent = Array.from({ length: 1_000 }, (_, at) => `number ${at}`);
		const frames = sent.map((data) => {
			const params = { level: 'info', data };
			const text = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params });
			return wire === 'stdio' ? `${text}\n` : `data: ${text}\n\n`;
		});
		await duringCall(here, open, async ({ rawServer, call }) => {
			here.trace.onDidAdd(({ message }) => {
				most = Math.max(most, ++thisTurn);
				if (turning) received.push(own(own(message, 'params'), 'data'));
			});
			turn();
			rawServer.raw(frames.join(''), call);
			await here.until(() => received.length === sent.length);
			turning = false;
		});
		expect(received).toEqual(sent);
		expect(most).toBe(32);
	});
});

it('a result is received that is behind 1,000 messages when the process exits', async () => {
	const here = world();
	const { rawServer, calling, call } = await callRawServerTool(here, () => RawStdioServer.open());
	const message = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'working' } };
	const result = { jsonrpc: '2.0', id: call.id, result: { content: [{ type: 'text', text: 'done' }] } };
	rawServer.raw(`${`${JSON.stringify(message)}\n`.repeat(1_000)}${JSON.stringify(result)}\n`);
	await rawServer.die();
	expect(await calling).toMatchObject({ content: [{ text: 'done' }] });
});

describe.each(REQUESTS)('over %s', (_wire, open) => {
	it('fault 27: a list that changes is read again; 1,000 notifications at once are one change', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open, { tools: ['old'] });
		rawServer.tools = ['new'];
		for (let at = 0; at < 1_000; at++) rawServer.notify('notifications/tools/list_changed');
		await here.until(() => connection.tools[0]?.name === 'new');
		await rawServer.fence();
		// On a busy machine they arrive in several pieces, each of which is a change.
		expect(rawServer.requests('tools/list').length).toBeLessThanOrEqual(10);
	});
});
