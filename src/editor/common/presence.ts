import type * as vscode from 'vscode';
import { type NativeText, shorten } from '../../elicitation/display.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import type { Event } from '../../elicitation/emitter.ts';
import { localizable, type Sentence } from '../../elicitation/sentence.ts';
import { nativeText } from './localize.ts';
import { type NoticeAction, notify, showNotice } from './notifications.ts';

/**
 * What is shown of something that ends, such as a request, a call, or what is held back: one surface at most, or something slight
 * that leads to it, such as a notice or a progress. What is shown takes the place of what was shown before, and nothing is shown
 * once it has ended.
 */
export class Presence<Surface = never> {
	#surface: Surface | undefined;
	#slight: vscode.Disposable | undefined;
	#isOver = false;

	/** @param ended resolves when it has ended, unless its owner calls `end` */
	constructor(ended?: PromiseLike<unknown>) {
		void ended?.then(() => this.end());
	}

	get surface(): Surface | undefined {
		return this.#surface;
	}

	/** True once it has ended. */
	get isOver(): boolean {
		return this.#isOver;
	}

	/** Shows a surface, until it is left; undefined if it has ended. */
	show<T extends Surface>(open: () => T): T | undefined {
		this.#slight?.dispose();
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

	/** Shows a notice, which goes at the end at the latest. */
	notify(text: NativeText, ...actions: readonly NoticeAction[]): void {
		this.hint(() => showNotice(text, ...actions));
	}

	/** Shows something slight, which is disposed of at the end at the latest. */
	hint(open: () => vscode.Disposable): void {
		this.#slight?.dispose();
		if (!this.#isOver) {
			this.#slight = open();
		}
	}

	/** It has ended. A surface stays until it is left, to say so or to close. */
	end(): void {
		this.#isOver = true;
		this.#slight?.dispose();
	}
}

/** Resolves once nothing of something is left. What it depends on may change with each of these events. */
export function gone(isLeft: () => boolean, onDidChange: Event<unknown>): Promise<void> {
	return new Promise((resolve) => {
		const subscription = onDidChange(() => {
			if (!isLeft()) {
				subscription.dispose();
				resolve();
			}
		});
	});
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
