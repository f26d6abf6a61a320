import { afterAll, beforeEach, expect, it } from 'vitest';
import { itByNight } from '../nightly.ts';
import type { Wire } from '../rawServer/rawServer.ts';
import { RawStdioServer } from '../rawServer/stdio.ts';
import {
	answerIn,
	callTool,
	type Editor,
	formOf,
	formOfServer,
	reuseEditor,
	servers,
	structured,
	until,
} from './driver/index.ts';

const rawServers: RawStdioServer[] = [];
let raw: RawStdioServer;
let editor: Editor;

/** The name of the server, of its own for every test: what it asks counts for a minute. */
let name: string;

beforeEach(async () => {
	name = `raw${rawServers.length}`;
	raw = await RawStdioServer.open({ tools: ['deploy'] });
	rawServers.push(raw);
});

afterAll(() => Promise.all(rawServers.map((each) => each.close())));

/** Calls the tool of the server, which may ask that much. */
async function deploy(perMinute: number): Promise<Wire> {
	editor = await reuseEditor({
		machineSettings: { ...servers({ [name]: raw.definition }), 'mcpElicitation.rateLimit.perMinute': perMinute },
		settings: { 'mcpElicitation.form.presentation': 'webview', 'mcpElicitation.form.reveal': 'background' },
	});
	await editor.showViews();
	await callTool(editor, { tool: 'deploy' });
	return raw.expect('tools/call');
}

/** Calls the tool in a window that asks in pickers, and has it ask that often at once. */
async function floodPickers(count: number): Promise<{ readonly call: Wire; readonly ids: readonly string[] }> {
	editor = await reuseEditor({ machineSettings: servers({ [name]: raw.definition }) });
	await editor.showViews();
	await callTool(editor, { tool: 'deploy' });
	const call = await raw.expect('tools/call');
	const elicitation = (at: number) => formOf({ name: { type: 'string' } }, ['name'], `Elicitation ${at}`);
	return { call, ids: Array.from({ length: count }, (_, at) => raw.ask(elicitation(at), call).id) };
}

function flood(call: Wire, count: number): string[] {
	return Array.from({ length: count }, (_, at) => raw.ask(formOf({}, [], `Elicitation ${at}`), call).id);
}

/** What each elicitation was answered with, or that it has no answer; fails for one that has two. */
function answers(ids: readonly string[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const id of ids) {
		const responses = raw.responses(id);
		expect(responses.length).toBeLessThanOrEqual(1);
		const action = responses[0]?.result.action ?? 'none';
		counts[action] = (counts[action] ?? 0) + 1;
	}
	return counts;
}

const untilAnswered = (ids: readonly string[], expected: Record<string, number>) =>
	until(`the answers ${JSON.stringify(expected)}`, () => {
		const found = answers(ids);
		return Object.entries(expected).every(([action, count]) => found[action] === count);
	});

const untilPending = (count: number) =>
	until(`${count} pending`, async () => (await editor.pending().innerText()).trim() === `MCP ${count}`);

/** The tabs of its forms, in whatever group of editors. */
const forms = () => editor.page.locator('.tabs-container .tab').filter({ hasText: name });

async function openList(): Promise<void> {
	await editor.pending().click();
	await editor.quickInput.shows('Choose an elicitation');
}

/** What the timeline says of the elicitation with this message. */
async function inTimeline(message: string): Promise<string> {
	await editor.command('MCP Elicitation: Show Timeline');
	const timeline = await editor.frameOf('tree', 'Calls and messages');
	await timeline.getByRole('searchbox', { name: 'Search' }).fill(message);
	const entries = timeline.getByRole('treeitem').filter({ hasText: message });
	// Its messages are there as well.
	return until('the elicitation itself', async () =>
		(await entries.allInnerTexts()).find((text) => text.includes('cancelled')),
	);
}

