import type { FromUrl, ToUrl } from '../../protocol.ts';
import type { Next } from '../common/store.ts';

export type Press = FromUrl['type'];

/** How things stand with the consent to a URL. */
export interface UrlState {
	/** What was said last; nothing, so that it can be said again. */
	readonly said: 'opening' | 'copied' | undefined;
	/** The user has decided, or it is over elsewhere: nothing can be pressed any more. */
	readonly isOver: boolean;
	/** Why it is over elsewhere. */
	readonly reason: string | undefined;
}

export const firstState: UrlState = { said: undefined, isOver: false, reason: undefined };

export type UrlAction = { readonly type: 'pressed'; readonly button: Press } | Exclude<ToUrl, { type: 'show' }>;

export type UrlEffect = { readonly type: 'send'; readonly button: Press } | { readonly type: 'focusStatus' };

export function reduce(state: UrlState, action: UrlAction): Next<UrlState, UrlEffect> {
	switch (action.type) {
		case 'pressed':
			return state.isOver
				? [state]
				: [
						{ ...state, isOver: action.button !== 'copy', said: action.button === 'open' ? 'opening' : undefined },
						{ type: 'send', button: action.button },
					];
		case 'copied':
			return [state.isOver ? state : { ...state, said: 'copied' }];
		case 'over':
			return [{ ...state, isOver: true, reason: action.reason }, { type: 'focusStatus' }];
	}
}
