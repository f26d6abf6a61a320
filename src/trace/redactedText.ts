import { literally } from '../elicitation/display.ts';
import { REDACTED } from './secrets.ts';

/**
 * True if a text may be the one that was redacted. What is redacted may be anything, so the parts between are searched
 * for one after the other: one pattern for all of them could take forever.
 * @param sourceOf regular expression that a part must match
 */
export function fitsRedacted(redacted: string, text: string, sourceOf: (part: string) => string = literally): boolean {
	const parts = redacted.split(REDACTED);
	let rest = text;
	return parts.every((part, index) => {
		const [start, end] = [index === 0 ? '^' : '', index === parts.length - 1 ? '$' : ''];
		const found = new RegExp(`${start}(?:${sourceOf(part)})${end}`).exec(rest);
		rest = rest.slice(found ? found.index + found[0].length : 0);
		return found !== null;
	});
}
