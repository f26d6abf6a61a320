import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { NativeText } from '../../elicitation/display.ts';
import { isMessage, type Message, type Messages } from '../../protocol.ts';
import { localize } from './localize.ts';
import { showError } from './notifications.ts';

/** The script of each page. */
const SCRIPTS = {
	form: 'requests',
	start: 'requests',
	url: 'requests',
	result: 'records',
	timeline: 'records',
	trials: 'records',
} as const;

export interface PageOptions<From extends Messages> {
	readonly name: keyof typeof SCRIPTS;
	readonly title: NativeText;
	/** Open without taking the focus, nor the place of the active editor. */
	readonly background: boolean;
	/** The group of editors to open in, if there still is one; otherwise the active one. */
	readonly column?: vscode.ViewColumn | undefined;
	/** What the page may send. */
	readonly messages: From;
	/** The panel of a custom editor, which VS Code has opened. */
	readonly panel?: vscode.WebviewPanel;
}

/** What stands in a page, and what comes of it. */
export interface PageContent<From extends Messages> {
	/** Posts all that the page has to know: once it has loaded, which it does again whenever it was hidden. */
	show(): void;
	/** Takes a valid message of the page. If it fails, the user is told. */
	receive(message: Message<From>): unknown;
	/** The page was closed, by the user or by its owner. Called once. */
	closed?(): void;
}

const WEBVIEW = { enableScripts: true, enableCommandUris: false, localResourceRoots: [] };

/**
 * A webview panel with the extension's own script and styles in its HTML. It loads no files, neither local nor remote,
 * and runs no command URIs. What its page sends is checked; after it was closed, nothing is sent to it.
 */
export class Page<To, From extends Messages> implements vscode.Disposable {
	readonly #panel: vscode.WebviewPanel;
	readonly #disposables: vscode.Disposable[];
	#content: PageContent<From> | undefined;
	/** VS Code reports which panel is active only on a change. One that opens in the background is not. */
	#isStateKnown: boolean;
	#isLoaded = false;
	/** What the page shows was posted before it has loaded: VS Code keeps it until then, which saves a round trip. */
	#isQueued = false;
	#isClosed = false;

