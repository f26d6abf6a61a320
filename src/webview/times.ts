import type { ShownTimes } from '../timelineProtocol.ts';
import { el } from './dom.ts';
import { duration } from './duration.ts';
import type { T } from './strings.ts';

/** The shares of a call's time in their order, with their tones (timeline.css). */
const SHARES = ['server', 'person', 'automatic'] as const;

/** The shares of a call's time as one bar of up to three tones. Its words are beside it; a tooltip repeats them. */
export function timesBar(times: ShownTimes, t: T): HTMLElement {
	const bar = el('span', { class: 'times', 'aria-hidden': 'true', title: timesText(times, t) });
	for (const share of SHARES) {
		const part = el('span', { class: `time-${share}` });
		part.style.flexGrow = String(Math.max(0, times[share]));
		bar.append(part);
	}
	return bar;
}

/** The shares of a call's time in words, each after its tone. */
export function timesLegend(times: ShownTimes, t: T): HTMLElement {
	const legend = el('span', { class: 'legend' });
	for (const [at, share] of sharesOf(times).entries()) {
		legend.append(...(at > 0 ? [' · '] : []), el('span', { class: `time-${share}` }), textOf(share, times, t));
	}
	return legend;
}

/** The shares of a call's time in words. */
export function timesText(times: ShownTimes, t: T): string {
	return sharesOf(times)
		.map((share) => textOf(share, times, t))
		.join(' · ');
}

/** The server's always, the others where there was any of them. */
function sharesOf(times: ShownTimes): readonly (keyof ShownTimes)[] {
	return SHARES.filter((share) => share === 'server' || times[share] > 0);
}

function textOf(share: keyof ShownTimes, times: ShownTimes, t: T): string {
	const time = duration(times[share], t);
	switch (share) {
		case 'server':
			return t('server {0}', time);
		case 'person':
			return t('you {0}', time);
		case 'automatic':
			return t('automatic {0}', time);
	}
}
