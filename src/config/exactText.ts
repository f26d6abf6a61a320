import { codePointName, UNSEEN_CLASS } from '../elicitation/display.ts';

/** What would not be seen: also a space beside another one or at an edge, and what could be taken for something written out. */
const HIDDEN = new RegExp(`(?! )[\\s\\u2800${UNSEEN_CLASS}]|^ | $| (?= )|(?<= ) |‹(?=U\\+)`, 'gu');

/** Many of one character, as padding would be. */
const RUN = /‹(U\+[0-9A-F]+)›(?:‹\1›){3,}/g;

/**
 * A text on one line, with nothing in it unseen: line breaks and hidden characters as `‹U+000A›`, four or more of the same as
 * `‹U+000A ×4›`. Two texts never look the same because of what cannot be seen in them.
 */
export function exact(text: string): string {
	return text
		.replace(HIDDEN, codePointName)
		.replace(RUN, (run, name: string) => `‹${name} ×${run.length / (name.length + 2)}›`);
}
