import type { Frame, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itByNight } from '../nightly.ts';
import { MODERN, type RawServer, type Wire } from '../rawServer/rawServer.ts';
import { RawStdioServer } from '../rawServer/stdio.ts';
import {
	answerIn,
	appears,
	callTool,
	consentTo,
	type Definition,
	type Editor,
	failureOf,
	formOf,
	formOfServer,
	reuseEditor,
	servers,
	structured,
	until,
	urlPanel,
} from './driver/index.ts';

const page = (elicitationId: string) => ({
	mode: 'url',
	message: `Connect ${elicitationId}`,
	url: `https://accounts.example.com/${elicitationId}`,
	elicitationId,
});

const required = (...ids: string[]) => ({
	code: -32042,
	message: 'Pages first',
	data: { elicitations: ids.map(page) },
});

const round = (...messages: string[]) => ({
	resultType: 'input_required',
	inputRequests: Object.fromEntries(
		messages.map((message) => [message, { method: 'elicitation/create', params: formOf({}, [], message) }]),
	),
});

let raw: RawServer;
let rounds: RawServer;
let editor: Editor;

beforeAll(async () => {
	raw = await RawStdioServer.open({ tools: ['deploy'] });
	rounds = await RawStdioServer.open({ tools: ['deploy'], revision: MODERN });
	await configure({ raw: raw.definition, rounds: rounds.definition }, 10_000);
});

afterAll(() => Promise.all([raw?.close(), rounds?.close()]));

beforeEach(() => editor.closeTabs());

afterEach(async () => {
	for (const external of editor.externalPages()) {
		await external.close();
	}
	await editor.page.bringToFront();
});

const webview = { 'mcpElicitation.form.presentation': 'webview', 'mcpElicitation.form.reveal': 'background' };

/** Has servers that may ask that much a minute. */
async function configure(
	definitions: Readonly<Record<string, Definition>>,
	perMinute: number,
	settings: object = webview,
): Promise<void> {
	editor = await reuseEditor({
		machineSettings: { ...servers(definitions), 'mcpElicitation.rateLimit.perMinute': perMinute },
		settings: { ...settings },
	});
	await editor.showViews();
}

/** Calls the tool of a raw server by hand, and gives the request that comes of it. */
async function deploy(server: 'raw' | 'rounds'): Promise<Wire> {
	await callTool(editor, { server, tool: 'deploy' });
	return (server === 'raw' ? raw : rounds).expect('tools/call');
}

async function finish(rawServer: RawServer, call: Wire): Promise<void> {
	rawServer.finish(call, { through: true });
	expect(await structured(editor)).toEqual({ through: true });
	await editor.pending().waitFor({ state: 'hidden' });
}

async function open(id: string): Promise<void> {
	await consentTo(editor, `Connect ${id}`, 'Open URL');
	await (await editor.externalPage(`https://accounts.example.com/${id}`)).close();
	await editor.page.bringToFront();
}

/** The panel that asks for consent to that URL. The panel of another one may still be closing. */
function panelOf(id: string): Promise<Frame> {
	return until(`the panel of ${id}`, async (moment) => {
		const panel = await urlPanel(editor, 'raw');
		return (await appears(panel.getByText(`Connect ${id}`), moment)) && panel;
	});
}

const complete = (id: string) => raw.notify('notifications/elicitation/complete', { elicitationId: id });

async function openList(): Promise<void> {
	await editor.pending().click();
	await editor.quickInput.shows('Choose an elicitation');
}

/** What a user reads in an entry of the list. */
async function textOf(entry: Locator): Promise<string> {
	return (await entry.innerText()).replace(/\s+/g, ' ');
}

async function buttonsOf(entry: Locator): Promise<string[]> {
	await entry.hover();
	const labels = await entry
		.getByRole('button')
		.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
	return labels.map((label) => label ?? '');
}

