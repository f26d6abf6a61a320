import { expect, it, onTestFinished, vi } from 'vitest';
import { english, render } from '../../../src/elicitation/sentence.ts';
import { Deliveries } from '../../../src/mcp/deliveries.ts';
import { World } from '../elicitation/world.ts';
import { define } from './testClient.ts';

it('D01: a response that the server does not confirm for a minute is undelivered; a late confirmation still counts', async () => {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
	onTestFinished(() => void vi.useRealTimers());
	const deliveries = new Deliveries({
		definition: define('http', { url: 'https://example.com/mcp' }),
		guard: (operation) => operation(),
		hasExpired: () => false,
		hide: (sentence) => sentence,
		warn: () => {},
	});
	const elicitation = new World().form('Who?');
	elicitation.decline();
	deliveries.expect(1, elicitation, new AbortController().signal);
	const confirm: (() => void)[] = [];
	const delivering = deliveries.deliver(1, () => new Promise((resolve) => confirm.push(resolve)));
	await vi.advanceTimersByTimeAsync(59_999);
	expect(elicitation.delivery?.state).toBe('sending');
	await vi.advanceTimersByTimeAsync(1);
	expect([elicitation.delivery?.state, elicitation.delivery?.canSendAgain]).toEqual(['undelivered', true]);
	const { problem } = elicitation.delivery ?? {};
	expect(problem && render(problem, english)).toBe('The server did not confirm within 60 s that it received it.');
	confirm[0]?.();
	await delivering;
	expect([elicitation.delivery?.state, confirm.length]).toEqual(['delivered', 1]);
});
