import type { ShownTimes } from '../../timelineProtocol.ts';
import { el } from '../dom.ts';
import { duration } from '../duration.ts';
import type { T } from '../strings.ts';

/** Server time and human time as one bar of two tones. It says in words what it shows only where nothing beside it does. */
export function timesBar({ server, person }: ShownTimes): HTMLElement {
	const bar = el('span', { class: 'times', 'aria-hidden': 'true' });
	for (const [tone, time] of [
		['time-server', server],
		['time-person', person],
	] as const) {
		const part = el('span', { class: tone });
		part.style.flexGrow = String(Math.max(0, time));
		bar.append(part);
	}
	return bar;
}

/** Both times in words. */
export function timesText({ server, person }: ShownTimes, t: T): string {
	return person > 0
		? t('server {0} · you {1}', duration(server, t), duration(person, t))
		: t('server {0}', duration(server, t));
}
