import { el } from '../dom.ts';

const clock = new Intl.DateTimeFormat(document.documentElement.lang || undefined, {
	hour: '2-digit',
	minute: '2-digit',
	second: '2-digit',
	fractionalSecondDigits: 3,
	hourCycle: 'h23',
});

const day = new Intl.DateTimeFormat(document.documentElement.lang || undefined, { dateStyle: 'medium' });

const coarse = new Intl.DateTimeFormat(document.documentElement.lang || undefined, {
	timeStyle: 'medium',
	hourCycle: 'h23',
});

/** A moment in the user's own time, to the millisecond or, coarse, to the second; the whole of it as a tooltip. */
export function moment(at: number, isCoarse = false): HTMLElement {
	const date = new Date(at);
	const whole = clock.format(date);
	return el(
		'time',
		{ datetime: date.toISOString(), title: `${day.format(date)} ${whole}` },
		isCoarse ? coarse.format(date) : whole,
	);
}
