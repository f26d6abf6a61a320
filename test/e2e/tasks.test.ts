import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itByNight } from '../nightly.ts';
import { MODERN } from '../rawServer/rawServer.ts';
import {
	answerIn,
	callTool,
	completed,
	created,
	demo,
	type Editor,
	formOf,
	formOfServer,
	inputRequests,
	openEditor,
	openRawServer,
	Polls,
	type RawServer,
	resultOf,
	servers,
	structured,
	task,
	until,
	urlPanel,
} from './driver/index.ts';

let shop: RawServer;
let editor: Editor;

beforeAll(async () => {
	shop = await openRawServer('stdio', { revision: MODERN });
	editor = await openEditor({
		machineSettings: servers({
			'sessions demo': demo('2025-11-25'),
			'rounds demo': demo('2026-07-28'),
			shop: shop.definition,
		}),
		settings: { 'mcpElicitation.form.presentation': 'webview' },
	});
});

beforeEach(() => editor.closeTabs());

/** The form of the demo server in rounds whose message holds this text. */
const formSaying = (text: string) => formOfServer(editor, 'rounds demo', text);

describe('a tool of the demo server', () => {
	it('asks three elicitations one after another, each in a form of its own (R01–R03)', async () => {
		await callTool(editor, { server: 'rounds demo', tool: 'Wizard' });
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

	itByNight('goes on once the page is finished, without a notice (U08, U13)', async () => {
		await callTool(editor, { server: 'rounds demo', tool: 'Sign in' });
		const consent = await urlPanel(editor, 'rounds demo');
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

describe('a task of a server of 2026-07-28', () => {
	const ended = { done: true };
	let polls: Polls | undefined;
	let before: Readonly<Record<'calls' | 'updates', number>>;

	afterEach(() => polls?.stop());

	/** Calls the tool, which creates a task. */
	async function callAsTask(more?: object): Promise<void> {
		before = { calls: shop.requests('tools/call').length, updates: shop.requests('tasks/update').length };
		await callTool(editor, { server: 'shop', tool: 'act' });
		shop.answer(await shop.expect('tools/call'), created(more));
	}

	const requesting = (...messages: string[]) =>
		task('input_required', {
			inputRequests: inputRequests(
				Object.fromEntries(messages.map((message) => [message, formOf({ name: { type: 'string' } }, [], message)])),
			),
		});

	/** Waits for the next response that is sent to the task, and confirms it. */
	async function nextUpdate() {
		const update = await shop.expect('tasks/update');
		shop.answer(update, { resultType: 'complete' });
		return update.params.inputResponses;
	}

	/** Waits until the server has been polled a few more times. */
	async function morePolls(): Promise<void> {
		const enough = (polls?.count ?? 0) + 3;
		await until('more polls', async () => (polls?.count ?? 0) >= enough);
	}

	/** The tool was called once, whatever became of its task. */
	const calledOnce = () => expect(shop.requests('tools/call')).toHaveLength(before.calls + 1);

	const nothingPending = () => until('nothing to be pending', async () => !(await editor.pending().isVisible()));

	it('may request two inputs at once: each is shown once, and its response is sent as it is given (K12, K13)', async () => {
		await callAsTask();
		polls = new Polls(shop, requesting('Who orders?', 'Who pays?'));
		await editor.statusBar('MCP 2');
		await formOfServer(editor, 'shop', 'Who pays?');
		// The later form covers the earlier one.
		await editor.page.getByRole('tab', { name: 'shop' }).first().click();
		const first = await formOfServer(editor, 'shop', 'Who orders?');
		await first.getByLabel('name', { exact: true }).fill('Ada');
		await answerIn(first, 'Accept');
		expect(await nextUpdate()).toEqual({ 'Who orders?': { action: 'accept', content: { name: 'Ada' } } });
		// The server may report both for a while.
		await morePolls();
		await editor.statusBar('MCP 1');
		await answerIn(await formOfServer(editor, 'shop', 'Who pays?'), 'Decline');
		expect(await nextUpdate()).toEqual({ 'Who pays?': { action: 'decline' } });
		await morePolls();
		await nothingPending();
		polls.report = completed(ended);
		expect(await structured(editor)).toEqual(ended);
		expect(shop.requests('tasks/update')).toHaveLength(before.updates + 2);
		calledOnce();
	});

	itByNight('that takes long shows its status message, and goes on with one request (K11, K12)', async () => {
		await callAsTask({ statusMessage: 'Packing' });
		polls = new Polls(shop, task('working', { statusMessage: 'Packing' }));
		const running = await editor.notification('Packing');
		expect(await running.message()).toMatch(/^shop · act/);
		polls.report = task('working', { statusMessage: '2 of 3 parcels' });
		await editor.notification('2 of 3 parcels');
		await editor.screenshot('a slow task');
		polls.report = requesting('Where to?');
		const form = await formOfServer(editor, 'shop', 'Where to?');
		await running.gone();
		await answerIn(form, 'Decline');
		expect(await nextUpdate()).toEqual({ 'Where to?': { action: 'decline' } });
		polls.report = completed(ended);
		expect(await structured(editor)).toEqual(ended);
		calledOnce();
	});
});
