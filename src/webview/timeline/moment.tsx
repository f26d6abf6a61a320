const language = document.documentElement.lang || undefined;

const clock = new Intl.DateTimeFormat(language, {
	hour: '2-digit',
	minute: '2-digit',
	second: '2-digit',
	fractionalSecondDigits: 3,
	hourCycle: 'h23',
});
const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
const coarse = new Intl.DateTimeFormat(language, { timeStyle: 'medium', hourCycle: 'h23' });

interface MomentProps {
	/** Milliseconds since the epoch. */
	readonly at: number;
	/** To the second only. */
	readonly isCoarse?: boolean;
}

/** A moment in the user's own time, to the millisecond; the whole of it as a tooltip. */
export function Moment({ at, isCoarse = false }: MomentProps) {
	const date = new Date(at);
	const whole = clock.format(date);
	return (
		<time datetime={date.toISOString()} title={`${day.format(date)} ${whole}`}>
			{isCoarse ? coarse.format(date) : whole}
		</time>
	);
}
