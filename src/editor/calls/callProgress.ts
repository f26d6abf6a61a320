import * as vscode from 'vscode';
import type { NativeText } from '../../elicitation/display.ts';

type Place = vscode.ProgressLocation.Window | vscode.ProgressLocation.Notification;

/**
 * Shows the progress of a running call, either in the status bar or in a cancellable notification. It can switch
 * between the two.
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

	/** Sets the text after the title. */
	report(message: NativeText): void {
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
				this.report(this.#message);
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
