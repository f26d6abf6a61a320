import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import {
	answerIn,
	type Definition,
	type Editor,
	formOf,
	formOfServer,
	overHttp,
	type Probe,
	program,
	until,
	urlPanel,
} from '../driver/index.ts';

/** A window in which surfaces are opened and closed. */
export interface CycleContext {
	readonly editor: Editor;
	readonly probe: Probe;
}

/** Opens a surface, checks that it is visible, and closes it. Cycles of a surface are numbered. */
export type Cycle = (world: CycleContext, number: number) => Promise<void>;

/** Both protocol eras over both transports. */
export async function definitions(): Promise<Record<string, Definition>> {
	const [remote1, remote2] = await Promise.all([overHttp('sdk1'), overHttp('sdk2')]);
	return { sdk1: program('sdk1'), sdk2: program('sdk2'), remote1, remote2 };
}

const SERVERS = ['sdk1', 'sdk2', 'remote1', 'remote2'] as const;

/** More fields than the quick picks support. */
const fields = {
	name: { type: 'string' },
	size: { type: 'string', enum: ['S', 'M'] },
	count: { type: 'integer' },
	gift: { type: 'boolean' },
};

/** The file to preview. */
const REQUEST = 'request.json';

export const files = { [REQUEST]: JSON.stringify(formOf(fields)) };

/** The ways to end a form. */
const ends: readonly ((world: CycleContext, form: Frame) => Promise<unknown>)[] = [
	(_world, form) => answerIn(form, 'Accept'),
	(_world, form) => answerIn(form, 'Decline'),
	(world) => closeTab(world),
	async (world, form) => {
		await world.probe.run('mcpElicitation.cancelCall');
		await until('the form to say that it is over', () => form.getByRole('button', { name: 'Accept' }).isDisabled());
		await closeTab(world);
	},
];

async function formPanel(world: CycleContext, number: number): Promise<void> {
	const server = oneOf(SERVERS, number);
	const message = `Form ${number}.`;
	const called = call(world, server, 'ask', { params: formOf(fields, [], message) });
	// Shifted by one each time all servers had a turn, so that every server gets every ending.
	const end = oneOf(ends, number + Math.floor(number / SERVERS.length));
	await end(world, await formOfServer(world.editor, server, message));
	await called;
	await noTab(world);
}

async function pickers(world: CycleContext, number: number): Promise<void> {
	const { quickInput } = world.editor;
	const message = `Pickers ${number}.`;
	const called = call(world, oneOf(SERVERS, number), 'ask', {
		params: formOf({ name: { type: 'string' } }, [], message),
	});
	await quickInput.shows(message);
	if (number % 2 === 0) {
		await quickInput.escape();
	} else {
		await quickInput.enter('Ada');
	}
	await called;
	await quickInput.gone();
}

/** A URL elicitation in a notification is counted in the status bar and listed as pending. */
async function consent(world: CycleContext, number: number): Promise<void> {
	const { editor, probe } = world;
	const message = `Consent ${number}.`;
	const called = call(world, oneOf(SERVERS, number), 'url', { url: 'https://login.example.com/', message });
	await editor.pending().waitFor();
	const listed = outcome(probe.run('mcpElicitation.showPending'));
	await editor.quickInput.shows('Pending Elicitations');
	await editor.quickInput.escape();
	await listed;
	// If there are many notifications in a short time, the later ones appear in the notification center only.
	await probe.run('notifications.showList');
	const notification = await editor.notification(message);
	await (number % 2 === 0 ? notification.press('Decline') : notification.dismiss());
	await called;
	await notification.gone();
	await probe.run('notifications.hideList');
	await editor.pending().waitFor({ state: 'detached' });
}

async function consentPanel(world: CycleContext, number: number): Promise<void> {
	const server = oneOf(SERVERS, number);
	const called = call(world, server, 'url', { url: 'https://xn--80ak6aa92e.com/', message: `Panel ${number}.` });
	const panel = await urlPanel(world.editor, server);
	await panel.getByText(`Panel ${number}.`).waitFor();
	await (number % 2 === 0 ? panel.getByRole('button', { name: 'Decline' }).click() : closeTab(world));
	await called;
	await noTab(world);
}

async function timeline(world: CycleContext): Promise<void> {
	await world.probe.run('mcpElicitation.showTimeline');
	await world.editor.frameOf('treeitem');
	await closeTab(world);
}

async function timelineView({ editor, probe }: CycleContext): Promise<void> {
	await probe.run('mcpElicitation.timeline.focus');
	await editor.treeItem(/sdk1/);
	await probe.run('workbench.action.toggleSidebarVisibility');
}

