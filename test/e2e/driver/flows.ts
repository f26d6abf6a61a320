import type { Frame } from 'playwright-core';
import type { Editor } from './editor.ts';
import { LOOK, until } from './waiting.ts';

export interface ToolCall {
	/** The server; left out where there is only one. */
	readonly server?: string;
	/** The tool as the picker names it: its title, or else its name. */
	readonly tool: string;
	/** What to enter into the form of its arguments: text by the label of the field. */
	readonly args?: Readonly<Record<string, string>>;
	/** What to choose there: option by group. */
	readonly choices?: Readonly<Record<string, string>>;
}

/** Calls a tool by hand, through the palette, and gives it arguments in their form. */
export async function callTool(editor: Editor, { server, tool, args, choices = {} }: ToolCall): Promise<void> {
	await until(`${tool} to be chosen`, async (moment) => {
		await editor.command('MCP Elicitation: Call Tool');
		return (
			(server === undefined || (await editor.quickInput.takes('Choose a server', server, moment))) &&
			editor.quickInput.takes('Choose a tool', tool, moment)
		);
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

/** Has a test server send `elicitation/create` with these params, as they are. */
export function ask(editor: Editor, params: unknown, server?: string): Promise<void> {
	const call = { tool: Array.isArray(params) ? 'ask-many' : 'ask', args: { params: JSON.stringify(params) } };
	return callTool(editor, server === undefined ? call : { ...call, server });
}

/** The params of a form with these properties. */
export function formOf(properties: object, required: readonly string[] = [], message = 'A question'): object {
	return { message, requestedSchema: { type: 'object', properties, required } };
}

/** The form that asks for a tool's arguments. */
export function argumentsForm(editor: Editor): Promise<Frame> {
	return editor.frameOf('button', 'Call');
}

/** The form in which a server asks, by the server's configured name (F01), and by what its message says. */
export function formOfServer(editor: Editor, server: string, saying = ''): Promise<Frame> {
	return until(`a form of ${server} that says "${saying}"`, async () => {
		// Forms may stand side by side.
		for (const frame of editor.page.frames().slice(1)) {
			const named = frame.getByRole('form', { name: server, exact: true });
			const asks = named.filter({ has: frame.getByRole('button', { name: 'Accept', exact: true }) });
			// It may just be going away.
			const texts = await asks.allInnerTexts().catch(() => []);
			if (texts.some((text) => text.includes(saying))) {
				return frame;
			}
		}
		return undefined;
	});
}

/** Looks at a form before any key is pressed in it, as a user does: what is pressed at first does nothing. */
export async function lookAt(form: Frame): Promise<void> {
	await form.evaluate((time) => new Promise((resolve) => setTimeout(resolve, time)), LOOK);
}

/** The panel in which a server asks for consent to a URL, by the server's configured name. */
export function urlPanel(editor: Editor, server = 'sdk1'): Promise<Frame> {
	return editor.frameOf('region', server);
}

/** The texts of the result that is shown, once there is one. */
export async function resultOf(editor: Editor): Promise<string> {
	const { text } = await until('a result', async () => {
		const frame = await editor.frameOf('button', 'Open raw JSON');
		// A result that is being closed may still be found, and be gone a moment later.
		const texts = await frame
			.locator('.block .text')
			.allInnerTexts()
			.catch(() => undefined);
		return texts && { text: texts.join('\n') };
	});
	return text;
}

/** The result of a test server's tool: what it has received, to the letter. */
export async function structured(editor: Editor): Promise<unknown> {
	return JSON.parse(await resultOf(editor));
}

/** Presses a button of the form that is shown. */
export async function answerIn(form: Frame, button: 'Accept' | 'Decline' | 'Cancel'): Promise<void> {
	const element = form.getByRole('button', { name: button, exact: true });
	await until(`the button ${button} to be ready`, () => element.isEnabled());
	await element.click();
}
