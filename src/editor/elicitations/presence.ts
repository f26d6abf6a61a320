import type * as vscode from 'vscode';
import { shorten } from '../../elicitation/display.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import { localizable, type Sentence } from '../../elicitation/sentence.ts';
import { nativeText } from '../common/localize.ts';
import { notify } from '../common/notifications.ts';

/**
 * What a request shows, all of it: one surface at most, or the notice that leads to it. What is shown takes the place of what was shown
 * before, and nothing is shown once the request has ended.
 */
export class Presence<Surface> {
	#surface: Surface | undefined;
	#notice: vscode.Disposable | undefined;
	#isOver = false;

	get surface(): Surface | undefined {
		return this.#surface;
	}

	/** True once the request has ended. */
	get isOver(): boolean {
		return this.#isOver;
	}

	/** Shows a surface, until it is left; undefined if the request has ended. */
	show<T extends Surface>(open: () => T): T | undefined {
		this.#notice?.dispose();
		if (this.#isOver) {
			return undefined;
		}
		const surface = open();
		this.#surface = surface;
		return surface;
	}

	/** The surface has closed. */
	left(surface: Surface): void {
		if (this.#surface === surface) {
			this.#surface = undefined;
		}
	}

	notify(show: () => vscode.Disposable): void {
		this.#notice?.dispose();
		if (!this.#isOver) {
			this.#notice = show();
		}
	}

	/** The request has ended. What shows it stays until it is left, to say so or to close. */
	end(): void {
		this.#isOver = true;
		this.#notice?.dispose();
	}
}

/** Says that a request was settled before what the user has just done, which had no effect. */
export function tellSettled({ origin: { server }, request, state, withdrawal }: Elicitation): void {
	const message = shorten(request.message, 80);
	void notify(
		'information',
		nativeText(
			withdrawal ? localizable('{0}: {1} Nothing was sent.', server, withdrawal) : settledText(server, message, state),
		),
	);
}

function settledText(server: string, message: string, state: Elicitation['state']): Sentence {
	switch (state) {
		case 'accepted':
			return localizable('{0}: "{1}" was accepted already; nothing was sent.', server, message);
		case 'declined':
			return localizable('{0}: "{1}" was declined already; nothing was sent.', server, message);
		case 'cancelled':
			return localizable('{0}: "{1}" was cancelled already; nothing was sent.', server, message);
		default:
			return localizable('{0}: "{1}" is over already; nothing was sent.', server, message);
	}
}
