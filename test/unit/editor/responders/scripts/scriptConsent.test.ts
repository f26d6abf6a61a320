import { expect, it, vi } from 'vitest';
import { KEY_GUARD } from '../../../../../src/elicitation/keyGuard.ts';
import { World } from '../../../elicitation/world.ts';

/** The notifications that ask, each waiting for the test to choose. */
const notices = vi.hoisted(() => [] as ((button?: string) => void)[]);

vi.mock('vscode', async () =>
	(await import('../../vscode.ts')).fakeVscode({
		window: {
			showWarningMessage: () => new Promise((resolve) => setImmediate(() => resolve('Show Scripts'))),
			showInformationMessage: () => new Promise((resolve) => notices.push(resolve)),
		},
	}),
);

const { ScriptConsent } = await import('../../../../../src/editor/responders/scripts/scriptConsent.ts');

/** How much time passes between any two looks at the clock (ms). */
let pace = 2 * KEY_GUARD;
let now = 0;
vi.spyOn(performance, 'now').mockImplementation(() => {
	now += pace;
	return now;
});

it('a click that comes with the notification is no consent to scripts, and it asks again', async () => {
	const state = new Map<string, unknown>();
	const memory = {
		get: (key: string, missing: unknown) => state.get(key) ?? missing,
		update: async (key: string, value: unknown) => void state.set(key, value),
	};
	const answers = [{ match: {}, decision: { action: 'decline' }, delayMs: 0, times: 1 }];
	const source = { uri: 'file', name: 'file', file: undefined, at: [], ofWorkspace: true, answers } as never;
	const consent = new ScriptConsent(memory as never, () => [source], { openText: async () => {} } as never);
	await consent.obtain(source, new World().form('One?'));
	await vi.waitFor(() => expect(notices).toHaveLength(1));
	pace = 0;
	notices[0]?.('Allow Scripts');
	await vi.waitFor(() => expect(notices).toHaveLength(2));
	expect(consent.isGiven(source)).toBe(false);
	now += KEY_GUARD;
	notices[1]?.('Allow Scripts');
	await vi.waitFor(() => expect(consent.isGiven(source)).toBe(true));
});
