import type { Frame } from 'playwright-core';
import { beforeAll, beforeEach, expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import type { RawServer, Wire } from '../rawServer/rawServer.ts';
import {
	answerIn,
	ask,
	callTool,
	type Editor,
	failureOf,
	formOf,
	formOfServer,
	KeyboardUser,
	openEditor,
	openRawServer,
	program,
	runTrial,
	servers,
	structured,
	until,
} from './driver/index.ts';

const NUMBER = (message: string) => formOf({ n: { type: 'integer', default: 3 } }, ['n'], message);

let raw: RawServer;
let editor: Editor;

async function call(tool: string): Promise<Wire> {
	await editor.closeTabs();
	await callTool(editor, { server: 'raw', tool });
	return raw.expect('tools/call');
}

/** Requests input in a call, to which the user responds. */
async function respond(running: Wire, message: string): Promise<void> {
	const { response } = raw.ask(NUMBER(message), running);
	await answerIn(await formOfServer(editor, 'raw', message), 'Accept');
	await response;
}

/** Ends a call whose result the user sees. */
async function end(running: Wire): Promise<void> {
	raw.finish(running, { done: true });
	expect(await structured(editor)).toEqual({ done: true });
}

/** The timeline, which the user opens by the palette. */
async function timelineOf(): Promise<Frame> {
	await editor.command('MCP Elicitation: Show Timeline');
	return editor.frameOf('tree', 'Calls and messages');
}

/** A call that failed at once, one that failed after a response, and others since. */
beforeAll(async () => {
	raw = await openRawServer('stdio', { tools: ['check', 'deploy', 'look', 'act'] });
	editor = await openEditor({
		machineSettings: {
			...servers({ raw: raw.definition, sdk1: program('sdk1') }),
			'mcpElicitation.answers': [{ message: 'Robots?', action: 'accept', content: { n: 2 }, delayMs: 1500 }],
		},
		settings: { 'mcpElicitation.form.presentation': 'webview' },
	});
	raw.fail(await call('check'), { code: -32000, message: 'Not now' });
	expect(await failureOf(editor, 'raw')).toContain('Not now');
	const deploying = await call('deploy');
	await respond(deploying, 'How many?');
	raw.fail(deploying, { code: -32000, message: 'No room left' });
	expect(await failureOf(editor, 'raw')).toContain('No room left');
	for (let at = 0; at < 4; at++) {
		await end(await call('look'));
	}
});

beforeEach(() => editor.closeTabs());

/** The call is made again and asks the same, which has its response already. */
async function replayed(): Promise<void> {
	const again = await raw.expect('tools/call');
	expect(again.params.name).toBe('deploy');
	expect((await raw.ask(NUMBER('How many?'), again).response).result).toEqual({ action: 'accept', content: { n: 3 } });
	raw.finish(again, { deployed: true });
	await editor.notification('raw: The replay of deploy has ended differently.');
}

itByNight('a call that failed a while ago is found and made again by the palette in two actions', async () => {
	const user = new KeyboardUser(editor, 2);
	await user.runs('mcp call again', 'MCP Elicitation: Call Again');
	await editor.quickInput.shows('Choose a call');
	await user.chooses('failed', 'deploy');
	raw.fail(await raw.expect('tools/call'), { code: -32000, message: 'Still busy' });
	expect(await failureOf(editor, 'raw')).toContain('Still busy');
});

itByNight(
	'a call that failed a while ago is found in the timeline and replayed from there in four actions',
	async () => {
		const user = new KeyboardUser(editor, 4);
		await user.runs('mcp show timeline', 'MCP Elicitation: Show Timeline');
		const timeline = await editor.frameOf('tree', 'Calls and messages');
		await until('the list to have the focus', () =>
			timeline.evaluate(() => document.hasFocus() && document.activeElement?.getAttribute('role') === 'tree'),
		);
		// Typing searches at once; Enter leads to what was found.
		await user.fillsAndSends('no room');
		await timeline.getByRole('treeitem', { selected: true }).filter({ hasText: 'deploy' }).waitFor();
		await editor.screenshot('failed call found');
		await user.pressesButton('More Actions…', timeline);
		await user.choosesFromMenu('Replay with Recorded Responses', timeline);
		await replayed();
	},
);

itByNight('what a script or a replay responds is told apart from the time of the user', async () => {
	/** The shares of the time of the newest call that fits, in the details of the timeline. */
	const sharesOf = async (row: string) => {
		const timeline = await timelineOf();
		await timeline.getByRole('searchbox', { name: 'Search' }).fill('');
		await timeline.getByRole('treeitem').filter({ hasText: row }).first().click();
		const clocks = timeline.getByRole('region', { name: 'Details' }).locator('.clocks');
		return (await clocks.innerText()).replace(/\s+/g, ' ').trim();
	};
	const running = await call('act');
	expect((await raw.ask(NUMBER('Robots?'), running).response).result.content).toEqual({ n: 2 });
	await respond(running, 'People?');
	await end(running);
	const result = await editor.frameOf('button', 'Open as JSON');
	await result.getByText(/ · server .* · you .* · automatic (1\.[5-9]|[2-9]\.\d) s · by a script in/).waitFor();
	expect(await sharesOf('act')).toMatch(/^server .* · you .* · automatic (1\.[5-9]|[2-9]\.\d) s$/);
	await editor.screenshot('automatic time');
	await editor.closeTabs();

	await editor.showViews();
	await editor.chooseFromMenu(/^act.*· raw/, 'Replay with Recorded Responses');
	const again = await raw.expect('tools/call');
	await raw.ask(NUMBER('Robots?'), again).response;
	await raw.ask(NUMBER('People?'), again).response;
	raw.finish(again, { done: true });
	await editor.notification('The replay of act has ended as before.');
	const shares = await sharesOf('Replay of act');
	expect(shares).toMatch(/^server .* · automatic /);
	expect(shares).not.toContain('you');
});

/** Starts trials of a call. */
async function run(trial: string, tool: RegExp, box: string, entered: string, message: string): Promise<void> {
	await runTrial(editor, tool, trial);
	await editor.quickInput.shows(box);
	await editor.screenshot(trial);
	await editor.quickInput.enter(entered);
	const modal = await editor.modal();
	expect(await modal.message()).toBe(message);
	await modal.press('Run');
}

/** What the table says about each run, once all have ended. */
async function told(heading: string): Promise<(string | undefined)[][]> {
	const frame: Frame = await editor.frameOf('heading', heading);
	await until('the runs to end', async () => !(await frame.getByRole('button', { name: 'Cancel' }).isVisible()));
	await editor.screenshot(heading);
	const found = await frame.locator('tbody tr').all();
	return Promise.all(found.map((row) => row.locator('th, td').allInnerTexts()));
}

itByNight('a server that waits as long as the user takes is told apart from one that gives up', async () => {
	await ask(editor, NUMBER('How many?'), 'sdk1');
	await answerIn(await formOfServer(editor, 'sdk1', 'How many?'), 'Decline');
	await structured(editor);
	await editor.closeTabs();
	const box = 'For how many seconds should responses be held?';
	await run('Patience', /^ask/, box, '1, 2', 'Call "ask" on sdk1 3 times?');
	const patient = await told('Patience');
	expect(patient.map(([name]) => name?.trim())).toEqual(['At once', 'After 1 s', 'After 2 s']);
	expect(patient[1]?.[1]).toContain('Nobody gave up, and no more was requested.');
	expect(patient[2]?.[1]).toContain('Nobody gave up, and no more was requested.');

	const running = await call('act');
	await respond(running, 'How many?');
	await end(running);
	await editor.closeTabs();
	await run('Patience', /^act/, box, '600', 'Call "act" on raw 2 times?');
	const atOnce = await raw.expect('tools/call');
	expect((await raw.ask(NUMBER('How many?'), atOnce).response).result.action).toBe('accept');
	raw.finish(atOnce, {});
	const held = await raw.expect('tools/call');
	const { id } = raw.ask(NUMBER('How many?'), held);
	await raw.fence();
	raw.notify('notifications/cancelled', { requestId: id, reason: 'Request timed out' });
	await raw.fence();
	raw.fail(held, { code: -32001, message: 'Request timed out' });
	const [, gaveUp] = await told('Patience');
	expect(gaveUp?.[1]).toMatch(/The server gave up after .* s\. .*Request timed out/);
});

itByNight(
	'a server that builds its requests from the time is told apart from one that sends the same again',
	async () => {
		const running = await call('act');
		await respond(running, 'What for?');
		await end(running);
		await editor.closeTabs();
		const box = 'How many times should the call be made?';
		await run('Determinism', /^act/, box, '4', 'Call "act" on raw 4 times?');
		const at = (second: number) => `It is 2026-01-01T10:00:0${second}Z.`;
		for (const message of [at(0), at(0), at(7), 'How many now?']) {
			const repeated = await raw.expect('tools/call');
			expect((await raw.ask(NUMBER(message), repeated).response).result.action).toBe('accept');
			raw.finish(repeated, {});
		}
		const rows = await told('Determinism');
		expect(rows.map(([name]) => name?.trim())).toEqual(['Run 1', 'Run 2', 'Run 3', 'Run 4']);
		expect(rows[1]?.[1]).toContain('Everything is as in the first run.');
		expect(rows[2]?.[1]).toContain('Request 1 holds a time or a random ID, at /message.');
		expect(rows[3]?.[1]).toContain('Request 1 differs from that of the first run at /message.');
	},
);
