import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { afterEach, describe, expect, it } from 'vitest';
import { createDemo } from '../../../src/demo/demo.ts';
import { demoPeer, type Era, type Peer, textOf, type Wire } from './peer.ts';

let peer: Peer;

async function connect(era: Era, elicitation?: Wire): Promise<void> {
	peer = await demoPeer(era, 0, elicitation);
}

afterEach(() => peer?.close());

describe('in revision 2026-07-28', () => {
	it('asks for the same page again while its button was not pressed, until it was', async () => {
		await connect('2026-07-28');
		peer.person = async ({ url }) => {
			if (peer.elicitations.length === 3) await fetch(url, { method: 'POST' });
			return { action: 'accept' };
		};
		expect(textOf(await peer.call('sign-in'))).toContain('pressed its button');
		expect(new Set(peer.elicitations.map(({ url }) => url)).size).toBe(1);
		expect(peer.elicitations.map(({ message }) => message.startsWith('The page is still waiting'))).toEqual([
			false,
			true,
			true,
		]);
	});

	it('takes a decline for an answer in a later round', async () => {
		await connect('2026-07-28');
		peer.person = () => ({ action: peer.elicitations.length === 1 ? 'accept' : 'decline' });
		expect((await peer.call('sign-in')).structuredContent).toEqual({ action: 'decline' });
		await expect(fetch(peer.elicitations[0]?.url)).rejects.toThrow();
	});

	it('asks again for the one page of two that is not finished', async () => {
		await connect('2026-07-28');
		peer.person = async ({ url, message }) => {
			if (message.includes('calendar') || peer.elicitations.length === 3) await fetch(url, { method: 'POST' });
			return { action: 'accept' };
		};
		expect(textOf(await peer.call('needs-sign-in'))).toContain('Both accounts are connected');
		expect(peer.elicitations).toHaveLength(3);
		expect(peer.elicitations[2]?.message).toContain('mail');
	});
});

describe('a client that declares', () => {
	it('an empty elicitation capability is asked in form mode', async () => {
		await connect('2025-11-25', {});
		expect((await peer.call('confirm')).structuredContent).toEqual({ action: 'cancel' });
	});

	it.each(['sign-in', 'needs-sign-in'])(
		'form mode alone is told why %s cannot work, and not with -32042',
		async (tool) => {
			await connect('2025-11-25', { form: {} });
			const result = await peer.call(tool);
			expect(result.isError).toBe(true);
			expect(textOf(result)).toContain('url mode');
			expect(peer.elicitations).toEqual([]);
		},
	);

	it('url mode alone is asked no form', async () => {
		await connect('2025-11-25', { url: {} });
		expect(textOf(await peer.call('confirm'))).toContain('form mode');
		expect(peer.elicitations).toEqual([]);
	});
});

describe('a client that writes to it by hand', () => {
	const VERSION = 'io.modelcontextprotocol/protocolVersion';
	const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

	async function answerTo(message: Wire): Promise<Wire> {
		const [ours, theirs] = InMemoryTransport.createLinkedPair();
		const demo = serveStdio(createDemo(0), { transport: theirs });
		const answer = new Promise<Wire>((resolve) => {
			ours.onmessage = resolve;
		});
		await ours.start();
		await ours.send({ jsonrpc: '2.0', id: 1, ...message } as unknown as JSONRPCMessage);
		return answer.finally(() => demo.close());
	}

	it.each([
		['a method that it does not have', 'resources/list', {}, -32601],
		['a tool that it does not have', 'tools/call', { name: 'none' }, -32602],
		['arguments that are none', 'tools/call', { name: 'echo', arguments: [] }, -32602],
		[
			'a revision that it does not know',
			'tools/list',
			{ _meta: { [VERSION]: '2031-01-01', [CAPABILITIES]: {} } },
			-32022,
		],
		[
			'a request that does not say what its client can do',
			'tools/list',
			{ _meta: { [VERSION]: '2026-07-28' } },
			-32602,
		],
		[
			'a client that it cannot ask',
			'tools/call',
			{ name: 'confirm', _meta: { [VERSION]: '2026-07-28', [CAPABILITIES]: {} } },
			-32021,
		],
	])('is told of %s', async (_what, method, params, code) => {
		const { id, error } = await answerTo({ method, params });
		expect({ id, code: error.code }).toEqual({ id: 1, code });
	});

	it('shakes hands in a revision of its own, and otherwise in the newest with handshakes', async () => {
		const initializeResult = { capabilities: {}, clientInfo: { name: 'test', version: '1' } };
		for (const [wanted, agreed] of [
			['2025-06-18', '2025-06-18'],
			['2031-01-01', '2025-11-25'],
		]) {
			const { result } = await answerTo({
				method: 'initialize',
				params: { protocolVersion: wanted, ...initializeResult },
			});
			expect(result.protocolVersion).toBe(agreed);
		}
	});
});
