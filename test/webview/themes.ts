import { readFileSync } from 'node:fs';
import { nightly } from '../nightly.ts';

/** What the editor's four default themes make of the tokens that the pages use; test/e2e/themes.test.ts compares them. */
const values = JSON.parse(readFileSync(new URL('themes.json', import.meta.url), 'utf8')) as Record<
	Theme,
	Readonly<Record<string, string>>
>;

export const themes = ['vscode-dark', 'vscode-light', 'vscode-high-contrast', 'vscode-high-contrast-light'] as const;
export type Theme = (typeof themes)[number];

/** Those that colors are tested in: by day, a dark one and one of high contrast. */
export const testedThemes: readonly Theme[] = nightly ? themes : ['vscode-dark', 'vscode-high-contrast'];

/** What the editor puts into every webview, before the styles of the page. */
export const editorStyle = `
code { color: var(--vscode-textPreformat-foreground); background-color: var(--vscode-textPreformat-background); padding: 1px 3px; border-radius: 4px; }
blockquote { background: var(--vscode-textBlockQuote-background); border-color: var(--vscode-textBlockQuote-border); }
`;

/** The tokens as declarations, the way the editor puts them on the root element. */
export function tokensOf(theme: Theme): string {
	const declared = Object.entries(values[theme]).map(([name, color]) => `--vscode-${name}: ${color};`);
	return `${declared.join(' ')} --vscode-font-family: sans-serif; --vscode-font-size: 13px; --vscode-editor-font-family: monospace; --vscode-editor-font-size: 13px;`;
}
