import { visible } from '../../elicitation/display.ts';

/** Wraps untrusted text in a Markdown code span that it cannot break out of. */
export function codeSpan(text: string): string {
	const shown = visible(text).replace(/\s+/g, ' ');
	const fence = '`'.repeat(longestRun(shown) + 1);
	return `${fence} ${shown} ${fence}`;
}

/** Wraps untrusted text in a Markdown code block that it cannot break out of. */
export function codeBlock(language: string, text: string): string {
	const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
	return `${fence}${language}\n${visible(text)}\n${fence}`;
}

/** Length of the longest run of backticks. */
function longestRun(text: string): number {
	return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
