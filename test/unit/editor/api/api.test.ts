import { describe, expect, it, vi } from 'vitest';
import { createApi } from '../../../../src/editor/api/api.ts';
import { elicitationInfo, settledElicitation } from '../../../../src/editor/api/snapshots.ts';
import { localizable } from '../../../../src/elicitation/sentence.ts';
import { World } from '../../elicitation/world.ts';

/** The API of a window with these servers, of which each tool has this result. */
function apiWith(entries: readonly object[], result: object = { content: [] }) {
	const callTool = vi.fn(async (..._call: unknown[]) => result);
	const servers = { entries, onDidChange: () => ({ dispose: () => {} }) };
	return { ...createApi({ registry: new World().registry, servers, callTool } as never), callTool };
}

it('lists all configured servers, and no temporary connection', () => {
	const { api } = apiWith([
		{ configured: { name: 'one' }, state: 'stopped' },
		{ configured: { name: 'one (forms only)' }, state: 'running', temporaryFor: 'one' },
	]);
	expect(api.servers).toEqual([{ name: 'one', state: 'stopped', tools: [] }]);
});

it('refuses arguments that JSON cannot hold before a call begins, and copies the others as they are sent', async () => {
	const { api, callTool } = apiWith([]);
	const cyclic: Record<string, unknown> = {};
	cyclic['itself'] = cyclic;
	for (const args of [cyclic, { many: 1n }, [], new Date(), () => {}]) {
		await expect(api.callTool('one', 'act', args as never)).rejects.toThrow(TypeError);
	}
	expect(callTool).not.toHaveBeenCalled();
	await api.callTool('one', 'act', { at: new Date(0), none: undefined });
	expect(callTool.mock.calls.map(([, , args]) => args)).toEqual([{ at: '1970-01-01T00:00:00.000Z' }]);
});

it.each([{}, { content: null }])('gives a result without content an empty list of it: %j', async (result) => {
	const { api } = apiWith([], { ...result, structuredContent: { done: true } });
	expect(await api.callTool('one', 'act')).toEqual({ content: [], structuredContent: { done: true } });
});

describe('what other extensions see of an elicitation', () => {
	it('has the delivery state of the response (D01)', () => {
		const world = new World();
		const elicitation = world.form('A', { calls: [world.call()], tellsDelivery: true });
		expect(elicitationInfo(elicitation)).not.toHaveProperty('delivery');
		elicitation.decline();
		expect(settledElicitation(elicitation)).toMatchObject({
			action: 'decline',
			answeredBy: 'person',
			elicitation: { state: 'declined', delivery: 'sending' },
		});
		void elicitation.delivery?.offer(localizable('It broke.'));
		expect(elicitationInfo(elicitation)).toMatchObject({ state: 'declined', delivery: 'undelivered' });
		elicitation.delivery?.delivered();
		expect(elicitationInfo(elicitation).delivery).toBe('delivered');
	});

	it('has no `answeredBy` if it ended with its call (D03)', () => {
		const world = new World();
		const call = world.call();
		const elicitation = world.form('A', { calls: [call] });
		world.registry.endCall(call, 'cancelled', undefined);
		const settled = settledElicitation(elicitation);
		expect(settled).toMatchObject({ action: 'cancel', elicitation: { state: 'cancelled' } });
		expect(settled).not.toHaveProperty('answeredBy');
	});

	it('says who had responded to an opened URL that was withdrawn', () => {
		const world = new World();
		const call = world.call();
		const [elicitation] = world.together(call, 'request', 'https://example.com/');
		elicitation?.opened();
		world.registry.endCall(call, 'succeeded', {});
		expect(elicitation && settledElicitation(elicitation)).toMatchObject({
			action: 'accept',
			answeredBy: 'person',
			elicitation: { state: 'withdrawn' },
		});
	});
});
