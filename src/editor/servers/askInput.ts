import type { Input } from '../../config/inputs.ts';
import type { Receiver } from '../../config/receiver.ts';
import { type NativeText, native, shorten, together } from '../../elicitation/display.ts';
import { showUntilAccepted } from '../common/guardedPicker.ts';
import { localize, localizeNative } from '../common/localize.ts';
import { createInputBox, createQuickPick } from '../common/surfaces.ts';

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
	const elsewhere =
		receiver &&
		localizeNative(
			'What you entered before was for something else. This goes to: {0}',
			shorten(receiver.text, MAX_RECEIVER_LENGTH),
		);
	const prompt = together([describe(input), elsewhere], ' · ');
	return (input.type === 'pickString' ? pick : enter)(server, input, prompt, before);
}

function enter(
	server: string,
	input: Input,
	prompt: NativeText,
	before: string | undefined,
): Promise<string | undefined> {
	const box = createInputBox();
	box.title = titleOf(server, input);
	box.prompt = prompt;
	box.password = input.password;
	box.ignoreFocusOut = true;
	// A password is never shown again.
	box.value = (input.password ? undefined : before) ?? input.default ?? '';
	return showUntilAccepted(box, { accepted: () => box.value });
}

function pick(
	server: string,
	input: Input,
	prompt: NativeText,
	before: string | undefined,
): Promise<string | undefined> {
	const current = before ?? input.default;
	const items = input.options.map(({ label, value }) => ({
		label: native(label),
		description: together(
			[label === value ? undefined : native(value), value === input.default ? localize('default') : undefined],
			' · ',
		),
		value,
	}));
	// The first item is the one that Enter picks.
	items.sort((a, b) => Number(b.value === current) - Number(a.value === current));
	const picker = createQuickPick<(typeof items)[number]>();
	picker.title = titleOf(server, input);
	picker.placeholder = prompt;
	picker.ignoreFocusOut = true;
	picker.items = items;
	return showUntilAccepted(picker, { accepted: () => picker.selectedItems[0]?.value });
}

function titleOf(server: string, { id }: Input): NativeText {
	return native(`${server} · ${id}`, 100);
}

function describe({ id, description }: Input): NativeText {
	return description === undefined ? localizeNative('A value for "{0}"', id) : native(description);
}
