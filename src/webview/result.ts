import type { FromResult, ToResult } from '../protocol.ts';
import { connect, isToResult } from './host.ts';
import { renderResult } from './resultView.ts';
import { translator } from './strings.ts';

/** Starts the page of a result. */
export function startResult(root: HTMLElement): void {
	connect<ToResult, FromResult>(root, isToResult, (message, host) => {
		const actions = {
			openJson: () => host.send({ type: 'openJson' }),
			showTimeline: () => host.send({ type: 'timeline' }),
			save: (index: number) => host.send({ type: 'save', index }),
		};
		root.replaceChildren(...renderResult(message.model, translator(message.strings), actions));
	});
}
