import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KEY_GUARD } from '../../src/elicitation/keyGuard.ts';
import { itByNight, nightly } from '../nightly.ts';
import type { PendingRequest, RawServer, Wire } from '../rawServer/rawServer.ts';
import { RawStdioServer } from '../rawServer/stdio.ts';
import {
	answerIn,
	callTool,
	type Editor,
	formOf,
	formOfServer,
	lookAt,
	openEditor,
	Probe,
	servers,
	structured,
	until,
} from './driver/index.ts';

const NOTES = 'notes.txt';
/** When a key comes after what it is not meant for has appeared (ms): at once, and shortly before it would count. */
const MOMENTS = nightly ? [0, 50, 250] : [0];
/** What comes before this time (ms) is early for sure: a surface counts from before it can be seen. */
const EARLY = KEY_GUARD - 200;
const confirmation = formOf({}, [], 'Deploy to production now?');

let raw: RawServer;
let editor: Editor;
let probe: Probe;

async function open(): Promise<void> {
	raw = await RawStdioServer.open({ tools: ['deploy'] });
	editor = await openEditor({
		beside: ['probe'],
		machineSettings: { ...servers({ raw: raw.definition }), 'mcpElicitation.rateLimit.perMinute': 10_000 },
		files: { [NOTES]: 'Notes: ' },
		settings: {
			'files.autoSave': 'afterDelay',
			'files.autoSaveDelay': 50,
			'workbench.colorTheme': 'Default Dark Modern',
		},
	});
	probe = await Probe.in(editor);
}

async function close(): Promise<void> {
	await editor?.close();
	await raw?.close();
}

beforeAll(open);

afterAll(close);

beforeEach(async ({ onTestFailed }) => {
	// What a failed test leaves open would be in the way of those after it.
	onTestFailed(async () => {
		await close();
		await open();
	});
	await editor.closeTabs();
});

/** The user calls the tool by hand. */
async function deploy(): Promise<Wire> {
	await callTool(editor, { tool: 'deploy' });
	return raw.expect('tools/call');
}

async function finish(call: Wire): Promise<void> {
	raw.finish(call, { through: true });
	expect(await structured(editor)).toEqual({ through: true });
}

const press = (key: string) => editor.page.keyboard.press(key);

/** The exception: a key that comes so soon after something has appeared. */
const passed = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits for a picker of this title. Resolves to when it appeared, which this process may learn late (ms since the epoch). */
async function picker(title: string): Promise<number> {
	const appeared = await editor.page.waitForFunction(
		(text) => {
			const element = document.querySelector<HTMLElement>('.quick-input-title');
			return element?.checkVisibility() && element.innerText === text && Date.now();
		},
		title,
		{ polling: 'raf' },
	);
	return Number(await appeared.jsonValue());
}

async function isUnanswered(elicitation: PendingRequest, call: Wire): Promise<void> {
	await raw.fence(call);
	expect(raw.responses(elicitation.id)).toEqual([]);
}

/** Presses a key so long after a moment, or at once where that has passed; false where this machine was too slow for it to come in the first moments. */
async function pressedEarly(key: string, time: number, since = Date.now()): Promise<boolean> {
	await passed(since + time - Date.now());
	await press(key);
	return Date.now() - since < EARLY;
}

/** Waits for the very moment in which a form has the focus, in its first field; `since` is when it did not have it yet. */
async function focused(saying: string): Promise<{ readonly form: Frame; readonly since: number }> {
	for (let since = Date.now(); ; ) {
		const looked = Date.now();
		for (const form of editor.webviews()) {
			const ready = form.evaluate(
				(text) =>
					document.hasFocus() &&
					document.activeElement?.tagName === 'INPUT' &&
					document.querySelector('#message')?.textContent?.includes(text) === true,
				saying,
			);
			if (await ready.catch(() => false)) {
				return { form, since };
			}
		}
		since = looked;
		await passed(1);
	}
}

const hasFocus = (form: Frame) => form.evaluate(() => document.hasFocus());

/** Opens the text file, and puts the cursor at its end. */
async function openNotes(): Promise<void> {
	await editor.openFile(NOTES);
	await typeThere();
}

/** Goes on writing in the text file. */
async function typeThere(): Promise<void> {
	await editor.page.locator('.view-line').first().click();
	await press('Control+End');
}

const notes = async () =>
	(await editor.page.locator('.view-lines').first().innerText()).replace(/\u00a0/g, ' ').replace(/\n+/g, '|');

