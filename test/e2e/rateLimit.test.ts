import { afterAll, beforeEach, expect, it } from 'vitest';
import type { Wire } from '../rawServer/rawServer.ts';
import { RawStdioServer } from '../rawServer/stdio.ts';
import { callTool, type Editor, formOf, openEditor, servers, structured, until } from './driver/index.ts';

const rawServers: RawStdioServer[] = [];
let raw: RawStdioServer;
let editor: Editor;

/** A server of its own for every test: what it asks counts for a minute. */
beforeEach(async () => {
	raw = await RawStdioServer.open({ tools: ['deploy'] });
	rawServers.push(raw);
});

afterAll(() => Promise.all(rawServers.map((each) => each.close())));

/** Calls the tool in a fresh window whose server may ask that much. */
async function deploy(perMinute: number): Promise<Wire> {
	editor = await openEditor({
		machineSettings: { ...servers({ raw: raw.definition }), 'mcpElicitation.rateLimit.perMinute': perMinute },
		settings: { 'mcpElicitation.form.presentation': 'webview', 'mcpElicitation.form.reveal': 'background' },
	});
	await editor.showViews();
	await callTool(editor, { tool: 'deploy' });
	return raw.expect('tools/call');
}

function flood(call: Wire, count: number): string[] {
	return Array.from({ length: count }, (_, at) => raw.ask(formOf({}, [], `Question ${at}`), call).id);
}

/** What each question was answered with, or that it has no answer; fails for one that has two. */
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
	until(`${count} pending`, async () => (await editor.pending().innerText()).trim() === String(count));

/** The tabs of its forms, in whatever group of editors. */
const forms = () => editor.page.locator('.tabs-container .tab').filter({ hasText: 'raw' });

async function openList(): Promise<void> {
	await editor.pending().click();
	await editor.quickInput.shows('Choose an elicitation');
}

/** What the timeline says of the question with this message. */
async function inTimeline(message: string): Promise<string> {
	await editor.command('MCP Elicitation: Show Timeline');
	const timeline = await editor.frameOf('tree', 'Calls and messages');
	await timeline.getByRole('searchbox', { name: 'Search' }).fill(message);
	const entries = timeline.getByRole('treeitem').filter({ hasText: message });
	// Its messages are there as well.
	return until('the question itself', async () =>
		(await entries.allInnerTexts()).find((text) => text.includes('cancelled')),
	);
}

it('a thousand questions at once are told of once, with the final numbers; dismissed, they stay held back in the list (A01, fault 11)', async () => {
	const call = await deploy(30);
	const ids = flood(call, 1_000);
	const heldRequests = await editor.notification('raw asks too much');
	expect(await heldRequests.message()).toBe('raw asks too much: 40 questions are held back, 930 more were cancelled.');
	expect(await heldRequests.buttons()).toEqual(['Review', 'Decline the Rest', 'Stop Server']);
	await untilPending(70);
	await untilAnswered(ids, { cancel: 930, none: 70 });
	await editor.screenshot('storm toast');
	await heldRequests.dismiss();

	expect(await editor.pending().getAttribute('class')).toContain('warning-kind');
	await editor.unfold(/^raw\s*asks too much: 40 held back/);
	await editor.treeItem(/^Question 30\s*held back/);
	await editor.screenshot('storm tree');
	await openList();
	await editor.quickInput.fill('Question 30');
	await editor.quickInput.pressOnEntry(/Question 30/, 'Decline');
	await untilAnswered(ids, { decline: 1, cancel: 930 });
	await editor.quickInput.fill('Question 31');
	await editor.quickInput.pressOnEntry(/Question 31/, 'Cancel');
	await untilAnswered(ids, { decline: 1, cancel: 931 });
	await editor.quickInput.fill('Question 32');
	await editor.screenshot('storm list');
	await editor.quickInput.pick(/Question 32/);
	await editor.treeItem(/^raw\s*asks too much: 37 held back/);
	await until('one more form', async () => (await forms().count()) >= 21);

	expect(await inTimeline('Question 999')).toContain('cancelled: the server asked too much');
	expect((await editor.notifications()).filter((text) => text.includes('asks too much'))).toEqual([]);
	await openList();
	await editor.quickInput.pressOnEntry(/37 questions are held back/, 'Decline the Rest');
	// With them goes what only waits for room: the rest is everything that is not shown.
	await untilAnswered(ids, { decline: 48, cancel: 931 });
	await editor.quickInput.escape();
	await editor.closeTabs();
	await editor.pending().waitFor({ state: 'hidden' });
	expect(answers(ids)).toEqual({ decline: 48, cancel: 952 });
	raw.finish(call, { through: true });
	expect(await structured(editor)).toEqual({ through: true });
});

it('Review shows what was held back; what the server asks too much after that is told of again (A01)', async () => {
	const call = await deploy(2);
	const ids = flood(call, 5);
	const heldRequests = await editor.notification('raw asks too much: 3 questions are held back.');
	await until('two forms', async () => (await forms().count()) === 2);
	await heldRequests.press('Review');
	await until('five forms', async () => (await forms().count()) === 5);
	await untilPending(5);
	const more = flood(call, 1);
	await (await editor.notification('raw asks too much: 1 question is held back.')).press('Decline the Rest');
	await untilAnswered(more, { decline: 1 });
	// Until it has kept to the limit for a minute, the answer is the same without asking.
	await untilAnswered(flood(call, 3), { decline: 3 });
	await editor.closeTabs();
	await untilAnswered(ids, { cancel: 5 });
	await editor.pending().waitFor({ state: 'hidden' });
});

it('a question that was declined a moment ago is not asked again, but told of (A01)', async () => {
	const call = await deploy(30);
	const question = formOf({}, [], 'Your password?');
	const asked = raw.ask(question, call);
	await openList();
	await editor.quickInput.pressOnEntry(/password/, 'Decline');
	await editor.quickInput.escape();
	expect((await asked.response).result).toEqual({ action: 'decline' });
	const again = [raw.ask(question, call).id, raw.ask(question, call).id];
	const heldRequests = await editor.notification('raw asks again what you have just declined.');
	expect(await forms().count()).toBe(0);
	await heldRequests.press('Decline the Rest');
	await untilAnswered(again, { decline: 2 });
	await editor.pending().waitFor({ state: 'hidden' });
});

it('Stop Server ends the server that asks too much, from the view as from the notification (A01, fault 11)', async () => {
	const call = await deploy(2);
	const ids = flood(call, 4);
	await (await editor.notification('raw asks too much: 2 questions are held back.')).dismiss();
	const row = await editor.treeItem(/^raw\s*asks too much: 2 held back/);
	await row.hover();
	await row.getByRole('button', { name: 'Stop Server' }).click();
	await raw.left();
	await editor.pending().waitFor({ state: 'hidden' });
	expect(answers(ids)).toEqual({ none: 4 });
});
