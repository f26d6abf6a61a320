import type { FromTimeline, ToTimeline } from '../timelineProtocol.ts';
import { connect } from './host.ts';
import { translator } from './strings.ts';
import { isToTimeline } from './timeline/guard.ts';
import { TimelineView } from './timeline/view.ts';

/** Starts the page of the timeline. */
export function startTimeline(root: HTMLElement): void {
	let view: TimelineView | undefined;
	connect<ToTimeline, FromTimeline>(root, isToTimeline, (message, host) => {
		if (message.type === 'show') {
			// The host sends it unasked, and once more for `ready`: the first one counts.
			view ??= new TimelineView(root, message.filter, translator(message.strings), host);
		} else {
			view?.receive(message);
		}
	});
}