describe('a key that was meant for something else', () => {
	it.each(MOMENTS)(
		'settles no confirmation in pickers %i ms after it has appeared, nor does a later Enter',
		async (time) => {
			const call = await deploy();
			const elicitation = raw.ask(confirmation, call);
			await picker('raw · deploy · Review');
			await passed(time);
			await press('Enter');
			await editor.quickInput.look();
			expect(await editor.quickInput.title()).toBe('raw · deploy · Review');
			await editor.screenshot(`keys review dark ${time}`);
			await press('Enter');
			await isUnanswered(elicitation, call);
			await press('ArrowDown');
			await press('Enter');
			expect((await elicitation.response).result).toEqual({ action: 'accept', content: {} });
			await finish(call);
		},
	);

	itByNight('neither discards nor keeps what was entered when Escape is asked back', async () => {
		const call = await deploy();
		const field = 'raw · deploy · Name';
		const elicitation = raw.ask(formOf({ name: { type: 'string', title: 'Name' } }), call);
		await editor.quickInput.shows(field);
		await editor.quickInput.fill('Ada');
		await until('early keys', async () => {
			await editor.quickInput.escape();
			const since = await picker('raw');
			const early = (await pressedEarly('Enter', 0, since)) && (await pressedEarly('Escape', 0, since));
			await editor.quickInput.look();
			if (early) {
				expect(await editor.quickInput.title()).toBe('raw');
				return true;
			}
			// A late key has led back to the field, or leads there now.
			if ((await editor.quickInput.title()) === 'raw') {
				await editor.quickInput.escape();
			}
			await editor.quickInput.shows(field);
			return false;
		});
		await isUnanswered(elicitation, call);
		await editor.quickInput.pick(/Discard/);
		expect((await elicitation.response).result).toEqual({ action: 'cancel' });
		await finish(call);
	});

	it.each(MOMENTS)(
		'settles nothing in a form %i ms after it has appeared; a later Enter only what was changed',
		async (time) => {
			const call = await deploy();
			const elicitation = raw.ask(formOf({ a: { type: 'string' }, b: { type: 'string' } }, [], 'One\nTwo'), call);
			const { form } = await focused('One');
			await passed(time);
			await press('Enter');
			await lookAt(form);
			await press('Enter');
			await isUnanswered(elicitation, call);
			await editor.screenshot(`keys form dark ${time}`);
			await editor.page.keyboard.type('x');
			await press('Enter');
			expect((await elicitation.response).result).toEqual({ action: 'accept', content: { a: 'x' } });
			await finish(call);
		},
	);

	it.each(MOMENTS)('cancels nothing %i ms after it has appeared, where the key is Escape', async (time) => {
		const call = await deploy();
		for (const how of ['pickers', 'form']) {
			const message = how === 'form' ? 'One\nform' : 'Pickers';
			await until(`an early Escape in the ${how}`, async () => {
				const elicitation = raw.ask(formOf({ a: { type: 'string' } }, [], message), call);
				const { form = undefined, since } =
					how === 'form' ? await focused('One') : { since: await picker('raw · deploy · a') };
				const early = await pressedEarly('Escape', time, since);
				await (form ? lookAt(form).catch(() => {}) : editor.quickInput.look());
				if (early) {
					await isUnanswered(elicitation, call);
				}
				if (raw.responses(elicitation.id).length === 0) {
					await (form ? answerIn(form, 'Cancel') : editor.quickInput.escape());
				}
				expect((await elicitation.response).result).toEqual({ action: 'cancel' });
				return early;
			});
		}
		await finish(call);
	});

	it.each(MOMENTS)(
		'chooses no entry of a picker when it is a click %i ms after it has appeared; a later click on the same entry counts',
		async (time) => {
			const call = await deploy();
			const color = { type: 'string', title: 'Color', enum: ['red', 'green'] };
			const field = 'raw · deploy · Color *';
			await until('an early click', async () => {
				const elicitation = raw.ask(formOf({ color }, ['color']), call);
				const since = await picker(field);
				await passed(since + time - Date.now());
				// No wait for an entry that holds still: it may take too long.
				await editor.quickInput.entryNamed('green').click({ force: true });
				const early = Date.now() - since < EARLY;
				await editor.quickInput.look();
				if (early) {
					expect(await editor.quickInput.title()).toBe(field);
				}
				// A click that was late counts, and may take effect only now.
				await until('the response', async (moment) => {
					const isAnswered = raw.responses(elicitation.id).length > 0;
					return isAnswered || (await editor.quickInput.picks('green', field, moment));
				});
				expect((await elicitation.response).result).toEqual({ action: 'accept', content: { color: 'green' } });
				return early;
			});
			await finish(call);
		},
	);

	it('declines only the first of two elicitations in pickers when it is a double click on Decline', async () => {
		const call = await deploy();
		const asked = (name: string) => raw.ask(formOf({ name: { type: 'string' } }, [], name), call);
		const first = asked('One?');
		const second = asked('Two?');
		await editor.quickInput.shows('One?');
		await until('two', async () => (await editor.pending().innerText()).includes('2'));
		await editor.quickInput.press('Decline');
		await editor.quickInput.element.getByText('Two?').first().waitFor();
		await editor.quickInput.element.getByRole('button', { name: 'Decline' }).click({ force: true });
		expect((await first.response).result).toEqual({ action: 'decline' });
		await isUnanswered(second, call);
		await editor.quickInput.escape();
		expect((await second.response).result).toEqual({ action: 'cancel' });
		await finish(call);
	});
});

