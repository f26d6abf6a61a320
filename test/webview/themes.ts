/** What the editor's four default themes make of the tokens that the pages use; transparent or absent where they are. */
const names = [
	'foreground',
	'editor-background',
	'descriptionForeground',
	'errorForeground',
	'focusBorder',
	'contrastBorder',
	'contrastActiveBorder',
	'input-background',
	'input-foreground',
	'input-border',
	'input-placeholderForeground',
	'button-background',
	'button-foreground',
	'button-border',
	'button-secondaryBackground',
	'button-secondaryForeground',
	'dropdown-foreground',
	'dropdown-listBackground',
	'dropdown-border',
	'textLink-foreground',
	'textBlockQuote-border',
	'textCodeBlock-background',
	'panel-border',
	'inputValidation-errorBackground',
	'inputValidation-errorBorder',
	'inputValidation-warningBackground',
	'inputValidation-warningBorder',
	'list-hoverBackground',
	'list-activeSelectionBackground',
	'list-activeSelectionForeground',
	'editorWarning-foreground',
	'list-inactiveSelectionBackground',
	'list-errorForeground',
	'testing-iconPassed',
	'charts-blue',
	'charts-yellow',
	'debugTokenExpression-name',
	'debugTokenExpression-string',
	'textPreformat-foreground',
	'textPreformat-background',
	'textBlockQuote-background',
] as const;

const values = {
	'vscode-dark':
		'#ccc #1f1f1f #9d9d9d #f85149 #0078d4 - - #313131 #ccc #3c3c3c #989898 #0078d4 #fff #ffffff12 #313131 #ccc #ccc #1f1f1f #3c3c3c #4daafc #616161 #2b2b2b #2b2b2b #5a1d1d #be1100 #352a05 #b89500 #2a2d2e #04395e #fff #cca700 #37373d #f88070 #73c991 #59a4f9 #cca700 #c586c0 #ce9178 #d0d0d0 #3c3c3c #2b2b2b',
	'vscode-light':
		'#3b3b3b #fff #3b3b3b #f85149 #005fb8 - - #fff #3b3b3b #cecece #767676 #005fb8 #fff #0000001a #e5e5e5 #3b3b3b #3b3b3b #fff #cecece #005fb8 #e5e5e5 #f8f8f8 #e5e5e5 #f2dede #be1100 #f6f5d2 #b89500 #f2f2f2 #e8e8e8 #000 #bf8803 #e4e6f1 #b01011 #388a34 #1a85ff #bf8803 #9b46b0 #a31515 #3b3b3b #0000001f #f8f8f8',
	'vscode-high-contrast':
		'#fff #000 #ffffffb3 #f48771 #f38518 #6fc3df #f38518 #000 #fff #6fc3df #ffffffb3 - #fff #6fc3df - #fff #fff #000 #6fc3df #21a6ff #fff #000 #6fc3df #000 #6fc3df #000 #6fc3df - - #fff #ffd370 - #f48771 #73c991 #59a4f9 #ffd370 #fff #f48771 #fff - -',
	'vscode-high-contrast-light':
		'#292929 #fff #292929b3 #b5200d #006bbd #0f4a85 #006bbd #fff #292929 #0f4a85 #292929b3 #0f4a85 #fff #0f4a85 #fff #0f4a85 #292929 #fff #0f4a85 #0f4a85 #292929 #f2f2f2 #0f4a85 #fff #0f4a85 #fff #0f4a85 #0f4a851a #0f4a851a #292929 #895503 #0f4a851a #b5200d #007100 #0063d3 #895503 #292929 #b5200d #fff #09345f #f2f2f2',
};

export type Theme = keyof typeof values;
export const themes = Object.keys(values) as Theme[];

/** What the editor puts into every webview, before the styles of the page. */
export const editorStyle = `
code { color: var(--vscode-textPreformat-foreground); background-color: var(--vscode-textPreformat-background); padding: 1px 3px; border-radius: 4px; }
blockquote { background: var(--vscode-textBlockQuote-background); border-color: var(--vscode-textBlockQuote-border); }
`;

/** The tokens as declarations, the way the editor puts them on the root element. */
export function tokensOf(theme: Theme): string {
	const colours = values[theme].split(' ');
	const declared = names.flatMap((name, at) => (colours[at] === '-' ? [] : [`--vscode-${name}: ${colours[at]};`]));
	return `${declared.join(' ')} --vscode-font-family: sans-serif; --vscode-font-size: 13px; --vscode-editor-font-family: monospace; --vscode-editor-font-size: 13px;`;
}
