import type { FromForm, ToForm } from '../protocol.ts';
import { FormView } from './formView.ts';
import { connect, isToForm } from './host.ts';
import { guardKeys } from './keys.ts';
import { translator } from './strings.ts';

const tickEvery = 10_000;

/** Starts the page of a form. */
export function startForm(root: HTMLElement): void {
	let view: FormView | undefined;
	let timer: ReturnType<typeof setInterval> | undefined;

	function tickWhileVisible(): void {
		clearInterval(timer);
		if (document.visibilityState !== 'hidden') {
			view?.tick();
			timer = setInterval(() => view?.tick(), tickEvery);
		}
	}

	document.addEventListener('visibilitychange', tickWhileVisible);
	const appeared = guardKeys();
	document.addEventListener('keydown', (event) => view?.key(event));
	window.addEventListener('resize', () => view?.tick());
	connect<ToForm, FromForm>(root, isToForm, (message, host) => {
		switch (message.type) {
			case 'show':
				// The host sends it unasked, to save a way there and back, and once more for `ready`: the first one counts.
				if (message.instead) {
					host.save(undefined);
				}
				if (!view || message.instead) {
					view = new FormView(root, message.model, translator(message.strings), host);
					appeared();
					tickWhileVisible();
				}
				break;
			case 'review':
				view?.showReview(message);
				break;
			case 'jsonReview':
				view?.showJsonReview(message);
				break;
			case 'withdrawn':
				view?.withdraw(message.reason, message.cancelled === true);
				break;
		}
	});
}