/** Rows of the view of what is pending, top to bottom: what it is, and what is said of it. */
async function rows(): Promise<string[]> {
	const all = editor.page.locator('.pane', { hasText: 'Pending' }).locator('.monaco-list-row');
	// Those below their servers.
	return all
		.and(editor.page.locator(':not([aria-level="1"])'))
		.evaluateAll((found) =>
			found.map((row) =>
				['.label-name', '.label-description'].map((part) => row.querySelector(part)?.textContent ?? '').join(' | '),
			),
		);
}

describe('the list while several wait', () => {
	it('has the server, the tool, the id, the age and the state of each, and what can be done with it (U11)', async () => {
		const call = await deploy('raw');
		raw.ask(page('drive'), call);
		await open('drive');
		raw.ask(page('mail'), call);
		await panelOf('mail');
		const form = raw.ask(formOf({}, [], 'Deploy to production?'), call);
		await formOfServer(editor, 'raw');
		await editor.pending().filter({ hasText: 'MCP 3' }).waitFor();
		expect(await editor.pending().getAttribute('class')).toContain('warning-kind');
		expect(await editor.pending().locator('.codicon-bell-dot:not(.codicon-modifier-spin)').count()).toBe(1);
		const tooltip = await editor.tooltip(editor.pending());
		expect(tooltip).toMatch(
			/raw · URL opened, waiting for completion · requested by tool deploy · (just now|\d+ s ago) · drive/,
		);
		expect(tooltip).toMatch(/raw · waiting for your response · requested by tool deploy · (just now|\d+ s ago)/);
		await editor.screenshot('pending tree');

		await openList();
		const entries = ['drive', 'mail', 'Deploy to production'].map((text) => editor.quickInput.entry(text));
		const [drive, mail, incoming] = entries as [Locator, Locator, Locator];
		expect(await textOf(drive)).toMatch(
			/^raw ?URL opened, waiting for completion · requested by tool deploy · (just now|\d+ s ago) · drive/,
		);
		expect(await textOf(mail)).toMatch(
			/^raw ?waiting for your consent · requested by tool deploy · (just now|\d+ s ago) · mail/,
		);
		expect(await textOf(incoming)).toMatch(
			/^raw ?waiting for your response · requested by tool deploy · (just now|\d+ s ago) ?Deploy/,
		);
		expect(await buttonsOf(drive)).toEqual(['Reopen URL', 'Copy URL', 'Cancel Elicitation']);
		expect(await buttonsOf(mail)).toEqual(['Reopen URL', 'Copy URL', 'Decline Elicitation', 'Cancel Elicitation']);
		expect(await buttonsOf(incoming)).toEqual(['Decline Elicitation', 'Cancel Elicitation']);
		await editor.screenshot('pending list of three');

		await editor.quickInput.pressOnEntry(/Deploy to production/, 'Decline');
		expect((await form.response).result).toEqual({ action: 'decline' });
		await incoming.waitFor({ state: 'detached' });
		await editor.quickInput.pressOnEntry(/drive/, 'Cancel');
		await editor.quickInput.pressOnEntry(/mail/, 'Decline');
		await editor.quickInput.escape();
		await finish(raw, call);
	});

	itByNight('lets no age freeze while it is open, and leaves the chosen entry chosen', async () => {
		const call = await deploy('raw');
		const asked = ['One?', 'Two?'].map((message) => raw.ask(formOf({}, [], message), call));
		await until('two', async () => (await editor.pending().innerText()).includes('MCP 2'));
		expect(await editor.pending().getAttribute('class')).not.toContain('warning-kind');
		await openList();
		const second = editor.quickInput.entry('Two?');
		await editor.page.keyboard.press('ArrowDown');
		const ageOf = async () => /just now|\d+ s ago/.exec(await textOf(second))?.[0];
		const before = await ageOf();
		await until('the age to be written anew', async () => ![undefined, before].includes(await ageOf()));
		const chosen = editor.quickInput.element.locator('.quick-input-list .monaco-list-row.focused');
		expect(await textOf(chosen)).toContain('Two?');
		await editor.quickInput.escape();
		const inTree = async () => /One\? \| deploy · (just now|\d+ s ago)/.exec((await rows()).join('\n'))?.[1];
		const drawn = await until('the entry in the view', inTree);
		await until('the age in the view to be written anew', async () => ![undefined, drawn].includes(await inTree()));
		await editor.closeTabs();
		for (const { response } of asked) {
			expect((await response).result).toEqual({ action: 'cancel' });
		}
		await finish(raw, call);
	});
});

