import type { FromTrials, ToTrials } from '../trialsProtocol.ts';
import { connect, isToTrials } from './host.ts';
import { translator } from './strings.ts';
import { TrialsView } from './trialsView.ts';

/** Starts the page of the table of trials. */
export function startTrials(root: HTMLElement): void {
	let view: TrialsView | undefined;
	connect<ToTrials, FromTrials>(root, isToTrials, (message, host) => {
		if (message.type === 'said') {
			view?.say(message.text);
			return;
		}
		if (message.strings) {
			view ??= new TrialsView(root, translator(message.strings), {
				open: (index) => host.send({ type: 'open', index }),
				copy: () => host.send({ type: 'copy' }),
				stop: () => host.send({ type: 'stop' }),
			});
		}
		// Without the words, the page has not been told of yet: they come in answer to its `ready`.
		view?.show(message.model);
	});
}
