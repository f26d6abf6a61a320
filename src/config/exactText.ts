import { codePointName, UNSEEN_CLASS } from '../elicitation/display.ts';

/** Invisible characters, leading, trailing and repeated spaces, and text that could be mistaken for an escape. */
const HIDDEN = new RegExp(`(?! )[\\s\\u2800${UNSEEN_CLASS}]|^ | $| (?= )|(?<= ) |‹(?=U\\+)`, 'gu');

/** A run of one escaped character, for example padding. */
const RUN = /‹(U\+[0-9A-F]+)›(?:‹\1›){3,}/g;

/**
 * Formats a text on one line with all invisible characters escaped: `‹U+000A›`, or `‹U+000A ×4›` for a run of four or
 * more. Different texts always look different.
 */
export function exact(text: string): string {
	return text
		.replace(HIDDEN, codePointName)
		.replace(RUN, (run, name: string) => `‹${name} ×${run.length / (name.length + 2)}›`);
}
