import { codePointName, INVISIBLE_CLASS } from '../display.ts';

/**
 * White space and invisible or reordering characters, such as controls, bidi and zero-width characters, and soft
 * hyphens.
 */
export const INVISIBLE = new RegExp(`[\\s${INVISIBLE_CLASS}]`, 'u');

/** The letters that plain names of hosts do not have. */
export const FOREIGN = /[^ -~]+/gu;

const ALL_BUT_SPACES = new RegExp(`(?! )${INVISIBLE.source}`, 'gu');

/** Escapes invisible characters of a part of a URL, including line breaks, as `‹U+000A›`. */
export function escapeInvisible(text: string): string {
	return text.replace(ALL_BUT_SPACES, codePointName);
}
