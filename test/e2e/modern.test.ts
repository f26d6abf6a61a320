import type { Frame } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itByNight, variants } from '../nightly.ts';
import {
	answerIn,
	ask,
	callTool,
	demo,
	type Editor,
	formOf,
	formOfServer,
	openEditor,
	overHttp,
	program,
	resultOf,
	servers,
	structured,
	urlPanel,
} from './driver/index.ts';

let editor: Editor;

beforeAll(async () => {
	editor = await openEditor({
		settings: { 'mcpElicitation.form.presentation': 'webview' },
		machineSettings: servers({
			demo: demo('2026-07-28'),
			'sdk2 stdio': program('sdk2'),
			'sdk2 http': await overHttp('sdk2'),
		}),
	});
});

beforeEach(() => editor.closeTabs());

afterEach(async () => {
	for (const page of editor.externalPages()) {
		await page.close();
	}
});

/** The form of the demo server whose message holds this text. */
const formSaying = (text: string) => formOfServer(editor, 'demo', text);

describe('the demo server in rounds', () => {
	it('asks three elicitations one after another, each in a form of its own (R01–R03)', async () => {
		await callTool(editor, { server: 'demo', tool: 'Wizard' });
		const meal = await formSaying('Step 1 of 3');
		await meal.getByRole('group', { name: 'Meal' }).getByLabel('Soup', { exact: true }).check();
		await answerIn(meal, 'Accept');
		const extras = await formSaying('Step 2 of 3');
		await extras.getByRole('group', { name: 'Extras' }).getByLabel('Cream', { exact: true }).check();
		await answerIn(extras, 'Accept');
		const order = await formSaying('one Soup, with Cream');
		await answerIn(order, 'Accept');
		await resultOf(editor, 'Ordered after three requests.');
	});

	itByNight('asks two elicitations at once, both live, and answers each under its own key (R01)', async () => {
		await callTool(editor, { server: 'demo', tool: 'Two at once' });
		const tabs = editor.page.getByRole('tab', { name: 'demo', exact: true });
		await tabs.nth(1).waitFor();
		await editor.pending().filter({ hasText: '2' }).waitFor();
		const drink = await bringForward('The bar asks');
		await drink.getByLabel('Drink', { exact: true }).fill('Tea');
		await answerIn(drink, 'Accept');
		const dessert = await formSaying('The kitchen asks');
		await dessert.getByRole('group', { name: 'Yes, dessert' }).getByLabel('No', { exact: true }).check();
		await answerIn(dessert, 'Accept');
		const result = await resultOf(editor);
		expect(result).toContain('drink = "Tea"');
		expect(result).toContain('dessert = false');
	});

	/** Brings the one of two forms to the front that says this. */
	async function bringForward(text: string): Promise<Frame> {
		await editor.pending().click();
		await editor.quickInput.shows('Choose an elicitation');
		await editor.quickInput.pick(new RegExp(text));
		return formSaying(text);
	}

	itByNight('goes on once the page is finished, without a notice (U08, U13)', async () => {
		await callTool(editor, { server: 'demo', tool: 'Sign in' });
		const consent = await urlPanel(editor, 'demo');
		expect(await consent.locator('.url').innerText()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sign-in\//);
		// In a window like this one the editor forwards the address.
		await consent.getByText('forwards the address').waitFor();
		await consent.getByRole('button', { name: 'Open URL' }).click();
		const page = await editor.externalPage(/^http:\/\/127\.0\.0\.1:\d+\/sign-in\//);
		await page.getByRole('button', { name: 'Finish' }).click();
		await page.getByText('Finished.').waitFor();
		await page.close();
		await resultOf(editor, 'You opened the page and pressed its button.');
		await editor.pending().waitFor({ state: 'hidden' });
	});
});

describe.each(variants('sdk2 stdio', 'sdk2 http'))('the server %s', (server) => {
	itByNight('receives exactly what was answered', async () => {
		await ask(editor, formOf({ name: { type: 'string' }, color: { type: 'string' } }, ['name']), server);
		const form = await formOfServer(editor, server);
		await form.getByLabel('name', { exact: true }).fill('Ada');
		await answerIn(form, 'Accept');
		expect(await structured(editor)).toEqual({ action: 'accept', content: { name: 'Ada' } });
	});

	itByNight('receives a decline', async () => {
		await ask(editor, formOf({ name: { type: 'string' } }), server);
		await answerIn(await formOfServer(editor, server), 'Decline');
		expect(await structured(editor)).toEqual({ action: 'decline' });
	});
});
