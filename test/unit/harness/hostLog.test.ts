import { expect, it } from 'vitest';
import { faultsOfExtension, plainText } from '../../harness/hostLog.mjs';

// As a real window reports them.
const FAULTS = [
	['error', "Activating extension 'mcp-elicitation.mcp-elicitation' failed: activation went wrong."],
	['error', '[mcp-elicitation.mcp-elicitation]uncaught in timer'],
	[
		'warning',
		'%c[Extension Host] %cstack trace: Error: late\n\tat /x/mcp-elicitation.mcp-elicitation-0.1.0/dist/extension.mjs:1:1088 color: blue color: ',
	],
] as const;
const OTHERS = [
	['log', '%c[Extension Host] %cactive color: blue color: '],
	['error', '[vscode.git]something else'],
	['error', 'Failed to load resource: the server responded with a status of 404 (Not Found)'],
	[
		'warning',
		'%c[Extension Host] %cstack trace: Error\n\tat /x/extensions/copilot/dist/extension.js:1:1 color: blue color: ',
	],
] as const;

const lines = (all: readonly (readonly [string, string])[]) =>
	all.map(([level, text]) => ({ level, text: plainText(text) }));

it.each(FAULTS)('blames the extension for the %s %s', (level, text) => {
	expect(faultsOfExtension(lines([[level, text]]))).toHaveLength(1);
});

it('blames it for nothing else', () => {
	expect(faultsOfExtension(lines(OTHERS))).toEqual([]);
});

it('shows messages without the colors of the console', () => {
	expect(plainText('%c[Extension Host] %cactive color: blue color: ')).toBe('[Extension Host] active');
});
