import { expect, it, onTestFinished, vi } from 'vitest';
import type { DebuggingContext } from '../../../../../src/editor/debugging/debuggingContext.ts';
import { World } from '../../../elicitation/world.ts';

const told = vi.hoisted(() => [] as string[]);

vi.mock('vscode', async () =>
	(await import('../../vscode.ts')).fakeVscode({
		window: { showInformationMessage: async (text: string) => void told.push(text) },
	}),
);

const { compareRuns } = await import('../../../../../src/editor/debugging/replay/compareRuns.ts');
const { replayAfterChange, replayCall } = await import('../../../../../src/editor/debugging/replay/replayCall.ts');

it('a call that the timeline shows and that is no longer remembered is not replayed silently', async () => {
	const { registry, ...world } = new World();
	const call = registry.beginCall('s', 'tool', 'deploy', {});
	registry.endCall(call, 'succeeded', {});
	registry.forgetEnded();
	const context = { registry, ...world } as unknown as DebuggingContext;
	await replayCall(context, { call });
	await compareRuns(context, { call });
	const text = 'This call has not ended yet, or is no longer kept.';
	expect(told).toEqual([text, text]);
});

it('a click on Cancel Call that comes after the end of the call does not replay it', async () => {
	vi.useFakeTimers({ toFake: ['Date', 'performance'] });
	onTestFinished(() => void vi.useRealTimers());
	const world = new World();
	const { registry } = world;
	const call = registry.beginCall('s', 'tool', 'deploy', {});
	vi.advanceTimersByTime(60_000);
	// Its server is stopped at a breakpoint.
	call.clock.pause(world, 'nobody');
	vi.advanceTimersByTime(60_000);
	call.clock.resume(world);
	registry.endCall(call, 'succeeded', {});
	const run = vi.fn(async () => ({}));
	const context = { registry, run } as unknown as DebuggingContext;
	vi.advanceTimersByTime(400);
	await replayCall(context, { call });
	expect(run).not.toHaveBeenCalled();
	expect(told.at(-1)).toBe('The call has just ended and was not replayed. Choose it again to replay it.');
	vi.advanceTimersByTime(600);
	await replayCall(context, { call });
	expect(run).toHaveBeenCalledTimes(1);
});

it('a call is replayed after the clock was set back', async () => {
	vi.useFakeTimers({ toFake: ['Date', 'performance'] });
	onTestFinished(() => void vi.useRealTimers());
	const { registry } = new World();
	// Another ID than in the test before, of which the command still knows the last click.
	registry.beginCall('s', 'tool', 'deploy', {});
	const call = registry.beginCall('s', 'tool', 'deploy', {});
	registry.endCall(call, 'succeeded', {});
	vi.advanceTimersByTime(60_000);
	vi.setSystemTime(Date.now() - 3_600_000);
	const run = vi.fn(async () => ({}));
	await replayCall({ registry, run } as unknown as DebuggingContext, { call });
	expect(run).toHaveBeenCalledTimes(1);
});

it('a double click replays a call once', async () => {
	vi.useFakeTimers({ toFake: ['Date', 'performance'] });
	onTestFinished(() => void vi.useRealTimers());
	const world = new World();
	// The same here.
	world.call();
	world.call();
	const call = world.registry.beginCall('s', 'tool', 'deploy', {});
	world.registry.endCall(call, 'succeeded', {});
	vi.advanceTimersByTime(60_000);
	const run = vi.fn(async () => ({}));
	const context = { registry: world.registry, run } as unknown as DebuggingContext;
	await Promise.all([replayCall(context, { call }), replayCall(context, { call })]);
	expect(run).toHaveBeenCalledTimes(1);
	// A program says what it wants.
	await Promise.all([replayCall(context, call.id), replayCall(context, call.id)]);
	expect(run).toHaveBeenCalledTimes(3);
});

it.each([
	['by the user', 7],
	['by a program', undefined],
])(
	'a replay after a change is awaited by the user only as long as the call that it repeats, started %s',
	async (_, at) => {
		const { registry } = new World();
		const call = registry.beginCall('s', 'tool', 'deploy', {}, undefined, at);
		registry.endCall(call, 'succeeded', {});
		const run = vi.fn(async () => ({}));
		await replayAfterChange({ registry, run } as unknown as DebuggingContext, call, new AbortController().signal);
		expect(run).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ startedByUserAt: at }));
	},
);
