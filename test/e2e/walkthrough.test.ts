import { beforeAll, describe, expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import {
	answerIn,
	argumentsForm,
	clicks,
	type Editor,
	formOfServer,
	openEditor,
	resultOf,
	until,
} from './driver/index.ts';

describe('the walkthrough', () => {
	let editor: Editor;

	beforeAll(async () => {
		editor = await openEditor({ settings: { 'workbench.colorTheme': 'Default Dark Modern' } });
		await show();
		// Beside the side bar there is no room for pictures.
		await editor.command('View: Toggle Primary Side Bar Visibility');
	});

	/** Shows the walkthrough, wherever the editor's own welcome page has gone. */
	async function show(): Promise<void> {
		await until('the walkthrough', async (moment) => {
			await editor.command('Welcome: Open Walkthrough...');
			// What takes the focus closes the list.
			return clicks(editor.quickInput.entryNamed('MCP Elicitation'), moment);
		});
	}

	const step = (title: string) => editor.page.locator('.getting-started-step').filter({ hasText: title });
	const done = (title: string) => step(title).getByRole('checkbox', { checked: true });

	/** Presses the button of a step. */
	async function press(title: string, button: string): Promise<void> {
		await show();
		await until(`the button ${button}`, async (moment) => {
			await step(title).click();
			return clicks(editor.page.getByRole('button', { name: button, exact: true }), moment);
		});
	}

	/** Consents to the URL, wherever it is asked. */
	function openUrl(): Promise<unknown> {
		return until('the URL to be opened', async (moment) => {
			for (const frame of editor.page.frames()) {
				const button = frame.getByRole('button', { name: 'Open URL', exact: true }).first();
				if ((await button.isVisible().catch(() => false)) && (await clicks(button, moment))) {
					return true;
				}
			}
			return false;
		});
	}

	itByNight('has a picture for each step, in the colors of the theme', async () => {
		await step('Respond to a form').click();
		const picture = await until('the picture of a form', async () => {
			for (const frame of editor.page.frames()) {
				const strokes = await frame
					.locator('svg rect[width="340"]')
					.evaluateAll((shapes) => shapes.map((shape) => getComputedStyle(shape).stroke))
					.catch(() => []);
				if (strokes.length > 0) {
					return strokes;
				}
			}
			return undefined;
		});
		expect(picture).toEqual([expect.stringMatching(/^rgb/)]);
		await editor.screenshot('walkthrough');
	});

	itByNight('cuts no text, with and without the side bar', async () => {
		for (const layout of ['with side bar', 'without side bar']) {
			await editor.command('View: Toggle Primary Side Bar Visibility');
			for (const title of ['Try the demo server', 'Consent to a URL', 'Let a call wait', 'See what happened']) {
				await step(title).click();
				await editor.screenshot(`walkthrough ${layout} ${title}`);
				// What VS Code shortens with an ellipsis.
				const cut = await editor.page
					.locator('.gettingStartedSlideDetails :is(.step-title, .max-lines-3, .monaco-button)')
					.evaluateAll((all) =>
						all
							.filter(
								({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
									scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1,
							)
							.map(({ textContent }) => textContent),
					);
				expect(cut, layout).toEqual([]);
			}
		}
	});

	itByNight('completes its steps by what came of them, and calls the tools of the demo server itself', async () => {
		await press('Respond to a form', 'Book a Table');
		const form = await formOfServer(editor, 'demo');
		await form.getByLabel('Day', { exact: true }).fill('2027-10-10');
		expect(await done('Respond to a form').count()).toBe(0);
		await answerIn(form, 'Accept');
		await resultOf(editor, 'Your table is booked');

		await press('Consent to a URL', 'Sign In');
		await done('Respond to a form').waitFor();
		await done('Try the demo server').waitFor();
		expect(await done('Consent to a URL').count()).toBe(0);
		await openUrl();
		const page = await editor.externalPage(/^http:\/\/(127\.0\.0\.1|localhost)/);
		await page.getByRole('button').first().click();
		await editor.page.bringToFront();

		await press('Let a call wait', 'Run a Long Report');
		const args = await argumentsForm(editor);
		await args.getByLabel('Seconds', { exact: true }).fill('1');
		await args.getByRole('button', { name: 'Call', exact: true }).click();
		const report = await formOfServer(editor, 'demo', 'The report is ready.');
		expect(await done('Let a call wait').count()).toBe(0);
		await report.getByLabel('Reader', { exact: true }).fill('Ada');
		await answerIn(report, 'Accept');
		await resultOf(editor, 'The report was sent');

		await press('See what happened', 'Show the Timeline');
		await editor.frameOf('tree', 'Calls and messages');
		await show();
		await done('Consent to a URL').waitFor();
		await done('See what happened').waitFor();
		await done('Let a call wait').waitFor();
		expect(await done('Or add your own server').count()).toBe(0);
		await editor.screenshot('walkthrough done');
	});
});
