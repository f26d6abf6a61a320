const language = document.documentElement.lang || undefined;

const clock = new Intl.DateTimeFormat(language, {
	hour: '2-digit',
	minute: '2-digit',
	second: '2-digit',
	fractionalSecondDigits: 3,
	hourCycle: 'h23',
});
const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
const shortDay = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' });
const coarse = new Intl.DateTimeFormat(language, { timeStyle: 'medium', hourCycle: 'h23' });

/** The present day. What shows moments is drawn anew when it is another. */
export function today(): string {
	return day.format(Date.now());
}

interface MomentProps {
	/** Milliseconds since the epoch. */
	readonly at: number;
	/** To the second only. */
	readonly isCoarse?: boolean;
	/** Without the year. */
	readonly isShort?: boolean;
}

/** A moment in the user's own time, with its day unless that is today; the whole of it as a tooltip. */
export function Moment({ at, isCoarse = false, isShort = false }: MomentProps) {
	const date = new Date(at);
	const whole = clock.format(date);
	const ofDay = day.format(date);
	return (
		<time datetime={date.toISOString()} title={`${ofDay} ${whole}`}>
			{ofDay === today() ? null : <span class="day">{isShort ? shortDay.format(date) : ofDay} </span>}
			{isCoarse ? coarse.format(date) : whole}
		</time>
	);
}
