import { InMemoryTransport } from '@modelcontextprotocol/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { afterEach, describe, expect, it } from 'vitest';
import { createDemo } from '../../../src/demo/demo.ts';
import { type Era, Peer, textOf, type Wire } from './peer.ts';

let peer: Peer;

/** The demo in this process, without any patience: a page that is not finished when the retry comes is asked for again. */
async function connect(era: Era, elicitation?: Wire): Promise<void> {
	const [ours, theirs] = InMemoryTransport.createLinkedPair();
	serveStdio((context) => createDemo(context.era, 0), { transport: theirs });
	peer = await Peer.connect(era, ours, elicitation);
}

afterEach(() => peer.close());

describe('in revision 2026-07-28', () => {
	it('asks for the same page again while its button was not pressed, until it was', async () => {
		await connect('2026-07-28');
		peer.person = async ({ url }) => {
			if (peer.questions.length === 3) await fetch(url, { method: 'POST' });
			return { action: 'accept' };
		};
		expect(textOf(await peer.call('sign-in'))).toContain('pressed its button');
		expect(new Set(peer.questions.map(({ url }) => url)).size).toBe(1);
		expect(peer.questions.map(({ message }) => message.startsWith('The page is still waiting'))).toEqual([
			false,
			true,
			true,
		]);
	});

	it('takes a decline for an answer in a later round', async () => {
		await connect('2026-07-28');
		peer.person = () => ({ action: peer.questions.length === 1 ? 'accept' : 'decline' });
		expect((await peer.call('sign-in')).structuredContent).toEqual({ action: 'decline' });
		await expect(fetch(peer.questions[0]?.url)).rejects.toThrow();
	});

	it('asks again for the one page of two that is not finished', async () => {
		await connect('2026-07-28');
		peer.person = async ({ url, message }) => {
			if (message.includes('calendar') || peer.questions.length === 3) await fetch(url, { method: 'POST' });
			return { action: 'accept' };
		};
		expect(textOf(await peer.call('needs-sign-in'))).toContain('Both accounts are connected');
		expect(peer.questions).toHaveLength(3);
		expect(peer.questions[2]?.message).toContain('mail');
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
			expect(peer.questions).toEqual([]);
		},
	);

	it('url mode alone is asked no form', async () => {
		await connect('2025-11-25', { url: {} });
		expect(textOf(await peer.call('confirm'))).toContain('form mode');
		expect(peer.questions).toEqual([]);
	});
});
