import { afterEach, describe, expect, it, vi } from 'vitest';
import { afterDelay, neverResponds } from '../../../src/elicitation/forced.ts';
import { english, render } from '../../../src/elicitation/sentence.ts';
import { World } from './world.ts';

afterEach(() => void vi.useRealTimers());

const flush = () => new Promise((resolve) => setImmediate(resolve));

describe('a forced response', () => {
	it('after a delay is sent when the time has passed, and says so until then', async () => {
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		const world = new World();
		const { registry } = world;
		const each = world.form('A');
		void registry.autoResponders.assign(each, afterDelay({ action: 'decline' }, 5_000));
		await flush();
		vi.advanceTimersByTime(4_999);
		await flush();
		expect(each.state).toBe('asking');
		expect(each.consulted?.plan && render(each.consulted.plan, english)).toBe('is answered on purpose only after 5 s');
		vi.advanceTimersByTime(1);
		await flush();
		expect([each.state, each.responder?.kind, each.consulted]).toEqual(['declined', 'forced', undefined]);
	});

	it.each([
		['that waits', () => afterDelay({ action: 'decline' }, 5_000)],
		['that never comes', neverResponds],
	])('%s ends without a response when the user takes over', async (_, make) => {
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		const world = new World();
		const { registry } = world;
		const each = world.form('A');
		const assigned = registry.autoResponders.assign(each, make());
		await flush();
		expect(each.consulted?.kind).toBe('forced');
		await registry.autoResponders.takeOver(each);
		await assigned;
		vi.advanceTimersByTime(10_000);
		await flush();
		expect([each.state, each.consulted, vi.getTimerCount()]).toEqual(['asking', undefined, 0]);
		each.accept({});
		expect([each.state, each.responder]).toEqual(['accepted', undefined]);
	});

	it('replaces the auto-responder that was asked before', async () => {
		const world = new World();
		const { registry } = world;
		let late: (() => void) | undefined;
		registry.autoResponders.add({
			responder: { kind: 'script', name: 'x' },
			respond: () =>
				new Promise((resolve) => {
					late = () => resolve({ action: 'decline' });
				}),
		});
		const each = world.form('A');
		await flush();
		const assigned = registry.autoResponders.assign(each, neverResponds());
		await flush();
		late?.();
		await flush();
		expect([each.state, each.consulted?.kind]).toEqual(['asking', 'forced']);
		each.cancel();
		await assigned;
	});
});
