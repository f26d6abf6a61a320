/** White space, controls, bidi and zero-width characters, soft hyphens: whatever is not seen or reorders what is. */
export const UNSEEN = /[\s\p{Cc}\p{Cf}\p{Cs}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

const ALL_BUT_SPACES = new RegExp(`(?! )${UNSEEN.source}`, 'gu');

/** A piece of a URL on one line: whatever cannot be seen in it, line breaks as well, is written as `‹U+000A›`. */
export function spellOut(text: string): string {
	return text.replace(ALL_BUT_SPACES, (character) => {
		const code = character.codePointAt(0) ?? 0;
		return `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
	});
}
