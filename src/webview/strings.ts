import { english } from '../elicitation/sentence.ts';

/**
 * Every string that the webviews say. The host translates them and sends the translations with `show`; English is the
 * key and the fallback.
 */
export const webviewStrings = [
	// Header
	'asked by tool {0}',
	'asked by one of the tools {0}',
	'asked by the server itself',
	'{0} s ago',
	'{0} min ago',
	'{0} h ago',
	'{0} on {1}',
	'calls itself {0}',
	// Fields
	'(no name)',
	'Required.',
	'Yes',
	'No',
	'No answer',
	'Empty (null)',
	'Show',
	'Hide',
	'Type as text',
	'Use the picker',
	'Sent as {0}',
	'Offset from UTC',
	'The clock shows this time twice on that day. Check the offset.',
	'The clock skips this time on that day. Check the offset.',
	'This entry is incomplete.',
	'Choose one of the options.',
	'Search',
	'Search {0}',
	'No option matches.',
	'1 selected',
	'{0} selected',
	'Clear the answer',
	'Add entry',
	'Entry {0}',
	'Remove entry {0}',
	// Constraints
	'At least 1 character.',
	'At least {0} characters.',
	'At most 1 character.',
	'At most {0} characters.',
	'Exactly 1 character.',
	'Exactly {0} characters.',
	'{0} to {1} characters.',
	'Must match {0}',
	'An email address.',
	'A full URL, such as https://example.com.',
	'Format: {0}.',
	'{0} to {1}.',
	'Exactly {0}.',
	'At least {0}.',
	'At most {0}.',
	'More than {0}.',
	'Less than {0}.',
	'A multiple of {0}.',
	'Whole number.',
	'Choose {0} to {1}.',
	'Choose exactly {0}.',
	'Choose at least {0}.',
	'Choose at most {0}.',
	'{0} to {1} entries.',
	'Exactly {0} entries.',
	'At least {0} entries.',
	'At least 1 entry.',
	'At most {0} entries.',
	'At most 1 entry.',
	'Numbers only.',
	'Whole numbers only.',
	'JSON.',
	// Footer
	'Answer as JSON',
	'1 finding',
	'{0} findings',
	'Accept',
	'Decline',
	'Cancel',
	'Call',
	'Sent to {0} only',
	'Sending …',
	'Discard what you entered?',
	'Discard',
	'Keep editing',
	'Nothing was sent.',
	// Result
	'The tool reported an error.',
	'The tool finished.',
	'The result is empty.',
	'server {0} · you {1}',
	'server {0}',
	'{0} ms',
	'{0} s',
	'{0} min {1} s',
	'Open raw JSON',
	'Image, {0}',
	'Sound, {0}',
	'This image cannot be shown ({0}).',
	'This sound cannot be played ({0}).',
	'Link to a resource',
	'Embedded resource',
	'{0} bytes of binary data, not shown.',
	'Structured content',
	'Unknown kind of content',
	'Not shown: {0} more. The raw JSON has all of it.',
	'Nested too deeply to be shown. The raw JSON has all of it.',
] as const;

export type WebviewString = (typeof webviewStrings)[number];

/** Translates one of the strings above and fills in its arguments. */
export type T = (text: WebviewString, ...args: (string | number)[]) => string;

export function translator(strings: Readonly<Record<string, string>>): T {
	return (text, ...args) => {
		const translated: unknown = Object.hasOwn(strings, text) ? strings[text] : undefined;
		return english(typeof translated === 'string' ? translated : text, ...args);
	};
}
