import { render } from 'preact';
import type { FromUrl, ToUrl } from '../../protocol.ts';
import { whenFocused } from '../common/focus.ts';
import { connect } from '../common/host.ts';
import { guardKeys } from '../common/keys.ts';
import { Store } from '../common/store.ts';
import { translator } from '../common/strings.ts';
import { Translation } from '../common/text.tsx';
import { firstState, reduce, type UrlAction, type UrlEffect, type UrlState } from './state.ts';
import { UrlPage } from './urlPage.tsx';

/** Starts the page of a URL. */
export function startUrl(root: HTMLElement): void {
	let store: Store<UrlState, UrlAction, UrlEffect> | undefined;
	const appeared = guardKeys();
	document.addEventListener('keydown', (event) => {
		// Escape is cancel; no key is a consent.
		if (event.key === 'Escape' && !event.defaultPrevented && store) {
			event.preventDefault();
			store.dispatch({ type: 'pressed', button: 'cancel' });
		}
	});
	connect<ToUrl, FromUrl>((message, host) => {
		switch (message.type) {
			case 'show': {
				// The host sends it unasked, and once more for `ready`: the first one counts.
				if (store) {
					return;
				}
				const t = translator(message.strings);
				store = new Store<UrlState, UrlAction, UrlEffect>(
					[firstState],
					reduce,
					({ state, dispatch }) =>
						render(
							<Translation.Provider value={t}>
								<UrlPage
									model={message.model}
									state={state}
									press={(button) => dispatch({ type: 'pressed', button })}
								/>
							</Translation.Provider>,
							root,
						),
					(effect) =>
						effect.type === 'send'
							? host.send({ type: effect.button })
							: root.querySelector<HTMLElement>('.status')?.focus(),
				);
				// Never on a button: what is typed or pressed without looking must not be a consent.
				whenFocused(() => root.querySelector('h1')?.focus());
				appeared();
				break;
			}
			case 'copied':
			case 'over':
				store?.dispatch(message);
		}
	});
}