describe('pages that one call requires', () => {
	it('are one group with the state of each, asked one after the other, until the call is retried by itself (U10, U12)', async () => {
		const call = await deploy('raw');
		raw.fail(call, required('mail', 'drive', 'photos'));
		await (await panelOf('mail')).getByText('1 of 3').waitFor();
		expect(await editor.page.getByRole('tab', { name: 'raw: URL' }).count()).toBe(1);
		await until('the group', async () => (await rows())[0] === 'deploy | 0 of 3 URLs done');
		await open('mail');
		await (await panelOf('drive')).getByText('2 of 3').waitFor();
		complete('mail');
		await open('drive');
		await until('the states of all three', async () => {
			const [group, ...entries] = await rows();
			return (
				group === 'deploy | 1 of 3 URLs done' &&
				/^Connect mail \| completed · mail$/.test(entries[0] ?? '') &&
				/^Connect drive \| URL opened, waiting for completion · (just now|\d+ s ago) · drive$/.test(entries[1] ?? '') &&
				/^Connect photos \| (just now|\d+ s ago) · photos$/.test(entries[2] ?? '')
			);
		});
		await editor.screenshot('pending group tree');

		await openList();
		const list = editor.quickInput.element;
		await list.getByText('deploy on raw requires 3 URLs · 1 of 3 done').waitFor();
		const finished = editor.quickInput.entry(/completed · deploy · mail/);
		expect(await buttonsOf(finished)).toEqual([]);
		expect(await buttonsOf(editor.quickInput.entry('opened'))).toEqual([
			'Reopen URL',
			'Copy URL',
			'Retry Now',
			'Cancel Elicitation',
		]);
		await finished.click();
		await editor.screenshot('pending group list');
		await editor.quickInput.pick(/photos/);
		const panel = await editor.frameOf('button', 'Open URL');
		await panel.getByText('One of several requests: 3 of 3.').waitFor();
		await panel.getByRole('button', { name: 'Open URL' }).click();
		await (await editor.externalPage('https://accounts.example.com/photos')).close();

		const before = raw.requests('tools/call').length;
		complete('drive');
		complete('photos');
		const again = await raw.expect('tools/call');
		expect(raw.requests('tools/call')).toHaveLength(before + 1);
		await finish(raw, again);
	});
});

