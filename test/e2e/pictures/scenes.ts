import type { Frame, Locator } from 'playwright-core';
import type { Editor } from '../driver/editor.ts';
import { lookAt } from '../driver/flows.ts';
import { appears, until } from '../driver/waiting.ts';
import type { Words } from './words.ts';

/** What a picture is taken of: a part of the window, and what it says. */
export interface Shown {
	readonly part: Locator;
	/** True for what lies over others, which are not in the picture. */
	readonly above?: boolean;
	/** What the picture ends with, if the window has to be as high as that: a part of the page, and what always stands below it. */
	readonly end?: readonly Locator[];
	/** What is in the picture, as a screen reader has it. */
	readonly content: readonly Locator[];
}

export interface Stage {
	readonly editor: Editor;
	readonly words: Words;
}

/** Takes a picture, which rests for so many milliseconds. The picture that moves begins with the one that is `first`. */
export type Look = (rests: number, place?: 'first') => Promise<void>;

export interface Scene {
	readonly name: string;
	/** True for the picture that moves. */
	readonly moves?: boolean;
	/** Brings to the screen what is shown. `look` is called for every moment of a picture that moves. */
	readonly play: (stage: Stage, look: Look) => Promise<Shown>;
}

const BODY = 'body';
/** How long a moment of the animation rests, in milliseconds. */
const [GLANCE, READ] = [700, 2200];

/** The scenes in the order in which they are played: each may build upon those before. */
export const scenes: readonly Scene[] = [
	{ name: 'tour', play: tour, moves: true },
	{ name: 'form', play: form },
	{ name: 'timeline', play: timeline },
	{ name: 'pickers', play: pickers },
	{ name: 'url', play: url },
	{ name: 'pending', play: pending },
	{ name: 'trials', play: trials },
	{ name: 'task', play: task },
	{ name: 'check', play: check },
	{ name: 'personas', play: personas },
];

/** From an empty window to the result of a call, by the keyboard. */
async function tour({ editor, words }: Stage, look: Look): Promise<Shown> {
	const { page, quickInput } = editor;
	// The palette lists what was there when it opened: the server is only about to be.
	await until('the command in the palette', async (moment) => {
		await page.keyboard.press('F1');
		await quickInput.input.fill(`>${words.command('callTool')}`);
		return (await appears(focused(editor, words.command('callTool')), moment)) || void (await quickInput.escape());
	});
	await look(READ);
	await quickInput.accept();
	await quickInput.shows(words.say('Choose what to call on {0}', 'releases'));
	await focused(editor, words.server.deploy).waitFor();
	await look(READ);
	await quickInput.accept();
	const asked = await formWith(editor, words, words.server.deployAsks);
	await look(READ);
	await asked.getByLabel(words.server.replicas, { exact: true }).pressSequentially('3');
	await look(GLANCE);
	await asked.getByLabel(words.server.mail, { exact: true }).fill('ada@example.com');
	await settled(asked);
	// Where nothing moves, the form is shown.
	await look(READ, 'first');
	await lookAt(asked);
	await asked.getByLabel(words.server.mail, { exact: true }).press('Control+Enter');
	const result = await editor.frameOf('button', words.say('Open as JSON'));
	await result.getByText(words.server.deployed).waitFor();
	await look(READ);
	const shown = await timeline({ editor, words });
	await look(READ);
	return shown;
}

async function form({ editor, words }: Stage): Promise<Shown> {
	await call(editor, words, words.server.deploy);
	const asked = await formWith(editor, words, words.server.deployAsks);
	await asked.getByLabel(words.server.replicas, { exact: true }).fill('30');
	await asked.getByLabel(words.server.replicas, { exact: true }).blur();
	await asked.getByText(words.say('At most {0}.', '12')).first().waitFor();
	return { part: group(editor), content: [asked.locator(BODY)] };
}

async function timeline({ editor, words }: Stage): Promise<Shown> {
	await editor.command(words.command('showTimeline'));
	const lines = await editor.frameOf('tree', words.say('Calls and messages'));
	await lines.getByRole('button', { name: words.say('Expand All') }).click();
	const line = lines.getByRole('treeitem').filter({ hasText: words.server.deployAsks }).last();
	// The oldest one was accepted. A line may move while everything unfolds.
	await until('the details of the elicitation', async (moment) => {
		await line.click();
		return appears(lines.locator('pre').filter({ hasText: '"accept"' }).first(), moment);
	});
	return { part: group(editor), end: [lines.locator('pre').first()], content: [lines.locator(BODY)] };
}

async function pickers({ editor, words }: Stage): Promise<Shown> {
	await call(editor, words, words.server.restart);
	await editor.quickInput.entryNamed(words.server.times[1] ?? '').waitFor();
	const { element } = editor.quickInput;
	return { part: element, above: true, content: [element] };
}

async function url({ editor, words }: Stage): Promise<Shown> {
	await call(editor, words, words.server.approve);
	const panel = await editor.frameOf('region', 'releases');
	await panel.getByText(words.server.approveAsks).waitFor();
	await leave(panel);
	return { part: group(editor), content: [panel.locator(BODY)] };
}

