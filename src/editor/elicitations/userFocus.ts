import * as vscode from 'vscode';
import type { Call } from '../../elicitation/call.ts';
import { nextMoment } from '../../elicitation/clock.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import { Emitter } from '../../elicitation/emitter.ts';

/** A surface of this extension that takes user input. */
export interface Surface {
	/** It has the focus, or it is visible and has user input. */
	readonly inUse: boolean;
}

/** Whether the user started all of these calls in this extension's UI. */
export function isStartedByUser(calls: readonly Call[]): boolean {
	return calls.length > 0 && calls.every(({ startedByUserAt }) => startedByUserAt !== undefined);
}

/** Whether it belongs to a call that was made again, as a replay or a trial. */
export function isReplayed({ origin: { calls } }: Elicitation): boolean {
	return calls.some(({ trial }) => trial !== undefined);
}

/**
 * Tracks where the user is working, as far as VS Code reports it. A surface that opens by itself takes the focus only
 * if the user is waiting for it.
 */
export class UserFocus implements vscode.Disposable {
	readonly #surfaces = new Set<Surface>();
	readonly #closed = new Emitter<void>();
	/** When the user last responded to an elicitation of a call (`nextMoment`). */
	readonly #handledAt = new WeakMap<Call, number>();
	/** When the user last did something outside this extension (`nextMoment`). */
	#elsewhereAt = 0;
	readonly #disposable: vscode.Disposable;

	/** A surface of this extension closed. */
	readonly onDidClose = this.#closed.event;

	constructor() {
		const { Keyboard, Mouse } = vscode.TextEditorSelectionChangeKind;
		const markElsewhere = () => this.markElsewhere();
		this.#disposable = vscode.Disposable.from(
			// Changes by programs have another kind, or none.
			vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
				if (kind === Keyboard || kind === Mouse) {
					markElsewhere();
				}
			}),
			vscode.window.onDidChangeNotebookEditorSelection(markElsewhere),
			vscode.window.onDidChangeActiveTerminal(markElsewhere),
			vscode.window.onDidChangeTerminalState(markElsewhere),
			vscode.window.onDidStartTerminalShellExecution(markElsewhere),
		);
	}

	/** The user is working outside this extension. */
	markElsewhere(): void {
		this.#elsewhereAt = nextMoment();
	}

	/** The user responded to an elicitation or opened it, and is now waiting for what the same calls ask next. */
	markHandled({ origin }: Elicitation): void {
		for (const call of origin.calls) {
			this.#handledAt.set(call, nextMoment());
		}
	}

	/** Whether the user started the calls behind an elicitation and has not worked elsewhere since. */
	isWaitingFor({ origin: { calls } }: Elicitation): boolean {
		return isStartedByUser(calls) && !this.isElsewhere(calls) && vscode.window.state.focused;
	}

	/** Whether the user has worked outside this extension since they started these calls or responded to one of their elicitations. */
	isElsewhere(calls: readonly Call[]): boolean {
		const since = calls.map((call) => this.#handledAt.get(call) ?? call.startedByUserAt ?? Number.NEGATIVE_INFINITY);
		return Math.max(...since) < this.#elsewhereAt;
	}

	/** True while the user is in another surface of this extension, which must keep the focus. */
	get isTaken(): boolean {
		return [...this.#surfaces].some(({ inUse }) => inUse);
	}

	/** Tracks a surface until the result is disposed. */
	watch(surface: Surface): vscode.Disposable {
		this.#surfaces.add(surface);
		return new vscode.Disposable(() => {
			this.#surfaces.delete(surface);
			this.#closed.fire();
		});
	}

	dispose(): void {
		this.#disposable.dispose();
	}
}
