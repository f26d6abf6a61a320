import type { FromStart, ToStart } from '../protocol.ts';
import { connect, isToStart } from './host.ts';
import { guardKeys } from './keys.ts';
import { StartView } from './startView.ts';
import { translator } from './strings.ts';

/** Starts the page that asks for consent to start a server. */
export function startStart(root: HTMLElement): void {
	let view: StartView | undefined;
	const appeared = guardKeys();
	document.addEventListener('keydown', (event) => view?.key(event));
	window.addEventListener('resize', () => view?.fit());
	connect<ToStart, FromStart>(root, isToStart, (message, host) => {
		// The host sends it unasked, and once more for `ready`: the first one counts.
		if (!view) {
			view = new StartView(root, message.model, translator(message.strings), (type) => host.send({ type }));
			appeared();
		}
	});
}