describe('an elicitation', () => {
	it('opens beside the text file in which the user writes since the call, and gets none of the keys', async () => {
		await openNotes();
		const call = await deploy();
		await typeThere();
		await editor.page.keyboard.type('one');
		await until('the text to be there', async () => (await notes()).endsWith('one'));
		const typed = (await notes()).length;
		await until('extensions to know of it', async () => (await probe.cursor()) === typed);
		const elicitation = raw.ask(confirmation, call);
		await press('Enter');
		await editor.page.keyboard.type('two');
		const form = await formOfServer(editor, 'raw', 'Deploy to production now?');
		await press('Enter');
		await editor.page.keyboard.type('three');
		await until('all of the text', async () => (await notes()).endsWith('one|two|three'));
		expect(await hasFocus(form)).toBe(false);
		expect(await editor.quickInput.element.isVisible()).toBe(false);
		await isUnanswered(elicitation, call);
		await answerIn(form, 'Accept');
		expect((await elicitation.response).result).toEqual({ action: 'accept', content: {} });
		await finish(call);
	});

	itByNight('takes no keystroke that is meant for the form before it', async () => {
		const call = await deploy();
		const first = raw.ask(formOf({ name: { type: 'string' } }, [], 'First\nform'), call);
		const form = await formOfServer(editor, 'raw', 'First');
		const field = form.getByLabel('name', { exact: true });
		await until('the field to have the focus', () =>
			field.evaluate((element) => element === document.activeElement && document.hasFocus()),
		);
		// A text that begins sooner may be meant for something else, and so may the Enter at its end.
		await editor.page.waitForTimeout(2 * KEY_GUARD);
		const text = 'all twenty of them !';
		const second = raw.ask(formOf({ name: { type: 'string' } }, [], 'Second\nform'), call);
		const third = raw.ask(confirmation, call);
		await editor.page.keyboard.type(text, { delay: 50 });
		// The third lies over the second, beside the first.
		await formOfServer(editor, 'raw', 'Deploy to production now?');
		expect(await editor.page.locator('.tabs-container .tab').count()).toBe(3);
		expect(await field.inputValue()).toBe(text);
		expect(await hasFocus(form)).toBe(true);
		await press('Enter');
		expect((await first.response).result).toEqual({ action: 'accept', content: { name: text } });
		await isUnanswered(second, call);
		await editor.closeTabs();
		for (const { response } of [second, third]) {
			expect((await response).result).toEqual({ action: 'cancel' });
		}
		await finish(call);
	});
});

describe('pickers that wait', () => {
	const named = (name: string) => formOf({ name: { type: 'string' } }, [], name);

	itByNight('let the command palette be, and go on with the elicitation that is chosen from the list', async () => {
		const call = await deploy();
		const elicitations = ['One?', 'Two?', 'Three?'].map((name) => raw.ask(named(name), call));
		await editor.quickInput.shows('One?');
		await until('three', async () => (await editor.pending().innerText()).includes('3'));
		await press('F1');
		await editor.notification('raw is still waiting for your response.');
		const entry = editor.quickInput.entryNamed('MCP Elicitation: Show Pending Elicitations');
		expect(await editor.quickInput.input.inputValue()).toBe('>');
		await editor.quickInput.fill('>MCP Elicitation: Show Pending Elicitations');
		await entry.click();
		await editor.quickInput.shows('Choose an elicitation');
		await editor.quickInput.pick(/Three\?/);
		await editor.quickInput.shows('Three?');
		await editor.quickInput.enter('3');
		expect((await elicitations[2]?.response)?.result).toEqual({ action: 'accept', content: { name: '3' } });
		for (const [at, name] of ['One?', 'Two?'].entries()) {
			await editor.quickInput.shows(name);
			await editor.quickInput.escape();
			expect((await elicitations[at]?.response)?.result).toEqual({ action: 'cancel' });
		}
		await finish(call);
	});

	itByNight('do not appear over the form that the one before was continued in', async () => {
		const call = await deploy();
		const [first, second] = [raw.ask(named('One?'), call), raw.ask(named('Two?'), call)];
		await editor.quickInput.shows('One?');
		await until('two', async () => (await editor.pending().innerText()).includes('2'));
		await editor.quickInput.press('Open as Form');
		const form = await formOfServer(editor, 'raw', 'One?');
		await form.getByLabel('name', { exact: true }).fill('Ada');
		expect(await editor.quickInput.element.isVisible()).toBe(false);
		await answerIn(form, 'Accept');
		expect((await first.response).result).toEqual({ action: 'accept', content: { name: 'Ada' } });
		await editor.quickInput.shows('Two?');
		await editor.quickInput.escape();
		expect((await second.response).result).toEqual({ action: 'cancel' });
		await finish(call);
	});
});

