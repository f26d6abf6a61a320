import type { FromUrl, ToUrl } from '../../protocol.ts';
import { connect } from '../common/host.ts';
import { guardConsent } from '../common/keys.ts';
import { Store } from '../common/store.ts';
import { drawPage } from '../common/text.tsx';
import { firstState, type Press, reduce, type UrlAction, type UrlEffect, type UrlState } from './state.ts';
import { UrlPage } from './urlPage.tsx';

/** Starts the page of a URL. */
export function startUrl(root: HTMLElement): void {
	let store: Store<UrlState, UrlAction, UrlEffect> | undefined;
	const appeared = guardConsent(root, () => store?.dispatch({ type: 'pressed', button: 'cancel' }));
	connect<ToUrl, FromUrl>(({ model }, { t, send }) => {
		const opened = new Store<UrlState, UrlAction, UrlEffect>(
			[firstState],
			reduce,
			({ state, dispatch }) => {
				const press = (button: Press) => {
					if (button === 'open' && !isUrlInView(root)) {
						appeared();
						domainOf(root)?.scrollIntoView({ block: 'center' });
					} else {
						dispatch({ type: 'pressed', button });
					}
				};
				drawPage(root, t, <UrlPage model={model} state={state} press={press} />);
			},
			(effect) =>
				effect.type === 'send' ? send({ type: effect.button }) : root.querySelector<HTMLElement>('.status')?.focus(),
		);
		store = opened;
		appeared();
		return (message) => {
			switch (message.type) {
				case 'copied':
				case 'over':
					opened.dispatch(message);
			}
		};
	});
}

/** The domain in the whole URL, or its line if it has none. */
function domainOf(root: HTMLElement): Element | null {
	return root.querySelector('.url .domain') ?? root.querySelector('.url > bdi');
}

/** Nobody consents to a URL that a long message has pushed out of view: it is brought there first (U03). */
function isUrlInView(root: HTMLElement): boolean {
	const place = (selector: string) => root.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
	const [line = new DOMRect()] = domainOf(root)?.getClientRects() ?? [];
	return line.bottom <= place('footer').top && place('.url').bottom >= Math.max(0, place('.body').top);
}
