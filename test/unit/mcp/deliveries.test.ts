import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { english, render } from '../../../src/elicitation/sentence.ts';
import { Deliveries } from '../../../src/mcp/deliveries.ts';
import { HttpError } from '../../../src/mcp/http/httpError.ts';
import type { SendResponse } from '../../../src/mcp/wire/wire.ts';
import { World } from '../elicitation/world.ts';
import { define } from './testClient.ts';

const BUSY = new HttpError(503);
const GONE = new HttpError(410);
const NOT_FOUND = new HttpError(404);

beforeEach(() => {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
	onTestFinished(() => void vi.useRealTimers());
});

/** Responds to the request of a call to an HTTP server. */
function responding() {
	const world = new World();
	const call = world.call();
	const elicitation = world.form('Who?', { calls: [call] });
	elicitation.decline();
	const deliveries = new Deliveries({
		definition: define('http', { url: 'https://example.com/mcp' }),
		guard: (operation) => operation(),
		hasExpired: () => false,
		hide: (sentence) => sentence,
		warn: () => {},
	});
	/** Delivers the response to it. */
	const deliver = (send: SendResponse) => deliveries.deliver(elicitation, undefined, send);
	const told = () => [elicitation.delivery?.state, elicitation.delivery?.canSendAgain];
	return { world, call, elicitation, deliveries, deliver, told };
}

describe('D01: a response', () => {
	it('that the server does not confirm for a minute is undelivered; a late confirmation still counts', async () => {
		const { elicitation, deliver, told } = responding();
		const confirm: (() => void)[] = [];
		const delivering = deliver(() => new Promise((resolve) => confirm.push(resolve)));
		await vi.advanceTimersByTimeAsync(59_999);
		expect(told()).toEqual(['sending', false]);
		await vi.advanceTimersByTimeAsync(1);
		expect(told()).toEqual(['undelivered', true]);
		const { problem } = elicitation.delivery ?? {};
		expect(problem && render(problem, english)).toBe('The server did not confirm within 60 s that it received it.');
		confirm[0]?.();
		await delivering;
		expect([told(), confirm.length]).toEqual([['delivered', false], 1]);
	});

	it('that nobody chose is sent four times, and waits for nobody: of the others, the newest 50 wait for the user', async () => {
		const world = new World(60);
		const { deliveries } = responding();
		const send = vi.fn(() => Promise.reject(BUSY));
		const all = world.forms(200, { intake: 'request', calls: [], tellsDelivery: true });
		all.forEach((each) => {
			each.decline();
			void deliveries.deliver(each, undefined, send);
		});
		await vi.advanceTimersByTimeAsync(600_000);
		const offered = all.filter(({ delivery }) => delivery?.canSendAgain);
		expect(offered).toEqual(all.filter(({ unasked }) => unasked === undefined).slice(-50));
		expect(new Set(all.map(({ delivery }) => delivery?.state))).toEqual(new Set(['undelivered']));
	});

	it('waits until fewer than 16 others are being sent; while 1,000 wait, nothing more is read', async () => {
		const { deliveries } = responding();
		const open: (() => void)[] = [];
		const sent = Array.from({ length: 1_001 }, () =>
			deliveries.deliver(undefined, undefined, () => new Promise((resolve) => open.push(resolve))),
		);
		await vi.advanceTimersByTimeAsync(0);
		expect(open).toHaveLength(16);
		const ready = deliveries.ready();
		expect(ready).toBeInstanceOf(Promise);
		for (let at = 0; at < 1_001; at++) {
			open[at]?.();
			await vi.advanceTimersByTimeAsync(0);
		}
		await Promise.all([...sent, ready]);
		expect([open.length, deliveries.ready()]).toEqual([1_001, undefined]);
	});

	it('that a busy server refuses is sent four times before the user decides', async () => {
		const { elicitation, deliver, told } = responding();
		const send = vi.fn(() => Promise.reject(BUSY));
		const delivering = deliver(send);
		await vi.advanceTimersByTimeAsync(60_000);
		expect([told(), send.mock.calls.length]).toEqual([['undelivered', true], 4]);
		send.mockImplementation(() => Promise.resolve() as Promise<never>);
		elicitation.delivery?.sendAgain();
		await delivering;
		expect(told()).toEqual(['delivered', false]);
	});

	it('is not offered again where the server does not know its session', async () => {
		const { deliver, told } = responding();
		await deliver(() => Promise.reject(NOT_FOUND));
		expect(told()).toEqual(['undelivered', false]);
	});

	it('is not offered again when its call has ended', async () => {
		const { world, call, deliver, told } = responding();
		world.registry.endCall(call, 'failed', new Error('Timeout'));
		await deliver(() => Promise.reject(GONE));
		expect(told()).toEqual(['undelivered', false]);
	});

	it('that waits for its next attempt is not sent any more once the connection is closed', async () => {
		const { deliveries, deliver, told } = responding();
		const send = vi.fn(() => Promise.reject(BUSY));
		const delivering = deliver(send);
		await vi.advanceTimersByTimeAsync(100);
		deliveries.close();
		await delivering;
		await vi.advanceTimersByTimeAsync(60_000);
		expect([told(), send.mock.calls.length]).toEqual([['undelivered', false], 1]);
	});
});
