import * as vscode from 'vscode';
import type { NativeText } from '../../elicitation/display.ts';

type ProgressLocation = vscode.ProgressLocation.Window | vscode.ProgressLocation.Notification;

/**
 * Shows the progress of a running call, either in the status bar or in a cancellable notification. It can switch
 * between the two.
 */
export class CallProgress {
	#location: ProgressLocation | undefined;
	#progress: vscode.Progress<{ message?: string }> | undefined;
	#message: NativeText | undefined;
	#close = () => {};

	constructor(
		private readonly title: NativeText,
		private readonly cancel: () => void,
	) {}

	/** Sets the text after the title. */
	report(message: NativeText): void {
		this.#message = message;
		this.#progress?.report({ message });
	}

	show(location: ProgressLocation): void {
		if (this.#location === location) {
			return;
		}
		this.end();
		this.#location = location;
		const cancellable = location === vscode.ProgressLocation.Notification;
		void vscode.window.withProgress({ location, title: this.title, cancellable }, (progress, token) => {
			token.onCancellationRequested(this.cancel);
			this.#progress = progress;
			if (this.#message !== undefined) {
				this.report(this.#message);
			}
			return new Promise<void>((resolve) => {
				this.#close = resolve;
			});
		});
	}

	end(): void {
		this.#close();
		this.#progress = undefined;
		this.#location = undefined;
	}
}
