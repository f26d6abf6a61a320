import * as vscode from 'vscode';
import { countPending, type Pending, pendingOf } from '../../../elicitation/pending.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { fullId } from '../../common/contributions.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { type Entry, entryLine } from './entry.ts';

/** Max number of lines in the tooltip. */
const MAX_LINES = 30;

/** Number of pending entries, highlighted as a warning if the user has to decide. Hidden if there are none. */
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
		// A plain string, because it contains server text.
		this.#item.tooltip = [
			localizeNative('MCP elicitations: {0} pending', count),
			...lines.slice(0, MAX_LINES),
			...(lines.length > MAX_LINES ? [localizeNative('{0} more', lines.length - MAX_LINES)] : []),
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
		entryLine(pending),
		...entries.map((elicitation) => `    ${entryLine({ kind: 'member', elicitation } satisfies Entry)}`),
	];
}
