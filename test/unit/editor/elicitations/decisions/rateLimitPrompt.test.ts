import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
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

const { RateLimitPrompt } = await import('../../../../../src/editor/elicitations/decisions/rateLimitPrompt.ts');

/** A server that has asked once and is held back twice, which the editor shows. */
function flooded() {
	const world = new World(1);
	const elicitations = world.forms(3, { calls: [world.call()] });
	const stopped: string[] = [];
	const prompt = new RateLimitPrompt(world.registry, async (server) => void stopped.push(server));
	onTestFinished(() => prompt.dispose());
	const states = () => elicitations.map(({ state }) => state);
	expect(states()).toEqual(['asking', 'held', 'held']);
	return { elicitations, states, stopped, shown: prompt.ask('s') };
}

beforeEach(() => {
	editor.told.length = 0;
});

it.each([
	['Review', ['asking', 'asking', 'asking'], []],
	['Decline All from This Server', ['declined', 'declined', 'declined'], []],
	['Stop Server', ['asking', 'held', 'held'], ['s']],
	[undefined, ['asking', 'held', 'held'], []],
])('the choice %j does what it says with what is held back (A01)', async (choice, expected, servers) => {
	const { states, stopped, shown } = flooded();
	editor.choose(choice);
	await shown;
	expect([states(), stopped, editor.told]).toEqual([expected, servers, []]);
});

it('a review that comes when nothing is held back any more says so', async () => {
	const { elicitations, shown } = flooded();
	for (const elicitation of elicitations) elicitation.cancel();
	editor.choose('Review');
	await shown;
	expect(editor.told).toEqual([expect.stringContaining('Nothing is held back any more.')]);
});
