import * as vscode from 'vscode';
import { type NativeText, together } from '../../elicitation/display.ts';
import type { CommandId } from './commandTable.ts';
import { fullId } from './contributions.ts';
import { createStatusBarItem } from './surfaces.ts';

export interface StatusBarContent {
	readonly text: NativeText;
	/** Lines of text. */
	readonly tooltip: readonly NativeText[];
	/** Label for screen readers. */
	readonly label: NativeText;
	/** Use the warning background color. */
	readonly isWarning?: boolean;
}

/** A button in the status bar, hidden while it has no content. */
export class StatusBarButton implements vscode.Disposable {
	readonly #item: ReturnType<typeof createStatusBarItem>;

	/** @param priority items with a higher priority are further to the left */
	constructor(id: string, priority: number, name: NativeText, command: CommandId) {
		this.#item = createStatusBarItem(id, priority);
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
		this.#item.tooltip = together(tooltip, '\n');
		this.#item.accessibilityInformation = { label, role: 'button' };
		this.#item.show();
	}

	dispose(): void {
		this.#item.dispose();
	}
}
