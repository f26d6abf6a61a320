import * as vscode from 'vscode';
import type { NativeText } from '../../../elicitation/display.ts';
import { fullId } from '../../common/contributions.ts';
import { localize, localizeNative } from '../../common/localize.ts';

interface Drawn {
	/** Number of elicitations settled by auto-responders. */
	readonly answered: number;
	/** The auto-responders, one per line. */
	readonly lines: readonly NativeText[];
	/** There are scripts, and the user has stopped them. */
	readonly stopped: boolean;
}

/** Shows for the rest of the session that auto-responders were used or that scripts are stopped. */
export class StatusBar implements vscode.Disposable {
	readonly #item = vscode.window.createStatusBarItem(`mcpElicitation.answerers`, vscode.StatusBarAlignment.Left, 99);

	constructor() {
		this.#item.name = localize('Answers in Your Place');
		this.#item.command = fullId('showAnswerers');
	}

	draw({ answered, lines, stopped }: Drawn): void {
		if (answered === 0 && !stopped) {
			this.#item.hide();
			return;
		}
		const summary =
			answered === 0
				? localizeNative('Scripts are stopped.')
				: answered === 1
					? localizeNative('1 question of MCP servers was answered in your place.')
					: localizeNative('{0} questions of MCP servers were answered in your place.', answered);
		this.#item.text = `$(${stopped ? 'debug-pause' : 'robot'}) ${answered === 0 ? localize('Scripts stopped') : answered}`;
		// A plain string, because it contains names from outside.
		this.#item.tooltip = [
			summary,
			...lines,
			...(stopped && answered > 0 ? [localizeNative('Scripts are stopped.')] : []),
			localizeNative('Click to see who answers, and to stop it.'),
		].join('\n');
		this.#item.accessibilityInformation = { label: summary, role: 'button' };
		this.#item.show();
	}

	dispose(): void {
		this.#item.dispose();
	}
}
