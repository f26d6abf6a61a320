import { expect, it, vi } from 'vitest';
import { AutoResponderStatus } from '../../../../src/editor/responders/autoResponderStatus.ts';
import { FORCED_RESPONDER } from '../../../../src/elicitation/forced.ts';
import { localizable } from '../../../../src/elicitation/sentence.ts';
import { World } from '../../elicitation/world.ts';
import { fakeVscode } from '../vscode.ts';

/** The notifications on the screen. */
const shown = new Set<string>();

fakeVscode({
	window: {
		withProgress: async ({ title }: { title: string }, task: (...given: object[]) => Promise<unknown>) => {
			shown.add(title);
			await task({ report: () => {} }, { onCancellationRequested: () => {} });
			shown.delete(title);
		},
	},
});

it.each([
	['a trial', FORCED_RESPONDER, 's: This request is left to you.'],
	['a script', { kind: 'script', name: 'a.json' } as const, 's: The script a.json did not respond, so you are asked.'],
])(
	'a request that %s leaves to the user is announced until it ends, once for each reason',
	async (_who, responder, said) => {
		shown.clear();
		const world = new World();
		const { autoResponders } = world.registry;
		const list = new AutoResponderStatus(world.registry, [], { stopped: false, toggle: async () => {} });
		const leave = localizable('The replayed call did not get this request.');
		autoResponders.add({ responder, respond: async () => ({ action: 'refer', reason: leave }) });
		const [one, other] = [world.form('One?'), world.form('Other?')];
		const words = `${said} The replayed call did not get this request.`;
		await vi.waitFor(() => expect([...shown]).toEqual([words]));
		one.withdraw(localizable('The connection to the server has ended.'));
		await vi.waitFor(() => expect(shown.size).toBe(0));
		expect(other.live).toBe(true);
		world.form('Another?');
		await vi.waitFor(() => expect([...shown]).toEqual([words]));
		list.dispose();
	},
);
