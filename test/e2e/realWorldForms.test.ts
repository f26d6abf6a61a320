import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { visible } from '../../src/elicitation/display.ts';
import { itByNight, nightly } from '../nightly.ts';
import { callTool, type Editor, reuseEditor, servers, structured } from './driver/index.ts';
import { Asker, allElicitations, sampleOfElicitations } from './realWorld/elicitations.ts';
import { inForm } from './realWorld/inForm.ts';
import { inPickers } from './realWorld/inPickers.ts';

/*
 * Everything is asked in one call of one tool, so that an elicitation costs its own time and not that of a call. An elicitation
 * that could not be answered is left, and the next one comes all the same. By day one of each kind is asked in a form, and every third of
 * them in pickers: what becomes of all of them is tested without an editor, too.
 */
const ASKED = {
	webview: nightly ? allElicitations : sampleOfElicitations,
	quickPick: nightly ? allElicitations : sampleOfElicitations.filter((_, index) => index % 3 === 0),
};

itByNight('there are enough cases', () => {
	expect(allElicitations.length).toBeGreaterThanOrEqual(40);
});

describe.each([
	['webview', inForm],
	['quickPick', inPickers],
] as const)('in the presentation %s', (presentation, person) => {
	const elicitations = ASKED[presentation];
	let asker: Asker;
	let editor: Editor;
	let open: number | undefined;

	beforeAll(async () => {
		asker = await Asker.create(elicitations);
		editor = await reuseEditor({
			machineSettings: { ...servers({ realWorld: asker.definition }), 'mcpElicitation.rateLimit.perMinute': 10_000 },
			settings: { 'mcpElicitation.form.presentation': presentation },
		});
		await callTool(editor, { tool: 'ask-all' });
	});
	afterEach(async () => {
		const at = open;
		const elicitation = at === undefined ? undefined : elicitations[at];
		open = undefined;
		if (at !== undefined && elicitation !== undefined && (await asker.received()).length <= at) {
			await person.leave(editor, elicitation, async () => (await asker.received()).length > at);
			await asker.result(at);
		}
	});
	afterAll(() => asker?.remove());

	itByNight.each(elicitations.map((elicitation, at) => ({ ...elicitation, at })))(
		'$message',
		async ({ at, ...elicitation }) => {
			open = at;
			await person.answer(editor, elicitation);
			if (elicitation.realWorld.content !== undefined) {
				expect(await asker.result(at)).toBe(elicitation.expected);
			}
		},
	);

	itByNight(
		'the result of the tool shows all that was received, cancelled where nothing could be accepted',
		async () => {
			const { answers } = (await structured(editor)) as { answers: unknown[] };
			expect(answers.map((answer) => JSON.stringify(answer))).toEqual(
				elicitations.map(({ expected }) => visible(expected)),
			);
		},
	);
});