/** Three requests of three calls. */
async function pending({ editor, words }: Stage): Promise<Shown> {
	await call(editor, words, words.server.deploy);
	await formWith(editor, words, words.server.deployAsks);
	await call(editor, words, words.server.restart);
	await formWith(editor, words, words.server.restartAsks);
	await call(editor, words, words.server.approve);
	await (await editor.frameOf('region', 'releases')).getByText(words.server.approveAsks).waitFor();
	await editor.command(words.command('showPending'));
	await editor.quickInput.entry(words.server.approveAsks).waitFor();
	const { element } = editor.quickInput;
	return { part: element, above: true, content: [element] };
}

/** A call that runs as a task, from its first poll to its result. */
async function task({ editor, words }: Stage): Promise<Shown> {
	await editor.command(words.command('clearTimeline'));
	await call(editor, words, words.server.import);
	await editor.quickInput.pick(words.server.fates[1] ?? '');
	await editor.quickInput.pick(words.server.times[0] ?? '');
	const result = await editor.frameOf('button', words.say('Open as JSON'));
	await result.getByText(words.server.imported).waitFor();
	await editor.closeTabs();
	await editor.command(words.command('showTimeline'));
	const lines = await editor.frameOf('tree', words.say('Calls and messages'));
	const line = lines.getByRole('treeitem').filter({ hasText: words.server.importAsks });
	await until('the details of the elicitation', async (moment) => {
		await line.click();
		return appears(lines.locator('pre').filter({ hasText: '"accept"' }).first(), moment);
	});
	await leave(lines);
	// How often it was polled, and in between what, differs from run to run.
	const steady = await lines.getByRole('treeitem').filter({ hasNotText: 'tasks/get' }).all();
	return { part: group(editor), end: [lines.locator('pre').first()], content: [...steady, lines.locator('.details')] };
}

async function trials({ editor, words }: Stage): Promise<Shown> {
	// A result of the scene before may come late, and close the list.
	await until('the tool to be chosen', async (moment) => {
		await editor.command(words.command('runTrial'));
		const { quickInput } = editor;
		return (
			(await quickInput.picks('deploy', words.say('Choose a call'), moment)) &&
			quickInput.picks(words.say('Action matrix'), words.say('Choose a trial'), moment)
		);
	});
	await (await editor.modal()).press(words.say('Run'));
	const table = await editor.frameOf('heading', words.say('Action matrix'));
	await until('all runs but the last', async () => (await table.locator('tr.ended').count()) === 4);
	await table.getByRole('button', { name: words.say('Cancel'), exact: true }).click();
	await until(
		'the runs to end',
		async () => !(await table.getByRole('button', { name: words.say('Cancel'), exact: true }).isVisible()),
	);
	return { part: group(editor), end: [table.locator('table')], content: [table.locator(BODY)] };
}

async function check({ editor }: Stage): Promise<Shown> {
	const { page } = editor;
	await editor.openFile('deploy.json');
	await until('the findings', async () => (await editor.problems()).length > 2);
	// The first finding is marked as soon as the editor knows of its fixes.
	await page.locator('.markers-panel').getByRole('button', { name: 'Show fixes' }).waitFor();
	await page.mouse.move(0, 0);
	return {
		part: page.locator('.monaco-workbench'),
		content: [page.locator('.markers-panel')],
	};
}

/** A request as a client shows it that loses some of it. */
async function personas({ editor, words }: Stage): Promise<Shown> {
	if (await editor.page.locator('.part.panel').isVisible()) {
		await editor.command('View: Toggle Panel Visibility');
	}
	await editor.openFile('rollback.json');
	await editor.choose(words.command('previewForm'), /1\.139/, words.say('Choose how'));
	const preview = await editor.frameOf('heading', 'rollback.json');
	await preview.getByLabel(words.server.version, { exact: true }).fill('v4.1');
	const json = preview.getByRole('textbox', { name: words.say('Response as JSON') });
	await until('what would be sent', async () => (await json.inputValue()).includes('v4.1'));
	// Beside the file, its tab is too narrow for its title.
	const part = editor.page.locator('iframe.webview:visible');
	return { part, end: [json, preview.locator('footer')], content: [preview.locator(BODY)] };
}

/** The entry, once Enter would choose it. */
function focused({ quickInput }: Editor, label: string): Locator {
	return quickInput.element.locator('.monaco-list-row.focused').filter({ hasText: label });
}

async function call(editor: Editor, words: Words, tool: string): Promise<void> {
	await editor.command(words.command('callTool'));
	await editor.quickInput.shows(words.say('Choose what to call on {0}', 'releases'));
	await editor.quickInput.pick(tool);
}

function formWith({ page }: Editor, words: Words, message: string): Promise<Frame> {
	return until('the form', async () => {
		for (const frame of page.frames().slice(1)) {
			const buttons = frame.getByRole('button', { name: words.say('Accept'), exact: true });
			const asking = frame.getByRole('form').filter({ hasText: message, has: buttons });
			if (await asking.isVisible().catch(() => false)) {
				return frame;
			}
		}
		return undefined;
	});
}

/** Takes the focus from what shows it only to those who use the keyboard. */
function leave(frame: Frame): Promise<void> {
	return frame.evaluate(() => (document.activeElement as HTMLElement).blur());
}

/** Nothing is being checked or drawn any more. */
function settled(frame: Frame): Promise<unknown> {
	return frame.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

function group({ page }: Editor): Locator {
	return page.locator('.part.editor .editor-group-container.active');
}
