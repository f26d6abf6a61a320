import type { Shares } from '../../elicitation/clock.ts';
import { durationText } from '../../elicitation/duration.ts';
import type { Translate } from '../../elicitation/sentence.ts';
import { useT } from './text.tsx';

/** The shares of a call's time in their order, with their tones (timeline.css). */
const SHARES = ['server', 'person', 'automatic'] as const;

/** The shares of a call's time as one bar of up to three tones. Its words are beside it; a tooltip repeats them. */
export function TimesBar({ times }: { readonly times: Shares }) {
	const t = useT();
	return (
		<span class="times" aria-hidden="true" title={timesText(times, t)}>
			{SHARES.map((share) => (
				<span class={`time-${share}`} style={`flex-grow: ${Math.max(0, times[share])}`} />
			))}
		</span>
	);
}

/** The shares of a call's time in words, each after its tone. */
export function TimesLegend({ times }: { readonly times: Shares }) {
	const t = useT();
	return (
		<span class="legend">
			{sharesOf(times).map((share, at) => (
				<>
					{at > 0 ? ' · ' : ''}
					<span class={`time-${share}`} />
					{textOf(share, times, t)}
				</>
			))}
		</span>
	);
}

/** The shares of a call's time in words. */
export function timesText(times: Shares, t: Translate): string {
	return sharesOf(times)
		.map((share) => textOf(share, times, t))
		.join(' · ');
}

/** The server's always, the others where there was any of them. */
function sharesOf(times: Shares): readonly (keyof Shares)[] {
	return SHARES.filter((share) => share === 'server' || times[share] > 0);
}

function textOf(share: keyof Shares, times: Shares, t: Translate): string {
	const time = durationText(times[share], t);
	switch (share) {
		case 'server':
			return t('server {0}', time);
		case 'person':
			return t('you {0}', time);
		case 'automatic':
			return t('automatic {0}', time);
	}
}
