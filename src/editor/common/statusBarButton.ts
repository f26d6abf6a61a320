import * as vscode from 'vscode';
import { type CommandId, fullId } from './contributions.ts';

export interface StatusBarContent {
	readonly text: string;
	/** Lines of native text. */
	readonly tooltip: readonly string[];
	/** What screen readers say. */
	readonly label: string;
	/** Shown in the colors of a warning. */
	readonly isWarning?: boolean;
}

/** A button in the status bar, hidden while there is nothing to show. */
export class StatusBarButton implements vscode.Disposable {
	readonly #item: vscode.StatusBarItem;

	/** @param priority the higher, the further left */
	constructor(id: string, priority: number, name: string, command: CommandId) {
		this.#item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Left, priority);
		this.#item.name = name;
		this.#item.command = fullId(command);
	}

	draw(content: StatusBarContent | undefined): void {
		if (content === undefined) {
			this.#item.hide();
			return;
		}
		const { text, tooltip, label, isWarning } = content;
		this.#item.text = text;
		this.#item.backgroundColor = isWarning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
		// A string, not Markdown: it may hold text of servers.
		this.#item.tooltip = tooltip.join('\n');
		this.#item.accessibilityInformation = { label, role: 'button' };
		this.#item.show();
	}

	dispose(): void {
		this.#item.dispose();
	}
}
