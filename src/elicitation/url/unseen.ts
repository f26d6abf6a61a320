import { codePointName, UNSEEN_CLASS } from '../display.ts';

/** White space, controls, bidi and zero-width characters, soft hyphens: whatever is not seen or reorders what is. */
export const UNSEEN = new RegExp(`[\\s${UNSEEN_CLASS}]`, 'u');

const ALL_BUT_SPACES = new RegExp(`(?! )${UNSEEN.source}`, 'gu');

/** A piece of a URL on one line: whatever cannot be seen in it, line breaks as well, is written as `‹U+000A›`. */
export function spellOut(text: string): string {
	return text.replace(ALL_BUT_SPACES, codePointName);
}
