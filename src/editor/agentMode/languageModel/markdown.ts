import { visible } from '../../../elicitation/display.ts';

/** Text that nobody has checked as code within a line of Markdown, which it cannot leave. */
export function codeSpan(text: string): string {
	const shown = visible(text).replace(/\s+/g, ' ');
	const fence = '`'.repeat(longestRun(shown) + 1);
	return `${fence} ${shown} ${fence}`;
}

/** Text that nobody has checked as a block of code, which it cannot leave. */
export function codeBlock(language: string, text: string): string {
	const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
	return `${fence}${language}\n${visible(text)}\n${fence}`;
}

/** How many backticks stand together at most. */
function longestRun(text: string): number {
	return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
