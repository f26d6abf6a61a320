import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { NativeText } from '../../elicitation/display.ts';

/**
 * A webview panel with the extension's own script and styles in its HTML. It loads no files, neither local nor remote,
 * and runs no command URIs.
 */
export interface Page {
	readonly panel: vscode.WebviewPanel;
	/** Whether it is the active editor. A panel that opens beside is not, but VS Code reports that only on a change. */
	isActive(): boolean;
}

/** The script of each page. */
const SCRIPTS = {
	form: 'requests.js',
	start: 'requests.js',
	url: 'requests.js',
	result: 'records.js',
	timeline: 'records.js',
	trials: 'records.js',
} as const;

export interface PageOptions {
	readonly name: keyof typeof SCRIPTS;
	readonly title: NativeText;
	/** Open beside the active editor, without taking the focus. */
	readonly background: boolean;
	/** The panel of a custom editor, which VS Code has opened. */
	readonly panel?: vscode.WebviewPanel;
}

const WEBVIEW = { enableScripts: true, enableCommandUris: false, localResourceRoots: [] };

export function createPage(extensionUri: vscode.Uri, options: PageOptions): Page {
	const panel =
		options.panel ??
		vscode.window.createWebviewPanel(
			`mcpElicitation.${options.name}`,
			options.title,
			{ viewColumn: columnOf(options), preserveFocus: options.background },
			WEBVIEW,
		);
	if (options.panel) {
		panel.webview.options = WEBVIEW;
	}
	const read = (file: string) =>
		readFileSync(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', file).fsPath, 'utf8');
	panel.webview.html = html(options.name, read);
	const media = vscode.Uri.joinPath(extensionUri, 'media');
	panel.iconPath = {
		light: vscode.Uri.joinPath(media, 'panel-light.svg'),
		dark: vscode.Uri.joinPath(media, 'panel-dark.svg'),
	};
	let stateKnown = !options.background;
	panel.onDidChangeViewState(() => {
		stateKnown = true;
	});
	return { panel, isActive: () => stateKnown && panel.active };
}

/** A column beside an empty group would be a needless split. */
function columnOf({ background }: PageOptions): vscode.ViewColumn {
	const { Active, Beside } = vscode.ViewColumn;
	return background && vscode.window.tabGroups.activeTabGroup.activeTab ? Beside : Active;
}

/**
 * Script and styles are part of the HTML, because a webview waits longer for a file than for all the rest. Nothing else is:
 * text of servers only arrives in messages. Errors name the script by its file.
 */
function html(name: PageOptions['name'], read: (file: string) => string): string {
	const nonce = randomBytes(16).toString('base64');
	const policy = [
		"default-src 'none'",
		`script-src 'nonce-${nonce}'`,
		`style-src 'nonce-${nonce}'`,
		...(name === 'result' ? ['img-src data:', 'media-src data:'] : []),
		"base-uri 'none'",
		"form-action 'none'",
	].join('; ');
	return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<title>MCP Elicitation</title>
<style nonce="${nonce}">${read('tokens.css')}${read(`${name}.css`)}</style>
</head>
<body>
<main id="app" data-page="${name}"></main>
<script nonce="${nonce}">${read(SCRIPTS[name])}
//# sourceURL=mcp-elicitation/dist/webview/${SCRIPTS[name]}
</script>
</body>
</html>`;
}