describe('a call in rounds', () => {
	itByNight('shows the elicitations of a round as one group', async () => {
		rounds.answer(await deploy('rounds'), round('Name?', 'Color?'));
		await until('the group', async () => (await rows())[0] === 'deploy | 0 of 2 answered');
		await answerIn(await bringForward('Name?'), 'Decline');
		await answerIn(await bringForward('Color?'), 'Decline');
		const second = await rounds.expect('tools/call');
		rounds.answer(second, round('Size?', 'Weight?', 'Price?'));
		await answerIn(await bringForward('Size?'), 'Accept');
		await until('the group of the second round', async () => {
			const [group, ...entries] = await rows();
			return (
				group === 'deploy | 1 of 3 answered in round 2' &&
				entries[0] === 'Size? | accepted' &&
				/^Weight\? \| (just now|\d+ s ago)$/.test(entries[1] ?? '')
			);
		});
		await answerIn(await bringForward('Weight?'), 'Decline');
		await answerIn(await bringForward('Price?'), 'Decline');
		await finish(rounds, await rounds.expect('tools/call'));
	});

	async function bringForward(message: string) {
		await openList();
		await editor.quickInput.pick(new RegExp(message.replace('?', '\\?')));
		// Forms stand side by side here.
		return until(`a form that says ${message}`, async () => {
			for (const frame of editor.webviews()) {
				const found = frame.getByRole('form', { name: 'rounds', exact: true }).getByText(message, { exact: true });
				if ((await found.count().catch(() => 0)) > 0) {
					return frame;
				}
			}
			return undefined;
		});
	}

	/** Answers the rounds from one number up to another. */
	async function answer(from: number, to: number): Promise<Wire> {
		for (let at = from; at < to; at++) {
			await answerIn(await formOfServer(editor, 'rounds', `Round ${at}`), 'Decline');
			const next = await rounds.expect('tools/call');
			if (at + 1 === to) {
				return next;
			}
			rounds.answer(next, round(`Round ${at + 1}`));
		}
		throw new Error('There was nothing to answer.');
	}

	const UNDECIDED = 'rounds: "deploy" requested input';

	itByNight(
		'waits for the decision of the user after ten rounds wherever it is shown; nothing is decided by a dismissal (R07)',
		async () => {
			rounds.answer(await deploy('rounds'), round('Round 1'));
			rounds.answer(await answer(1, 10), round('Round 10'));
			const roundLimit = await editor.notification(UNDECIDED);
			expect(await roundLimit.message()).toContain(`${UNDECIDED} 10 times without finishing.`);
			expect(await roundLimit.buttons()).toEqual(['Cancel', 'Continue', 'Stop']);
			await editor.statusBar(/rounds · deploy.*waiting for your decision/s);
			await editor.screenshot('halt toast');
			await roundLimit.dismiss();

			expect(await editor.pending().getAttribute('class')).toContain('warning-kind');
			await editor.pending().filter({ hasText: '1' }).waitFor();
			await until('the call in the view', async () =>
				/^deploy \| waiting for your decision · (just now|\d+ s ago)$/.test((await rows())[0] ?? ''),
			);
			await openList();
			const entry = editor.quickInput.entry('without finishing');
			expect(await textOf(entry)).toMatch(/^rounds ?waiting for your decision · deploy · (just now|\d+ s ago)/);
			expect(await buttonsOf(entry)).toEqual(['Continue Call', 'Stop Call']);
			await editor.screenshot('halt list');
			await editor.quickInput.pressOnEntry(/without finishing/, 'Continue Call');
			await editor.quickInput.escape();

			rounds.answer(await answer(10, 20), round('Round 20'));
			await (await editor.notification(`${UNDECIDED} 20 times`)).press('Stop');
			expect(await failureOf(editor, 'rounds')).toContain('The server seems to be in a loop');
			await editor.pending().waitFor({ state: 'hidden' });
		},
	);
});

