import type { FromUrl, ToUrl } from '../protocol.ts';
import { connect, isToUrl } from './host.ts';
import { guardKeys } from './keys.ts';
import { translator } from './strings.ts';
import { UrlView } from './urlView.ts';

const tickEvery = 10_000;

/** Starts the page of a URL. */
export function startUrl(root: HTMLElement): void {
	let view: UrlView | undefined;
	const appeared = guardKeys();
	document.addEventListener('keydown', (event) => view?.key(event));
	window.addEventListener('resize', () => view?.tick());
	setInterval(() => view?.tick(), tickEvery);
	connect<ToUrl, FromUrl>(root, isToUrl, (message, host) => {
		switch (message.type) {
			case 'show':
				// The host sends it unasked, and once more for `ready`: the first one counts.
				if (!view) {
					view = new UrlView(root, message.model, translator(message.strings), (type) => host.send({ type }));
					appeared();
				}
				break;
			case 'copied':
				view?.copied();
				break;
			case 'over':
				view?.over(message.reason);
		}
	});
}
