import { beforeEach, expect, it, vi } from 'vitest';
import { localizable } from '../../../../../src/elicitation/sentence.ts';
import { World } from '../../../elicitation/world.ts';

/** The editor, which shows a notification until the test chooses one of its buttons. */
const editor = vi.hoisted(() => ({ told: [] as string[], choose: (_choice?: string) => {} }));

vi.mock('vscode', async () =>
	(await import('../../vscode.ts')).fakeVscode({
		window: {
			showWarningMessage: () =>
				new Promise((resolve) => {
					editor.choose = resolve;
				}),
			showInformationMessage: async (text: string) => void editor.told.push(text),
		},
	}),
);

const { showRoundLimitPrompt } = await import('../../../../../src/editor/elicitations/decisions/roundLimitPrompt.ts');

/** A call at the round limit, which the editor shows. */
function stopped() {
	const call = new World().call();
	const limit = call.roundLimit(localizable('Too many rounds.'));
	return { call, limit, shown: showRoundLimitPrompt(limit) };
}

beforeEach(() => {
	editor.told.length = 0;
});

it.each([
	['Continue', true],
	['Stop', false],
])('%s is the decision on the call (R07)', async (choice, goesOn) => {
	const { call, limit, shown } = stopped();
	editor.choose(choice);
	await shown;
	expect(await limit.decided).toBe(goesOn);
	expect(call.atRoundLimit).toBeUndefined();
});

it('a notification that is dismissed decides nothing: the call still waits (R07)', async () => {
	const { call, limit, shown } = stopped();
	editor.choose(undefined);
	await shown;
	expect(call.atRoundLimit).toBe(limit);
	expect(editor.told).toEqual([]);
});

it('a choice that comes after another decision is not taken for the next one (R07)', async () => {
	const { call, limit, shown } = stopped();
	limit.decide(true);
	const next = call.roundLimit(localizable('Still too many rounds.'));
	editor.choose('Stop');
	await shown;
	expect(call.atRoundLimit).toBe(next);
	expect(editor.told).toEqual([expect.stringContaining('is no longer waiting for your decision.')]);
});
