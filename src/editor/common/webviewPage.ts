import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/**
 * A webview panel that loads only the extension's own script and styles: no inline code, no remote resources, no
 * command URIs.
 */
export interface Page {
	readonly panel: vscode.WebviewPanel;
	/** Whether it is the active editor. A panel that opens beside is not, but VS Code reports that only on a change. */
	isActive(): boolean;
}

export interface PageOptions {
	readonly name: 'form' | 'result' | 'start' | 'timeline' | 'trials' | 'url';
	readonly title: string;
	/** Open beside the active editor, without taking the focus. */
	readonly background: boolean;
}

export function createPage(extensionUri: vscode.Uri, options: PageOptions): Page {
	const root = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
	const panel = vscode.window.createWebviewPanel(
		`mcpElicitation.${options.name}`,
		options.title,
		{ viewColumn: columnOf(options), preserveFocus: options.background },
		{ enableScripts: true, enableCommandUris: false, localResourceRoots: [root] },
	);
	const media = vscode.Uri.joinPath(extensionUri, 'media');
	panel.iconPath = {
		light: vscode.Uri.joinPath(media, 'panel-light.svg'),
		dark: vscode.Uri.joinPath(media, 'panel-dark.svg'),
	};
	const uriOf = (file: string) => String(panel.webview.asWebviewUri(vscode.Uri.joinPath(root, file)));
	panel.webview.html = html(uriOf, options.name);
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

function html(uriOf: (file: string) => string, name: PageOptions['name']): string {
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
<link rel="stylesheet" nonce="${nonce}" href="${uriOf('tokens.css')}">
<link rel="stylesheet" nonce="${nonce}" href="${uriOf(`${name}.css`)}">
<title>MCP Elicitation</title>
</head>
<body>
<main id="app" data-page="${name}"></main>
<script nonce="${nonce}" src="${uriOf('pages.js')}"></script>
</body>
</html>`;
}