describe('a server that asks too much', () => {
	const rawServers: RawStdioServer[] = [];
	let flooding: RawStdioServer;
	/** The name of the server, of its own for every test: what it asks counts for a minute. */
	let name: string;

	beforeEach(async () => {
		name = `flooding ${rawServers.length}`;
		flooding = await RawStdioServer.open({ tools: ['deploy'] });
		rawServers.push(flooding);
	});

	afterAll(() => Promise.all(rawServers.map((each) => each.close())));

	/** Calls the tool of the server, which may ask that much. */
	async function deployed(perMinute: number, settings?: object): Promise<Wire> {
		await configure({ [name]: flooding.definition }, perMinute, settings);
		await callTool(editor, { tool: 'deploy' });
		return flooding.expect('tools/call');
	}

	/** Calls the tool in a window that asks in pickers, and has it ask that often at once. */
	async function floodPickers(count: number): Promise<{ readonly call: Wire; readonly ids: readonly string[] }> {
		const call = await deployed(30, {});
		const elicitation = (at: number) => formOf({ name: { type: 'string' } }, ['name'], `Elicitation ${at}`);
		return { call, ids: Array.from({ length: count }, (_, at) => flooding.ask(elicitation(at), call).id) };
	}

	function flood(call: Wire, count: number): string[] {
		return Array.from({ length: count }, (_, at) => flooding.ask(formOf({}, [], `Elicitation ${at}`), call).id);
	}

	/** What each elicitation was answered with, or that it has no answer; fails for one that has two. */
	function answers(ids: readonly string[]): Record<string, number> {
		const counts: Record<string, number> = {};
		for (const id of ids) {
			const responses = flooding.responses(id);
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

	it('Review shows what was held back; what the server sends beyond the rate limit after that is told of again (A01)', async () => {
		const call = await deployed(2);
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
		'a thousand elicitations at once are told of once, with the final numbers; dismissed, they stay held back in the list (A01, fault 11)',
		async () => {
			const call = await deployed(30);
			const ids = flood(call, 1_000);
			const heldRequests = await editor.notification(`${name} exceeded a limit`);
			expect(await heldRequests.message()).toContain(`${name} exceeded a limit: 50 held back, 930 cancelled.`);
			expect(await heldRequests.buttons()).toEqual([
				...['Cancel', 'Review', 'Decline All from This Server', 'Stop Server'],
			]);
			await untilPending(70);
			await untilAnswered(ids, { cancel: 930, none: 70 });
			await editor.screenshot('rate limit toast');
			await heldRequests.dismiss();

			expect(await editor.pending().getAttribute('class')).toContain('warning-kind');
			await editor.unfold('Held back: 50');
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
			await editor.treeItem('Held back: 47');
			await until('one more form', async () => (await forms().count()) === 4);

			expect((await editor.notifications()).filter((text) => text.includes('exceeded'))).toEqual([]);
			await openList();
			await editor.quickInput.pressOnEntry(/47 held back/, 'Decline Held-Back Requests');
			// With them goes what only waits for room: the rest is everything that is not shown.
			await untilAnswered(ids, { decline: 48, cancel: 931 });
			await editor.quickInput.escape();
			// Whatever is closed makes room for the next.
			await until('no request to be pending', async () => {
				await editor.closeTabs();
				return !(await editor.pending().isVisible());
			});
			expect(answers(ids)).toEqual({ decline: 48, cancel: 952 });
			flooding.finish(call, { through: true });
			expect(await structured(editor)).toEqual({ through: true });
		},
	);

	itByNight(
		'three forms of a server open by themselves, the next when one is done; the list opens any of them',
		async () => {
			const call = await deployed(30);
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
			flooding.finish(call, { through: true });
			expect(await structured(editor)).toEqual({ through: true });
		},
	);

	itByNight(
		'Stop Server ends the server that exceeded the rate limit, from the view as from the notification (A01, fault 11)',
		async () => {
			const call = await deployed(2);
			const ids = flood(call, 4);
			await (await editor.notification(`${name} exceeded the rate limit: 2 requests are held back.`)).dismiss();
			const row = await editor.treeItem('Held back: 2');
			await row.hover();
			await row.getByRole('button', { name: 'Stop Server' }).click();
			await flooding.left();
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
			flooding.finish(call, { through: true });
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
			await untilAnswered(ids, { accept: 1 });
			await editor.quickInput.shows('Choose an elicitation');
			await editor.quickInput.escape();
			await editor.quickInput.gone();
			await untilPending(4);

			// The call can be cancelled where its elicitations are listed.
			await editor.chooseFromMenu(/Elicitation 0/, 'Cancel Call');
			await flooding.expect('notifications/cancelled');
			await editor.pending().waitFor({ state: 'hidden' });
			expect(call.method).toBe('tools/call');
		},
	);
});
