import { expect, it } from 'vitest';
import { inOldestEditor } from '../harness/paths.mjs';
import { itByNight, nightly } from '../nightly.ts';
import { type Editor, formOfServer, KeyboardUser, lookAt, openEditor, resultOf, until } from './driver/index.ts';

/** From installing the extension to an answered elicitation. */
const MOST_ACTIONS = 5;

/** A window of an empty profile in which the extension has been installed. */
async function firstDay(): Promise<Editor> {
	const editor = await openEditor({ firstDay: true });
	await editor.page.getByRole('tab', { name: 'MCP Elicitation' }).waitFor();
	const page = editor.page.locator('.gettingStartedContainer').first();
	await page.waitFor();
	// In the oldest editor its own page takes the focus once more when all of it is there.
	await until(
		'the first page to be there',
		async () => !inOldestEditor || page.evaluate((element) => element.contains(document.activeElement)),
	);
	return editor;
}

async function answersTheFirstElicitation(editor: Editor, newcomer: KeyboardUser): Promise<void> {
	await newcomer.chooses('book', 'Book a table');
	const form = await formOfServer(editor, 'demo');
	await until('the first field to have the focus', () =>
		form
			.getByLabel('Day', { exact: true })
			.evaluate((field) => field === document.activeElement && document.hasFocus()),
	);
	await editor.screenshot('first day form');
	await lookAt(form);
	await newcomer.fillsAndSends('10102027');
	expect(await resultOf(editor)).toMatch(/Your table is booked.*date = "2027-10-10".*guests = 2/);
	await editor.screenshot('first day answered');
}

itByNight(
	'a newcomer comes from an empty profile to an answered elicitation by the palette, with the keyboard alone',
	async () => {
		const editor = await firstDay();
		const newcomer = new KeyboardUser(editor, MOST_ACTIONS);
		await newcomer.runs('start demo', 'MCP Elicitation: Start Demo Server');
		await editor.quickInput.shows('Choose what to call on demo');
		await editor.screenshot('first day tools');
		await answersTheFirstElicitation(editor, newcomer);
	},
);

// The oldest editor leads through a page of its own, which may open late and take the place of the one that was chosen.
it.runIf(nightly && !inOldestEditor)(
	'a newcomer comes from an empty profile to an answered elicitation by the walkthrough, with the keyboard alone',
	async () => {
		const editor = await firstDay();
		const newcomer = new KeyboardUser(editor, MOST_ACTIONS);
		await newcomer.runs('open walkthrough', 'Welcome: Open Walkthrough...');
		await newcomer.chooses('mcp elicitation', 'MCP Elicitation');
		await newcomer.pressesButton('Start the Demo Server');
		await answersTheFirstElicitation(editor, newcomer);
	},
);
