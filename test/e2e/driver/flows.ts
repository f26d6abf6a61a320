import type { Frame } from 'playwright-core';
import { CALL_TOOL, type Editor } from './editor.ts';
import { appears, clicks, LOOK, succeeds, until } from './waiting.ts';
import type { Text } from './workbenchElements.ts';

export interface ToolCall {
	/** The server; omitted if there is only one. */
	readonly server?: string;
	/** The tool's label in the picker: its title, or else its name. */
	readonly tool: string;
	/** Text for the arguments form, by field label. */
	readonly args?: Readonly<Record<string, string>>;
	/** Options to select in the arguments form, by group. */
	readonly choices?: Readonly<Record<string, string>>;
}

/** Calls a tool by hand, from the list of tools, and fills in its arguments form. */
export async function callTool(editor: Editor, { server, tool, args, choices = {} }: ToolCall): Promise<void> {
	await until(`${tool} to be chosen`, async (moment) => {
		await editor.page.keyboard.press(CALL_TOOL.keys);
		// The extension may have to start before. If the key were pressed again meanwhile, the list would close for another one.
		if (!(await appears(editor.quickInput.element, 8 * moment))) {
			return false;
		}
		return server === undefined
			? editor.quickInput.takes('Choose what to call', tool, moment)
			: takesTool(editor, server, tool, moment);
	});
	if (args !== undefined) {
		const form = await argumentsForm(editor);
		for (const [label, text] of Object.entries(args)) {
			await form.getByLabel(label, { exact: true }).fill(text);
		}
		for (const [group, label] of Object.entries(choices)) {
			await form.getByRole('group', { name: group, exact: true }).getByLabel(label, { exact: true }).check();
		}
		await form.getByRole('button', { name: 'Call', exact: true }).click();
	}
}

/** Picks a tool of a server, which is chosen or started before if it does not run. */
async function takesTool({ quickInput }: Editor, server: string, tool: string, moment: number): Promise<boolean> {
	const { element, input } = quickInput;
	await quickInput.shows(/Choose (a server|what to call)/);
	if ((await input.getAttribute('placeholder')) === 'Choose a server') {
		return (
			(await quickInput.takes('Choose a server', server, moment)) &&
			quickInput.takes(`Choose what to call on ${server}`, tool, moment)
		);
	}
	if (!(await succeeds(input.fill(`Start ${server}`, { timeout: moment })))) {
		return false;
	}
	// By the label for screen readers: the part of a label that matches the filter is an element of its own.
	const option = (start: string) => {
		const escaped = start.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
		return element.getByRole('option', { name: new RegExp(`^${escaped}(?=,|$| · )`) }).first();
	};
	const start = option(`Start ${server}`);
	if (await appears(start, 300)) {
		return (await clicks(start, moment)) && quickInput.takes(`Choose what to call on ${server}`, tool, moment);
	}
	return (await succeeds(input.fill(tool, { timeout: moment }))) && clicks(option(`${tool}, ${server}`), moment);
}

/** Makes a test server send `elicitation/create` with exactly these params. */
export function ask(editor: Editor, params: unknown, server?: string): Promise<void> {
	const call = { tool: Array.isArray(params) ? 'ask-many' : 'ask', args: { params: JSON.stringify(params) } };
	return callTool(editor, server === undefined ? call : { ...call, server });
}

/** The params of a form elicitation with these properties. */
export function formOf(properties: object, required: readonly string[] = [], message = 'An elicitation'): object {
	return { message, requestedSchema: { type: 'object', properties, required } };
}

/** The arguments form of a tool. */
export function argumentsForm(editor: Editor): Promise<Frame> {
	return editor.frameOf('button', 'Call');
}

/** The form of an elicitation, by the configured name of its server (F01) and part of its message. */
export function formOfServer(editor: Editor, server: string, saying = ''): Promise<Frame> {
	return until(`a form of ${server} that says "${saying}"`, async () => {
		// Several forms may be visible.
		for (const frame of editor.webviews()) {
			const named = frame.getByRole('form', { name: server, exact: true });
			const asks = named.filter({ has: frame.getByRole('button', { name: /^(Accept|Check Response)$/ }) });
			// The frame may be detached meanwhile.
			const texts = await asks.allInnerTexts().catch(() => []);
			if (texts.some((text) => text.includes(saying))) {
				return frame;
			}
		}
		return undefined;
	});
}

/** Waits before typing, because a form ignores input right after it appears. */
export async function lookAt(form: Frame): Promise<void> {
	await form.evaluate((time) => new Promise((resolve) => setTimeout(resolve, time)), LOOK);
}

/** The consent panel of a URL elicitation, by the configured name of its server. */
export function urlPanel(editor: Editor, server = 'sdk1'): Promise<Frame> {
	return editor.frameOf('region', server);
}

/** Presses a button of the panel that asks for consent to a URL, by part of its text. */
export async function consentTo(
	editor: Editor,
	saying: string,
	button: 'Open URL' | 'Copy URL' | 'Decline',
): Promise<void> {
	const panel = await until(`a URL panel that says ${saying}`, () => urlPanelSaying(editor, saying));
	await panel.getByRole('button', { name: button, exact: true }).click();
}

/** The page that asks for consent to a URL, if there is one yet. */
export async function urlPanelSaying(editor: Editor, saying: string): Promise<Frame | undefined> {
	for (const frame of editor.webviews()) {
		const page = frame.locator('[data-page="url"]', { hasText: saying });
		// The frame may be detached meanwhile, and what is over takes no consent.
		const ready = await page
			.getByRole('button', { name: 'Copy URL' })
			.isEnabled({ timeout: 200 })
			.catch(() => false);
		if (ready) {
			return frame;
		}
	}
	return undefined;
}

