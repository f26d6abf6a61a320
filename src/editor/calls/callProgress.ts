import * as vscode from 'vscode';
import type { NativeText } from '../../elicitation/display.ts';

type Place = vscode.ProgressLocation.Window | vscode.ProgressLocation.Notification;

/**
 * What the window shows of a call that runs: a line in the status bar or, with a way to cancel it, a notification. There
 * is at most one of them, and it can move.
 */
export class CallProgress {
	#place: Place | undefined;
	#progress: vscode.Progress<{ message?: string }> | undefined;
	#message: NativeText | undefined;
	#leave = () => {};

	constructor(
		private readonly title: NativeText,
		private readonly cancel: () => void,
	) {}

	/** What is said behind the title. */
	say(message: NativeText): void {
		this.#message = message;
		this.#progress?.report({ message });
	}

	show(place: Place): void {
		if (this.#place === place) {
			return;
		}
		this.end();
		this.#place = place;
		const cancellable = place === vscode.ProgressLocation.Notification;
		void vscode.window.withProgress({ location: place, title: this.title, cancellable }, (progress, token) => {
			token.onCancellationRequested(this.cancel);
			this.#progress = progress;
			if (this.#message !== undefined) {
				this.say(this.#message);
			}
			return new Promise<void>((resolve) => {
				this.#leave = resolve;
			});
		});
	}

	end(): void {
		this.#leave();
		this.#progress = undefined;
		this.#place = undefined;
	}
}
