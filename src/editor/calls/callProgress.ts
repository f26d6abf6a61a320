import type * as vscode from 'vscode';
import { type NativeText, native } from '../../elicitation/display.ts';
import { localize } from '../common/localize.ts';
import { type NativeProgress, showProgress, showSpinner } from '../common/notifications.ts';
import { Presence } from '../common/presence.ts';
import { StatusBarButton } from '../common/statusBarButton.ts';

/**
 * Where the progress of a call is shown:
 * - `notification`: in a notification, which can cancel the call.
 * - `spinner`: in the status bar, with the spinner of the editor.
 * - `waiting`: in the status bar, at rest, for as long as the user takes. A spinner is painted sixty times a second: where
 * there is no GPU, that is a quarter of a processor.
 */
type Place = 'notification' | 'spinner' | 'waiting';

/** The status bar item of calls that wait for the user. Shows the newest of them. */
class WaitingItem {
	#button: StatusBarButton | undefined;
	readonly #texts = new Map<CallProgress, NativeText>();

	set(call: CallProgress, text: NativeText): void {
		this.#texts.set(call, text);
		this.#draw();
	}

	delete(call: CallProgress): void {
		this.#texts.delete(call);
		this.#draw();
	}

	#draw(): void {
		const text = [...this.#texts.values()].at(-1);
		if (text === undefined) {
			this.#button?.dispose();
			this.#button = undefined;
			return;
		}
		this.#button ??= new StatusBarButton('mcpElicitation.waitingCall', 98, localize('Waiting Call'), 'showPending');
		this.#button.draw({ text, tooltip: [text], label: text });
	}
}

const waitingItem = new WaitingItem();

/** Max length of a message, and of a title with its message (characters). */
const MAX_MESSAGE = 200;
const MAX_WHOLE = 300;

/** Shows the progress of a running call, in one place at a time. Title and message may hold text of the server. */
export class CallProgress {
	readonly #presence = new Presence();
	#place: Place | undefined;
	#message: string | undefined;
	#show = (_message: string) => {};

	constructor(
		private readonly title: string,
		private readonly cancel: () => void,
	) {}

	/** Sets the text after the title. */
	report(message: string): void {
		this.#message = message;
		this.#show(message);
	}

	/** Moves it to that place, until it ends. */
	show(place: Place): void {
		if (this.#place !== place) {
			this.#place = place;
			this.#presence.hint(() => (place === 'waiting' ? this.#showWaiting() : this.#showInEditor(place)));
		}
	}

	end(): void {
		this.#presence.end();
	}

	#showWaiting(): vscode.Disposable {
		this.#begin((message) => waitingItem.set(this, native(localize('{0}: {1}', this.title, message), MAX_WHOLE)));
		return this.#ending(() => waitingItem.delete(this));
	}

	/** The editor may begin the task later, when this is over. */
	#showInEditor(place: 'notification' | 'spinner'): vscode.Disposable {
		const title = native(this.title);
		let close = () => {};
		const closed = new Promise<void>((resolve) => {
			close = resolve;
		});
		const task = (progress: NativeProgress, token: vscode.CancellationToken) => {
			token.onCancellationRequested(this.cancel);
			if (this.#place === place) {
				this.#begin((message) => progress.report({ message: native(message, MAX_MESSAGE) }));
			}
			return closed;
		};
		void (place === 'notification' ? showProgress(title, task) : showSpinner(title, task));
		return this.#ending(close);
	}

	#begin(show: (message: string) => void): void {
		this.#show = show;
		if (this.#message !== undefined) {
			show(this.#message);
		}
	}

	#ending(close: () => void): vscode.Disposable {
		return {
			dispose: () => {
				this.#show = () => {};
				close();
			},
		};
	}
}