async function result(world: CycleContext): Promise<void> {
	await world.probe.run('mcpElicitation.callTool', 'sdk1', 'mixed-content');
	await world.editor.frameOf('button', 'Open as JSON');
	await closeTab(world);
}

async function argumentsForm(world: CycleContext): Promise<void> {
	const called = outcome(world.probe.run('mcpElicitation.callTool', 'sdk1', 'progress'));
	await world.editor.frameOf('button', 'Call');
	await closeTab(world);
	await called;
}

async function preview(world: CycleContext): Promise<void> {
	await world.probe.open(join(world.editor.workspace, REQUEST));
	const previewed = outcome(world.probe.run('mcpElicitation.previewForm'));
	await world.editor.quickInput.shows('Choose how');
	await world.editor.quickInput.accept();
	await world.editor.frameOf('form');
	// The preview is beside the text, which stays active. It is closed first: VS Code keeps a closed group in the extension
	// host for as long as a group exists that was opened beside it (`$acceptEditorTabModel` of its tabs, as of 1.139).
	await closeTab(world, 'workbench.action.closeEditorsInOtherGroups');
	await closeTab(world);
	await previewed;
}

/** The action matrix; closing it stops the trials. */
async function trials(world: CycleContext): Promise<void> {
	const { quickInput } = world.editor;
	const ran = outcome(world.probe.run('mcpElicitation.runTrial'));
	await quickInput.shows('Choose a call');
	await quickInput.accept();
	await quickInput.shows('Choose a trial');
	await quickInput.accept();
	await (await world.editor.modal()).press('Run');
	await world.editor.frameOf('heading', 'Action matrix');
	await closeTab(world);
	await ran;
}

async function server({ probe }: CycleContext, number: number): Promise<void> {
	const name = oneOf(SERVERS, number);
	await probe.run('mcpElicitation.restartServer', name);
}

async function languageModel(world: CycleContext): Promise<void> {
	await world.probe.useTool('mcpElicitation_listTools', {});
}

interface Surface {
	readonly cycle: Cycle;
	/** Cycles per round of `weighted`. Quick surfaces run more often. */
	readonly times: number;
}

/** Surfaces by name. */
const surfaces: Readonly<Record<string, Surface>> = {
	'form panel': { cycle: formPanel, times: 1 },
	pickers: { cycle: pickers, times: 1 },
	'URL notification, pending list, status bar': { cycle: consent, times: 1 },
	'URL panel': { cycle: consentPanel, times: 1 },
	'timeline editor': { cycle: timeline, times: 1 },
	'timeline view': { cycle: timelineView, times: 2 },
	'result tab': { cycle: result, times: 1 },
	'arguments form': { cycle: argumentsForm, times: 1 },
	'schema preview': { cycle: preview, times: 1 },
	'trials tab': { cycle: trials, times: 1 },
	'server, over stdio and HTTP': { cycle: server, times: SERVERS.length },
	'tools of language models': { cycle: languageModel, times: 10 },
};

/** Cycles per round, by surface. */
export type Round = Readonly<Record<string, number>>;

/** Many cycles in a short time. */
export const weighted: Round = Object.fromEntries(Object.entries(surfaces).map(([name, { times }]) => [name, times]));

/** One cycle of each surface. */
export const evenly: Round = Object.fromEntries(Object.keys(surfaces).map((name) => [name, 1]));

/** Runs one round. Rounds of a window are numbered. */
export async function perform(world: CycleContext, round: Round, number: number): Promise<void> {
	for (const [name, times] of Object.entries(round)) {
		for (let time = 0; time < times; time++) {
			await surfaces[name]?.cycle(world, number * times + time).catch((cause) => {
				throw new Error(`Round ${number} failed with ${name}: ${cause instanceof Error ? cause.message : cause}`, {
					cause,
				});
			});
		}
	}
}

function oneOf<T>(all: readonly T[], number: number): T {
	return all[number % all.length] as T;
}

/** Calls a tool. The cycle ends with any outcome. */
function call({ probe }: CycleContext, server: string, tool: string, args: object): Promise<unknown> {
	return outcome(probe.run('mcpElicitation.callTool', server, tool, args));
}

/** Handles promises that may reject before they are awaited. */
export function outcome(promise: Promise<unknown>): Promise<unknown> {
	return promise.catch((error) => error);
}

/** Closes a tab: the active one, unless the command closes another. */
async function closeTab(world: CycleContext, command = 'workbench.action.closeActiveEditor'): Promise<void> {
	const tabs = world.editor.page.locator('.tabs-container .tab');
	const before = await tabs.count();
	await world.probe.run(command);
	await until('the tab to be closed', async () => (await tabs.count()) < before);
}

async function noTab({ editor }: CycleContext): Promise<void> {
	await editor.page.locator('.tabs-container .tab').first().waitFor({ state: 'detached' });
}