itByNight(
	'a thousand elicitations at once are told of once, with the final numbers; dismissed, they stay held back in the list (A01, fault 11)',
	async () => {
		const call = await deploy(30);
		const ids = flood(call, 1_000);
		const heldRequests = await editor.notification(`${name} exceeded the rate limit`);
		expect(await heldRequests.message()).toBe(
			`${name} exceeded the rate limit: 50 requests are held back, 930 more were cancelled.`,
		);
		expect(await heldRequests.buttons()).toEqual(['Review', 'Decline All from This Server', 'Stop Server']);
		await untilPending(70);
		await untilAnswered(ids, { cancel: 930, none: 70 });
		await editor.screenshot('rate limit toast');
		await heldRequests.dismiss();

		expect(await editor.pending().getAttribute('class')).toContain('warning-kind');
		await editor.unfold(new RegExp(`^${name}\\s*rate limit: 50 held back`));
		// What waits for room comes first: the tree draws only what is in view.
		await editor.treeItem(/^Elicitation 20\s*waiting for its turn/);
		await editor.screenshot('rate limit tree');
		await openList();
		await editor.quickInput.fill('Elicitation 30');
		await editor.quickInput.pressOnEntry(/Elicitation 30/, 'Decline');
		await untilAnswered(ids, { decline: 1, cancel: 930 });
		await editor.quickInput.fill('Elicitation 31');
		await editor.quickInput.pressOnEntry(/Elicitation 31/, 'Cancel');
		await untilAnswered(ids, { decline: 1, cancel: 931 });
		await editor.quickInput.fill('Elicitation 32');
		await editor.screenshot('rate limit list');
		await editor.quickInput.pick(/Elicitation 32/);
		await editor.treeItem(new RegExp(`^${name}\\s*rate limit: 47 held back`));
		await until('one more form', async () => (await forms().count()) === 4);

		expect(await inTimeline('Elicitation 999')).toContain('cancelled: rate limit');
		expect((await editor.notifications()).filter((text) => text.includes('exceeded the rate limit'))).toEqual([]);
		await openList();
		await editor.quickInput.pressOnEntry(/47 requests are held back/, 'Decline the Rest');
		// With them goes what only waits for room: the rest is everything that is not shown.
		await untilAnswered(ids, { decline: 48, cancel: 931 });
		await editor.quickInput.escape();
		// Whatever is closed makes room for the next.
		await until('no request to be pending', async () => {
			await editor.closeTabs();
			return !(await editor.pending().isVisible());
		});
		expect(answers(ids)).toEqual({ decline: 48, cancel: 952 });
		raw.finish(call, { through: true });
		expect(await structured(editor)).toEqual({ through: true });
	},
);

it('Review shows what was held back; what the server sends beyond the rate limit after that is told of again (A01)', async () => {
	const call = await deploy(2);
	const ids = flood(call, 5);
	const heldRequests = await editor.notification(`${name} exceeded the rate limit: 3 requests are held back.`);
	await until('two forms', async () => (await forms().count()) === 2);
	await heldRequests.press('Review');
	await untilPending(5);
	await until('another form', async () => (await forms().count()) === 3);
	const more = flood(call, 1);
	await (await editor.notification(`${name} exceeded the rate limit: 1 request is held back.`)).press(
		'Decline All from This Server',
	);
	await untilAnswered([...ids, ...more], { decline: 6 });
	// Until it has kept to the limit for a minute, the answer is the same without asking.
	await untilAnswered(flood(call, 3), { decline: 3 });
	await editor.pending().waitFor({ state: 'hidden' });
	await until('no form', async () => (await forms().count()) === 0);
});

itByNight(
	'three forms of a server open by themselves, the next when one is done; the list opens any of them',
	async () => {
		const call = await deploy(30);
		const ids = flood(call, 6);
		await untilPending(6);
		await until('three forms', async () => (await forms().count()) === 3);
		await openList();
		await editor.quickInput.pick(/Elicitation 5/);
		await answerIn(await formOfServer(editor, name, 'Elicitation 5'), 'Accept');
		await untilAnswered(ids, { accept: 1, none: 5 });
		await until('the three forms', async () => (await forms().count()) === 3);
		await openList();
		for (const at of [0, 1, 2]) {
			await editor.quickInput.pressOnEntry(new RegExp(`Elicitation ${at}`), 'Decline');
		}
		await untilAnswered(ids, { accept: 1, decline: 3, none: 2 });
		await editor.quickInput.escape();
		await until('the other two', async () => (await forms().count()) === 2);
		const form = await formOfServer(editor, name, 'Elicitation 4');
		// The status bar has the focus again, and its tooltip covers the buttons.
		await form.locator('header').click();
		await answerIn(form, 'Accept');
		await answerIn(await formOfServer(editor, name, 'Elicitation 3'), 'Accept');
		await untilAnswered(ids, { accept: 3, decline: 3 });
		raw.finish(call, { through: true });
		expect(await structured(editor)).toEqual({ through: true });
	},
);

