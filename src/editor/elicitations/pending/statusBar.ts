import * as vscode from 'vscode';
import { countPending, type Pending, pendingOf } from '../../../elicitation/pending.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { fullId } from '../../common/contributions.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { type Entry, lineOfEntry } from './entry.ts';

/** More lines than this are no tooltip. */
const MOST_LINES = 30;

/** The count of what is pending, in a warning's colours where the user has to decide. Hidden when there is nothing. */
export class StatusBar implements vscode.Disposable {
	readonly #item: vscode.StatusBarItem;

	constructor(private readonly registry: Registry) {
		this.#item = vscode.window.createStatusBarItem(fullId('pending'), vscode.StatusBarAlignment.Left, 100);
		this.#item.name = localize('Pending Elicitations');
		this.#item.command = fullId('showPending');
	}

	draw(): void {
		const { count, urgent } = countPending(this.registry);
		if (count === 0) {
			this.#item.hide();
			return;
		}
		this.#item.text = `$(${urgent ? 'warning' : 'sync~spin'}) ${count}`;
		this.#item.backgroundColor = urgent ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
		const lines = pendingOf(this.registry).flatMap(linesOf);
		// A string, not Markdown: it holds server text.
		this.#item.tooltip = [
			localizeNative('MCP elicitations: {0} pending', count),
			...lines.slice(0, MOST_LINES),
			...(lines.length > MOST_LINES ? [localizeNative('{0} more', lines.length - MOST_LINES)] : []),
		].join('\n');
		this.#item.accessibilityInformation = {
			label: localizeNative('{0} pending MCP elicitations', count),
			role: 'button',
		};
		this.#item.show();
	}

	dispose(): void {
		this.#item.dispose();
	}
}

function linesOf(pending: Pending): string[] {
	const entries = pending.kind === 'group' ? pending.entries : [];
	return [
		lineOfEntry(pending),
		...entries.map((elicitation) => `    ${lineOfEntry({ kind: 'member', elicitation } satisfies Entry)}`),
	];
}
