import assert from 'node:assert/strict';
import { callTool, defineServers, formIsClosed, formIsOpen, present, run, until } from './support.ts';
import { type TimerWatch, watchTimers } from './timers.ts';

/** Where the ages in the pending view are updated. */
const AGES = 'Ticker.restart';

describe('an idle window', () => {
	let timers: TimerWatch;

	before(async () => {
		await defineServers();
		await present('webview');
		await run('stopServer', 'demo');
		timers = watchTimers();
	});

	after(() => timers.end());

	it('does not poll while a server runs and waits for the user: only the displayed ages and durations are updated', async () => {
		const result = callTool('demo', 'confirm');
		await formIsOpen('demo');
		await until('the ages to be written anew twice', () => (timers.repeats.get(AGES) ?? 0) >= 2);
		await run('declineElicitation');
		assert.deepEqual((await result).structuredContent, { action: 'decline' });
		await formIsClosed('demo');
		const others = [...timers.repeats.keys()].filter((place) => place !== AGES);
		assert.equal(others.length, 1, `what repeats, beside the ages: ${others.join(', ')}`);
	});
});
