import type { Frame } from 'playwright-core';
import type { Editor } from './editor.ts';
import { LOOK, until } from './waiting.ts';

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

/** Calls a tool from the Command Palette and fills in its arguments form. */
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

/** Makes a test server send `elicitation/create` with exactly these params. */
export function ask(editor: Editor, params: unknown, server?: string): Promise<void> {
	const call = { tool: Array.isArray(params) ? 'ask-many' : 'ask', args: { params: JSON.stringify(params) } };
	return callTool(editor, server === undefined ? call : { ...call, server });
}

/** The params of a form elicitation with these properties. */
export function formOf(properties: object, required: readonly string[] = [], message = 'A question'): object {
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
		for (const frame of editor.page.frames().slice(1)) {
			const named = frame.getByRole('form', { name: server, exact: true });
			const asks = named.filter({ has: frame.getByRole('button', { name: 'Accept', exact: true }) });
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

/** The texts of the visible result, once there is one. */
export async function resultOf(editor: Editor): Promise<string> {
	const { text } = await until('a result', async () => {
		const frame = await editor.frameOf('button', 'Open raw JSON');
		// A result that is closing may still be found.
		const texts = await frame
			.locator('.block .text')
			.allInnerTexts()
			.catch(() => undefined);
		return texts && { text: texts.join('\n') };
	});
	return text;
}

/** The result of a test server's tool: exactly what it has received. */
export async function structured(editor: Editor): Promise<unknown> {
	return JSON.parse(await resultOf(editor));
}

/** Clicks a button of the form. */
export async function answerIn(form: Frame, button: 'Accept' | 'Decline' | 'Cancel'): Promise<void> {
	const element = form.getByRole('button', { name: button, exact: true });
	await until(`the button ${button} to be ready`, () => element.isEnabled());
	await element.click();
}