/** The same by mouse, and by keyboard at night. */
const byBoth = (name: string, test: (by: 'mouse' | 'keyboard') => Promise<void>) => {
	it(`${name} (mouse)`, () => test('mouse'));
	itByNight(`${name} (keyboard)`, () => test('keyboard'));
};

describe('what a request shows', () => {
	byBoth(
		'ends with it: after Decline All no picker opens that had been in the queue, and nothing stays',
		async (by) => {
			const call = await deploy();
			const asked = Array.from({ length: 6 }, (_, at) =>
				raw.ask(formOf({ a: { type: 'string' } }, [], `Flood ${at}.`), call),
			);
			await editor.quickInput.shows('Choose an elicitation');
			await editor.quickInput.pick(/Flood 3/);
			await editor.quickInput.shows('Flood 3');
			if (by === 'mouse') {
				await editor.pending().click();
				await editor.quickInput.pick(/Decline All from raw/);
			} else {
				await editor.command('MCP Elicitation: Show Pending Elicitations');
				await editor.quickInput.shows('Choose an elicitation');
				await editor.quickInput.enter('Decline All from raw');
			}
			for (const { response } of asked) {
				expect((await response).result).toEqual({ action: 'decline' });
			}
			await editor.pending().waitFor({ state: 'hidden' });
			await finish(call);
			expect(await editor.quickInput.element.isVisible()).toBe(false);
			await until('no notification', async () => (await editor.notifications()).length === 0);
		},
	);

	byBoth('outlives the tab of a form in which something was entered', async (by) => {
		const call = await deploy();
		const elicitation = raw.ask(formOf({ note: { type: 'string' } }, [], 'Book\na table'), call);
		const field = (form: Frame) => form.getByLabel('note', { exact: true });
		await field(await formOfServer(editor, 'raw', 'Book')).fill('by the window');
		if (by === 'mouse') {
			await editor.closeTab('raw');
		} else {
			await press('Control+K');
			await press('Control+W');
		}
		const notice = await editor.notification('What you have entered is kept.');
		await isUnanswered(elicitation, call);
		await editor.screenshot('closed with its draft');
		await notice.press('Reopen');
		const again = await formOfServer(editor, 'raw', 'Book');
		await until('the draft', async () => (await field(again).inputValue()) === 'by the window');
		await notice.gone();
		await answerIn(again, 'Accept');
		expect((await elicitation.response).result).toEqual({ action: 'accept', content: { note: 'by the window' } });
		await finish(call);
	});

	it('takes Ctrl+Enter from a fast typist: it is meant for the form that was typed in', async () => {
		const call = await deploy();
		const elicitation = raw.ask(formOf({ a: { type: 'string' }, b: { type: 'string' } }, [], 'One\nTwo'), call);
		await focused('One');
		await editor.page.keyboard.type('ab');
		await press('Control+Enter');
		expect((await elicitation.response).result).toEqual({ action: 'accept', content: { a: 'ab' } });
		await finish(call);
	});
});

describe('Escape', () => {
	/** What the editor knows: the value of the context key, as its own developer tool tells. */
	async function contextKey(): Promise<unknown> {
		const { page } = editor;
		const told = page.waitForEvent('console', {
			predicate: async (message) => {
				const value = await message
					.args()[0]
					?.jsonValue()
					.catch(() => undefined);
				return typeof value === 'object' && value !== null && 'mcpElicitation.settled' in value;
			},
		});
		await editor.command('Developer: Inspect Context Keys');
		await page.locator('.statusbar').click({ position: { x: 500, y: 10 } });
		const values = (await (await told).args()[0]?.jsonValue()) as Record<string, unknown>;
		return values['mcpElicitation.picker'] ?? false;
	}

	itByNight.each([
		['answered', async () => editor.quickInput.enter('Ada')],
		['continued as a form', async () => editor.quickInput.press('Open as Form')],
		['withdrawn', async (id: string, call: Wire) => raw.notify('notifications/cancelled', { requestId: id }, call)],
		['left for something else', async () => press('F1').then(() => editor.quickInput.escape())],
	] as const)('is the editor’s own again once a picker was %s', async (_what, leave) => {
		const call = await deploy();
		const elicitation = raw.ask(formOf({ name: { type: 'string' } }, [], 'Who?'), call);
		await editor.quickInput.shows('Who?');
		await leave(elicitation.id, call);
		await editor.quickInput.gone();
		expect(await contextKey()).toBe(false);
		raw.finish(call, { through: true });
		await structured(editor);
	});
});
