import * as vscode from 'vscode';
import { type CommandId, fullId } from './contributions.ts';

export interface StatusBarContent {
	readonly text: string;
	/** Lines of text that is safe for native surfaces. */
	readonly tooltip: readonly string[];
	/** Label for screen readers. */
	readonly label: string;
	/** Use the warning background color. */
	readonly isWarning?: boolean;
}

/** A button in the status bar, hidden while it has no content. */
export class StatusBarButton implements vscode.Disposable {
	readonly #item: vscode.StatusBarItem;

	/** @param priority items with a higher priority are further to the left */
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
		// A plain string, because it may contain server text.
		this.#item.tooltip = tooltip.join('\n');
		this.#item.accessibilityInformation = { label, role: 'button' };
		this.#item.show();
	}

	dispose(): void {
		this.#item.dispose();
	}
}