/** The texts of the visible result, once there is one that contains this: the result of an earlier call may still be visible. */
export async function resultOf(editor: Editor, saying = ''): Promise<string> {
	const { text } = await until(`a result that says "${saying}"`, async () => {
		const frame = await editor.frameOf('button', 'Open as JSON');
		// A result that is closing may still be found.
		const text = await textIn(frame).catch(() => undefined);
		return text?.includes(saying) && { text };
	});
	return text;
}

/** The texts of a result. Those that it shows as trees are unfolded, and given as JSON. */
export function textIn(frame: Frame): Promise<string> {
	return frame.evaluate(async () => {
		const folded = () => [...document.querySelectorAll<HTMLDetailsElement>('.block details:not([open])')];
		for (let next = folded(); next.length > 0; next = folded()) {
			for (const each of next) {
				each.open = true;
			}
			await new Promise((resolve) => setTimeout(resolve));
		}
		const read = (node: Element | null): unknown => {
			const shown = node?.querySelector(':scope > code')?.textContent;
			const note = node?.querySelector(':scope > summary > .note')?.textContent ?? node?.textContent ?? '';
			if (typeof shown === 'string') {
				return JSON.parse(shown);
			}
			const members = [...(node?.querySelectorAll(':scope > .children > *') ?? [])].map((member) => [
				member.querySelector(':scope > .name, :scope > summary > .name')?.textContent ?? '',
				read(member),
			]);
			const value = note.endsWith(']') ? members.map(([, item]) => item) : Object.fromEntries(members);
			return /^[[{]/.test(note) || members.length === 0 ? value : JSON.stringify(value);
		};
		const blocks = [...document.querySelectorAll('.block')];
		// Structured content is no text, unless it stands for both.
		const texts = blocks.filter((block) => blocks.length === 1 || !block.querySelector(':scope > h2:not(.note)'));
		return texts
			.flatMap((block) => [...block.querySelectorAll<HTMLElement>('.text, .tree')])
			.map((each) => (each.matches('.tree') ? JSON.stringify(read(each.firstElementChild)) : each.innerText))
			.join('\n');
	});
}

/** The result of a test server's tool: exactly what it has received. */
export async function structured(editor: Editor): Promise<unknown> {
	return JSON.parse(await resultOf(editor));
}

/** Why a call of that server has failed, as its panel tells it: `server: what happened and what to do`. */
export function failureOf(editor: Editor, server: string): Promise<string> {
	return until(`a failed call of ${server}`, async () => {
		for (const frame of editor.webviews()) {
			const page = frame.locator('main', { has: frame.getByText('The call failed.', { exact: true }) });
			// The frame may be detached meanwhile.
			const [title, texts] = await Promise.all([
				page.locator('h1').allInnerTexts(),
				page.locator('.body > .text').allInnerTexts(),
			]).catch(() => [[], []]);
			if (title[0]?.endsWith(` on ${server}`)) {
				return `${server}: ${texts.join(' ')}`;
			}
		}
		return undefined;
	});
}

/** Clicks a button of the form. */
export async function answerIn(form: Frame, button: 'Accept' | 'Check Response' | 'Decline' | 'Cancel'): Promise<void> {
	const element = form.getByRole('button', { name: button, exact: true });
	await until(`the button ${button} to be ready`, () => element.isEnabled());
	// The tooltip of what the mouse was left on may cover the button.
	await form.page().mouse.move(0, 0);
	await element.click();
}

/** Runs an action of the timeline's selected line: its button, or one of its menu. */
export async function actOnLine(timeline: Frame, action: string): Promise<void> {
	const button = timeline.locator('.head').getByRole('button', { name: action, exact: true });
	const item = timeline.getByRole('menuitem', { name: action, exact: true });
	await until(`the action ${action}`, async (moment) => {
		if (await button.isVisible()) {
			// A click is ignored right after the details of another line were there.
			await lookAt(timeline);
			return clicks(button, moment);
		}
		// The details of another line may take the place of the menu.
		const isOpen =
			(await item.isVisible()) || (await clicks(timeline.getByRole('button', { name: 'More Actions…' }), moment));
		return isOpen && clicks(item, moment);
	});
}

/**
 * Runs a trial of a call.
 * @param call part of the call's entry, if there are several
 */
export async function runTrial(editor: Editor, call: Text, trial: string): Promise<void> {
	const { quickInput } = editor;
	await until(`${trial} to be chosen`, async (moment) => {
		await editor.command('MCP Elicitation: Run Trial…');
		await quickInput.shows(/Choose (a call|a trial)/);
		const several = (await quickInput.input.getAttribute('placeholder')) === 'Choose a call';
		if (several && !(await quickInput.picks(call, 'Choose a call', moment))) {
			return false;
		}
		return quickInput.picks(trial, 'Choose', moment);
	});
}

/** Runs a command on a line of the timeline's panel, which is opened for it. */
export async function actInTimeline(editor: Editor, line: RegExp, action: string): Promise<void> {
	await editor.command('MCP Elicitation: Show Timeline');
	const timeline = await editor.frameOf('tree', 'Calls and messages');
	await timeline.getByRole('treeitem').filter({ hasText: line }).last().click();
	await actOnLine(timeline, action);
}
