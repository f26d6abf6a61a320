import * as vscode from 'vscode';
import type { Call } from '../../elicitation/call.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import { Emitter } from '../../elicitation/emitter.ts';

/** A surface of ours in which the user answers something. */
export interface Surface {
	/** It has the focus, or it is seen and has been filled in. */
	readonly inUse: boolean;
}

/** Where the user is, as far as the editor tells: a surface that opens by itself takes the focus only where they wait for it. */
export class UserFocus implements vscode.Disposable {
	readonly #surfaces = new Set<Surface>();
	readonly #closed = new Emitter<void>();
	/** When the user last dealt with a question of a call (milliseconds since the epoch). */
	readonly #dealt = new WeakMap<Call, number>();
	/** When the user last did something that is not ours. */
	#elsewhere = 0;
	readonly #subscriptions: vscode.Disposable;

	/** One of our surfaces is gone. */
	readonly onDidClose = this.#closed.event;

	constructor() {
		const { Keyboard, Mouse } = vscode.TextEditorSelectionChangeKind;
		const wentElsewhere = () => this.wentElsewhere();
		this.#subscriptions = vscode.Disposable.from(
			// What programs do has another kind, or none.
			vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
				if (kind === Keyboard || kind === Mouse) {
					wentElsewhere();
				}
			}),
			vscode.window.onDidChangeNotebookEditorSelection(wentElsewhere),
			vscode.window.onDidChangeActiveTerminal(wentElsewhere),
			vscode.window.onDidChangeTerminalState(wentElsewhere),
			vscode.window.onDidStartTerminalShellExecution(wentElsewhere),
		);
	}

	/** The user has turned to something that is not ours. */
	wentElsewhere(): void {
		this.#elsewhere = Date.now();
	}

	/** The user has answered a question, or wants to see it: they are here, and wait for what its calls ask next. */
	dealtWith({ origin }: Elicitation): void {
		for (const call of origin.calls) {
			this.#dealt.set(call, Date.now());
		}
	}

	/** Whether the user started what asks here, and has not gone elsewhere since. */
	isOn({ origin: { calls } }: Elicitation): boolean {
		const since = calls.map((call) => this.#dealt.get(call) ?? call.startedByUserAt ?? Number.NEGATIVE_INFINITY);
		return (
			calls.every(({ startedByUserAt }) => startedByUserAt !== undefined) &&
			Math.max(...since) >= this.#elsewhere &&
			vscode.window.state.focused
		);
	}

	/** True while the user is in another surface of ours, which no other may take the focus from. */
	get isTaken(): boolean {
		return [...this.#surfaces].some(({ inUse }) => inUse);
	}

	/** Knows of a surface until the result is disposed. */
	watch(surface: Surface): vscode.Disposable {
		this.#surfaces.add(surface);
		return new vscode.Disposable(() => {
			this.#surfaces.delete(surface);
			this.#closed.fire();
		});
	}

	dispose(): void {
		this.#subscriptions.dispose();
	}
}
