import { useEffect, useState } from 'preact/hooks';
import { useT } from '../common/text.tsx';

/** What the list may take of what it shares with the details (percent). */
export const SHARES = { least: 20, most: 80, usual: 50 } as const;

const STEP = 2;

/** Where the details are below the list (timeline.css). */
const STACKED = '(max-width: 620px)';

interface SplitterProps {
	readonly share: number;
	readonly change: (share: number) => void;
	/** The share is the user's choice, not one on the way to it. */
	readonly settle: (share: number) => void;
}

/** Divides the page between the list and the details: by pointer, by arrow keys, and with a double click evenly again. */
export function Splitter({ share, change, settle }: SplitterProps) {
	const t = useT();
	const isStacked = useIsStacked();
	const set = (to: number) => {
		const next = Math.max(SHARES.least, Math.min(SHARES.most, Math.round(to)));
		change(next);
		settle(next);
	};
	const key = (event: KeyboardEvent) => {
		const moves: Record<string, number> = {
			[isStacked ? 'ArrowUp' : 'ArrowLeft']: share - STEP,
			[isStacked ? 'ArrowDown' : 'ArrowRight']: share + STEP,
			Home: SHARES.least,
			End: SHARES.most,
		};
		if (Object.hasOwn(moves, event.key)) {
			set(moves[event.key] ?? share);
			event.preventDefault();
		}
	};
	const move = (event: PointerEvent) => {
		const splitter = event.currentTarget as HTMLElement;
		if (splitter.hasPointerCapture(event.pointerId)) {
			change(Math.max(SHARES.least, Math.min(SHARES.most, shareAt(splitter, event, isStacked))));
		}
	};
	return (
		<div
			role="separator"
			class="splitter"
			tabIndex={0}
			aria-label={t('Size of the list')}
			aria-orientation={isStacked ? 'horizontal' : 'vertical'}
			aria-valuemin={SHARES.least}
			aria-valuemax={SHARES.most}
			aria-valuenow={Math.round(share)}
			onKeyDown={key}
			onDblClick={() => set(SHARES.usual)}
			onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
			onPointerMove={move}
			onLostPointerCapture={() => settle(Math.round(share))}
		/>
	);
}

/** The share of the list if the splitter were at the pointer. */
function shareAt(splitter: HTMLElement, { clientX, clientY }: PointerEvent, isStacked: boolean): number {
	const start = splitter.previousElementSibling?.getBoundingClientRect() ?? new DOMRect();
	const end = splitter.nextElementSibling?.getBoundingClientRect() ?? new DOMRect();
	return isStacked
		? (100 * (clientY - start.top)) / (end.bottom - start.top)
		: (100 * (clientX - start.left)) / (end.right - start.left);
}

function useIsStacked(): boolean {
	const [query] = useState(() => matchMedia(STACKED));
	const [isStacked, setStacked] = useState(query.matches);
	useEffect(() => {
		const follow = () => setStacked(query.matches);
		query.addEventListener('change', follow);
		return () => query.removeEventListener('change', follow);
	}, []);
	return isStacked;
}