itByNight('an elicitation that was declined a moment ago is not asked again, but told of (A01)', async () => {
	const call = await deploy(30);
	const elicitation = formOf({}, [], 'Your password?');
	const asked = raw.ask(elicitation, call);
	await openList();
	await editor.quickInput.pressOnEntry(/password/, 'Decline');
	await editor.quickInput.escape();
	expect((await asked.response).result).toEqual({ action: 'decline' });
	const again = [raw.ask(elicitation, call).id, raw.ask(elicitation, call).id];
	const heldRequests = await editor.notification(`${name} repeats a request that you have just declined.`);
	expect(await forms().count()).toBe(0);
	await heldRequests.press('Decline All from This Server');
	await untilAnswered(again, { decline: 2 });
	await editor.pending().waitFor({ state: 'hidden' });
});

itByNight(
	'Stop Server ends the server that exceeded the rate limit, from the view as from the notification (A01, fault 11)',
	async () => {
		const call = await deploy(2);
		const ids = flood(call, 4);
		await (await editor.notification(`${name} exceeded the rate limit: 2 requests are held back.`)).dismiss();
		const row = await editor.treeItem(new RegExp(`^${name}\\s*rate limit: 2 held back`));
		await row.hover();
		await row.getByRole('button', { name: 'Stop Server' }).click();
		await raw.left();
		await editor.pending().waitFor({ state: 'hidden' });
		expect(answers(ids)).toEqual({ none: 4 });
	},
);

itByNight(
	'a flood of 300 pickers becomes one list, from which two actions on the keyboard decline everything (A01)',
	async () => {
		const { call, ids } = await floodPickers(300);
		await editor.quickInput.shows('Choose an elicitation');
		await untilPending(70);
		await editor.screenshot('flood list');
		await editor.quickInput.look();
		await editor.page.keyboard.type(`Decline All from ${name}`);
		await editor.page.keyboard.press('Enter');
		await untilAnswered(ids, { decline: 70, cancel: 230 });
		await editor.pending().waitFor({ state: 'hidden' });
		// No picker comes after it.
		await editor.quickInput.gone();
		raw.finish(call, { through: true });
		expect(await structured(editor)).toEqual({ through: true });
	},
);

itByNight(
	'from the list of a flood one elicitation at a time is answered, and the list comes back; closed, nothing pops up',
	async () => {
		const { call, ids } = await floodPickers(5);
		await editor.quickInput.shows('Choose an elicitation');
		await editor.quickInput.pick(/Elicitation 3/);
		await editor.quickInput.shows(`${name} · deploy · name`);
		await editor.quickInput.enter('Ada');
		await editor.quickInput.shows('Review');
		await editor.quickInput.pick(/Accept/);
		await untilAnswered(ids, { accept: 1 });
		await editor.quickInput.shows('Choose an elicitation');
		await editor.quickInput.escape();
		await editor.quickInput.gone();
		await untilPending(4);

		// The call can be cancelled where its elicitations are listed.
		await editor.chooseFromMenu(/Elicitation 0/, 'Cancel Call');
		await raw.expect('notifications/cancelled');
		await editor.pending().waitFor({ state: 'hidden' });
		expect(call.method).toBe('tools/call');
	},
);

itByNight('everything from one server is declined from the menu of any of its entries', async () => {
	const call = await deploy(30);
	const ids = flood(call, 5);
	await untilPending(5);
	await editor.chooseFromMenu(/Elicitation 2/, 'Decline All from This Server');
	await untilAnswered(ids, { decline: 5 });
	await editor.pending().waitFor({ state: 'hidden' });
});
