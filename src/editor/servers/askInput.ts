import * as vscode from 'vscode';
import type { Input } from '../../config/inputs.ts';
import type { Receiver } from '../../config/receiver.ts';
import { native, shorten } from '../../elicitation/display.ts';
import { showUntilAccepted } from '../common/guardedPicker.ts';
import { localize, localizeNative } from '../common/localize.ts';

/** Max length shown of a URL or a command line (characters). */
const MAX_RECEIVER_LENGTH = 300;

/**
 * Asks the user for the value of an input; undefined if the user cancelled.
 * @param before the value that is stored
 * @param receiver who gets it, if what was entered before is for somebody else
 */
export function askInput(
	server: string,
	input: Input,
	before: string | undefined,
	receiver: Receiver | undefined,
): Promise<string | undefined> {
	const prompt = receiver
		? `${describe(input)} · ${localizeNative('What you entered before was for something else. This goes to: {0}', shorten(receiver.text, MAX_RECEIVER_LENGTH))}`
		: describe(input);
	return (input.type === 'pickString' ? pick : enter)(server, input, prompt, before);
}

function enter(server: string, input: Input, prompt: string, before: string | undefined): Promise<string | undefined> {
	const box = vscode.window.createInputBox();
	box.title = titleOf(server, input);
	box.prompt = prompt;
	box.password = input.password;
	box.ignoreFocusOut = true;
	// A password is never shown again.
	box.value = (input.password ? undefined : before) ?? input.default ?? '';
	return showUntilAccepted(box, () => box.value);
}

function pick(server: string, input: Input, prompt: string, before: string | undefined): Promise<string | undefined> {
	const current = before ?? input.default;
	const items = input.options.map(({ label, value }) => ({
		label: native(label),
		description: [label === value ? '' : native(value), value === input.default ? localize('default') : '']
			.filter(Boolean)
			.join(' · '),
		value,
	}));
	// The first item is the one that Enter picks.
	items.sort((a, b) => Number(b.value === current) - Number(a.value === current));
	const picker = vscode.window.createQuickPick<(typeof items)[number]>();
	picker.title = titleOf(server, input);
	picker.placeholder = prompt;
	picker.ignoreFocusOut = true;
	picker.items = items;
	return showUntilAccepted(picker, () => picker.selectedItems[0]?.value);
}

function titleOf(server: string, { id }: Input): string {
	return native(`${server} · ${id}`, 100);
}

function describe({ id, description }: Input): string {
	return description === undefined ? localizeNative('A value for "{0}"', id) : native(description);
}
