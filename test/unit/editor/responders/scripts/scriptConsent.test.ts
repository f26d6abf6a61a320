import { expect, it, vi } from 'vitest';
import { ScriptConsent } from '../../../../../src/editor/responders/scripts/scriptConsent.ts';
import { World } from '../../../elicitation/world.ts';
import { memento } from '../../storage.ts';
import { messages, nth } from '../../surfaces.ts';

const shown = messages(({ kind, choose }) => kind === 'warning' && choose('Show Scripts'));

it('a click that comes with the notification is no consent to scripts, and it asks again', async () => {
	const answers = [{ match: {}, decision: { action: 'decline' }, delayMs: 0, times: 1 }];
	const source = { uri: 'file', name: 'file', file: undefined, at: [], ofWorkspace: true, answers } as never;
	const consent = new ScriptConsent(memento(), () => [source], { openText: async () => {} } as never);
	await consent.obtain(source, new World().form('One?'));
	(await nth(shown, 2)).click('Allow Scripts');
	const again = await nth(shown, 3);
	expect(consent.isGiven(source)).toBe(false);
	again.choose('Allow Scripts');
	await vi.waitFor(() => expect(consent.isGiven(source)).toBe(true));
});