	constructor(
		extensionUri: vscode.Uri,
		private readonly options: PageOptions<From>,
	) {
		const { name, title, background, column } = options;
		const panel =
			options.panel ??
			vscode.window.createWebviewPanel(
				`mcpElicitation.${name}`,
				title,
				{ viewColumn: columnOf(background, column), preserveFocus: background },
				WEBVIEW,
			);
		if (options.panel) {
			panel.webview.options = WEBVIEW;
		}
		this.#panel = panel;
		this.#isStateKnown = !background;
		const media = vscode.Uri.joinPath(extensionUri, 'media');
		panel.iconPath = {
			light: vscode.Uri.joinPath(media, 'panel-light.svg'),
			dark: vscode.Uri.joinPath(media, 'panel-dark.svg'),
		};
		this.#disposables = [
			panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(message)),
			panel.onDidDispose(() => this.release()),
			panel.onDidChangeViewState(() => {
				this.#isStateKnown = true;
				// VS Code may drop what is queued together with the page.
				this.#isQueued &&= panel.visible;
			}),
		];
		const read = (file: string) =>
			readFileSync(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', file).fsPath, 'utf8');
		panel.webview.html = html(name, read);
	}

	get isClosed(): boolean {
		return this.#isClosed;
	}

	get isVisible(): boolean {
		return !this.#isClosed && this.#panel.visible;
	}

	get isActive(): boolean {
		return !this.#isClosed && this.#isStateKnown && this.#panel.active;
	}

	/** The tabs that may be its own: VS Code tells which it is only while it is the visible one. */
	get tabs(): readonly vscode.Tab[] {
		const { visible, viewColumn, viewType, title } = this.#panel;
		const group = vscode.window.tabGroups.all.find((each) => each.viewColumn === viewColumn);
		return (group?.tabs ?? []).filter(({ isActive, input, label }) =>
			visible
				? isActive
				: label === title && input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewType),
		);
	}

	/** Shows this in the page, in the place of what was there. */
	open(content: PageContent<From>): void {
		this.#content = content;
		// The page of a custom editor replaces another one, which may get what is posted before it is loaded.
		this.#isQueued = !this.#isLoaded && this.options.panel === undefined;
		if (this.#isLoaded || this.#isQueued) {
			content.show();
		}
	}

	post(message: To): void {
		if (!this.#isClosed) {
			void this.#panel.webview.postMessage(message);
		}
	}

	/**
	 * @param background without taking the focus, nor the place of the active editor
	 * @param title what the tab says from now on
	 */
	reveal({ background = false, title }: { background?: boolean; title?: NativeText } = {}): void {
		if (!this.#isClosed) {
			this.#panel.title = title ?? this.#panel.title;
			const { visible, viewColumn } = this.#panel;
			this.#panel.reveal(background && !visible ? columnOf(true, viewColumn) : undefined, background);
		}
	}

	/** Disposes these with the page. */
	own(...disposables: readonly vscode.Disposable[]): void {
		this.#disposables.push(...disposables);
	}

	/** Calls this whenever the page was shown, hidden or moved. */
	onDidMove(act: () => void): void {
		this.own(this.#panel.onDidChangeViewState(act));
	}

	dispose(): void {
		if (!this.#isClosed) {
			this.release();
			this.#panel.dispose();
		}
	}

	/** Ends, and leaves the panel to another page. */
	release(): void {
		if (!this.#isClosed) {
			this.#isClosed = true;
			this.#content?.closed?.();
			vscode.Disposable.from(...this.#disposables).dispose();
		}
	}

	#receive(message: unknown): void {
		if (isMessage(READY, message)) {
			this.#isLoaded = true;
			if (!this.#isQueued) {
				this.#content?.show();
			}
			this.#isQueued = false;
		} else if (isMessage(this.options.messages, message)) {
			(async () => this.#content?.receive(message))().catch(showError);
		}
	}
}

/** What every page says once it has loaded. */
const READY = { ready: {} } as const;

/**
 * Where a page opens. In the background that is another group of editors than the active one, and a new one only where there is no
 * other; an empty group has room.
 */
function columnOf(background: boolean, column: vscode.ViewColumn | undefined): vscode.ViewColumn {
	const { all, activeTabGroup } = vscode.window.tabGroups;
	const wanted = all.find(({ viewColumn }) => viewColumn === column) ?? activeTabGroup;
	if (!background || wanted !== activeTabGroup || !activeTabGroup.activeTab) {
		return wanted.viewColumn ?? vscode.ViewColumn.Active;
	}
	const others = all.filter((group) => group !== activeTabGroup);
	const next = others.find(({ viewColumn }) => viewColumn > activeTabGroup.viewColumn) ?? others.at(-1);
	return next?.viewColumn ?? vscode.ViewColumn.Beside;
}

/**
 * Script, styles and the translations of its texts are part of the HTML, because a webview waits longer for a file than for
 * all the rest; and what stands for the page meanwhile. Nothing else is: text of servers only arrives in messages. Errors name the script by its file.
 */
function html(name: keyof typeof SCRIPTS, read: (file: string) => string): string {
	const nonce = randomBytes(16).toString('base64');
	const policy = [
		"default-src 'none'",
		`script-src 'nonce-${nonce}'`,
		`style-src 'nonce-${nonce}'`,
		...(name === 'result' ? ['img-src data:', 'media-src data:'] : []),
		"base-uri 'none'",
		"form-action 'none'",
	].join('; ');
	const script = SCRIPTS[name];
	return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<title>MCP Elicitation</title>
<style nonce="${nonce}">${read('base.css')}${read(`${name}.css`)}</style>
</head>
<body>
<main id="app" data-page="${name}"><div class="skeleton" role="status"><span class="spoken">${localize('Loading…')}</span><i></i><i></i><i></i></div></main>
<script type="application/json" id="texts">${translations(() => JSON.parse(read(`${script}.json`)))}</script>
<script nonce="${nonce}">${read(`${script}.js`)}
//# sourceURL=mcp-elicitation/dist/webview/${script}.js
</script>
</body>
</html>`;
}

/**
 * The translations of a page's texts, as JSON for HTML. Empty for English.
 * @param texts reads the texts that its script says, which the build has listed
 */
function translations(texts: () => readonly string[]): string {
	const { bundle } = vscode.l10n;
	const translated = bundle ? texts().map((text) => [text, bundle[text] ?? text]) : [];
	return JSON.stringify(Object.fromEntries(translated)).replaceAll('<', '\\u003c');
}
