import type { RowIcon } from '../../timelineProtocol.ts';

/** Drawn on a grid of 16, in the colour of the text. */
const PATHS = {
	twistie: 'M6 4l4 4-4 4',
	running: 'M8 2.5a5.5 5.5 0 1 1-5.5 5.5',
	succeeded: 'M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11M5.5 8.2l1.8 1.8 3.3-3.6',
	failed: 'M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11M6 6l4 4M10 6l-4 4',
	cancelled: 'M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11M4.2 4.2l7.6 7.6',
	outside: 'M3 4.5h10M3 8h10M3 11.5h10',
	round: 'M13 6.5A5.2 5.2 0 0 0 3.4 5.6M3 9.5a5.2 5.2 0 0 0 9.6.9M3.2 2.8v3h3M12.8 13.2v-3h-3',
	form: 'M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2z',
	url: 'M6.8 9.2a2.4 2.4 0 0 0 3.4 0l2-2a2.4 2.4 0 0 0-3.4-3.4l-.7.7M9.2 6.8a2.4 2.4 0 0 0-3.4 0l-2 2a2.4 2.4 0 0 0 3.4 3.4l.7-.7',
	sent: 'M3 8h10M9.5 4.5L13 8l-3.5 3.5',
	received: 'M13 8H3M6.5 4.5L3 8l3.5 3.5',
	expand: 'M8 3v4M6 5h4M2.5 10h11M2.5 13h11',
	collapse: 'M6 5h4M2.5 10h11M2.5 13h11',
	copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
	export: 'M8 10V2.5M5 5l3-3 3 3M3 9v4.5h10V9',
	clear: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9M7 7v4M9 7v4',
	close: 'M4 4l8 8M12 4l-8 8',
} as const satisfies Record<RowIcon | string, string>;

export type IconName = keyof typeof PATHS;

const NAMESPACE = 'http://www.w3.org/2000/svg';

/** A picture that says nothing by itself: what it means stands beside it in words. */
export function icon(name: IconName): SVGElement {
	const svg = document.createElementNS(NAMESPACE, 'svg');
	svg.setAttribute('viewBox', '0 0 16 16');
	svg.setAttribute('class', `icon ${name}`);
	svg.setAttribute('aria-hidden', 'true');
	const path = document.createElementNS(NAMESPACE, 'path');
	path.setAttribute('d', PATHS[name]);
	svg.append(path);
	return svg;
}
