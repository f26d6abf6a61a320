import { expect, it, onTestFinished, vi } from 'vitest';
import type { ScriptedAnswer } from '../../../../../src/elicitation/script.ts';
import { World } from '../../../elicitation/world.ts';

vi.mock('vscode', async () => (await import('../../vscode.ts')).fakeVscode({ workspace: { isTrusted: true } }));

const { Scripts } = await import('../../../../../src/editor/responders/scripts/scripts.ts');

/** The scripts of a file of the workspace, which can be changed. */
function open(...first: readonly ScriptedAnswer[]) {
	const world = new World();
	const state = new Map<string, unknown>();
	const memory = {
		get: (key: string, missing: unknown) => state.get(key) ?? missing,
		update: async (key: string, value: unknown) => void state.set(key, value),
	};
	const source = { uri: 'file', name: 'file', file: undefined, at: [], ofWorkspace: true };
	let changed = () => {};
	const sources = {
		all: [{ ...source, answers: first }],
		onDidChange: (listener: () => void) => {
			changed = listener;
			return { dispose: () => {} };
		},
	};
	const consent = { isGiven: () => true, obtain: async () => true, revoke: async () => {} };
	const scripts = new Scripts(world.registry, sources as never, consent as never, memory as never, () => false);
	onTestFinished(() => scripts.dispose());
	const change = (...answers: readonly ScriptedAnswer[]) => {
		sources.all = [{ ...source, answers }];
		changed();
	};
	changed();
	return { world, scripts, change };
}

/** A script that declines after an hour, and a request that waits for it. */
async function waitingForScript() {
	const answer: ScriptedAnswer = { match: {}, decision: { action: 'decline' }, delayMs: 3_600_000, times: 9 };
	const { world, scripts, change } = open(answer);
	const form = world.form('One?');
	onTestFinished(() => void form.cancel());
	await vi.waitFor(() => expect(form.consulted?.kind).toBe('script'));
	const asked = new Promise((resolve) => world.registry.onDidAsk(resolve));
	return { form, asked, scripts, answer, change };
}

it('the user is asked at once when they stop the scripts whose delay a request waits for', async () => {
	const { form, asked, scripts } = await waitingForScript();
	await scripts.toggle();
	expect(await asked).toBe(form);
});

it('the user is asked at once when they revoke their consent to the script', async () => {
	const { form, asked, scripts } = await waitingForScript();
	await scripts.responders[0]?.revoke?.();
	expect(await asked).toBe(form);
});

it('the user is asked at once when the script is deleted or changed, but not when another one is added', async () => {
	const { form, asked, answer, change } = await waitingForScript();
	change(answer, { ...answer, match: { message: 'Two?' } });
	await new Promise((resolve) => setImmediate(resolve));
	expect(form.consulted?.kind).toBe('script');
	change();
	expect(await asked).toBe(form);
});

it('a script that was used up stays so when others are put before it, and is told by its new number', async () => {
	const once: ScriptedAnswer = { match: {}, decision: { action: 'decline' }, delayMs: 0, times: 1 };
	const other: ScriptedAnswer = { ...once, match: { message: 'Never' } };
	const { world, scripts, change } = open(once, once);
	const [one, two] = [world.form('One?'), world.form('Two?')];
	await Promise.all([one.ended, two.ended]);
	expect([one.responder?.name, two.responder?.name]).toEqual(['file, no. 1', 'file, no. 2']);
	change(other, once, once);
	expect([one.responder?.name, two.responder?.name]).toEqual(['file, no. 2', 'file, no. 3']);
	expect(two.responder && scripts.responderOf(two.responder)).toBeDefined();
	const asked = new Promise((resolve) => world.registry.onDidAsk(resolve));
	const three = world.form('Three?');
	expect(await asked).toBe(three);
});
