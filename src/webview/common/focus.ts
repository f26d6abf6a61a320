import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/**
 * Makes what scrolls reachable by keyboard, and keeps what does not scroll out of the way.
 * @returns whether it scrolls
 */
export function useReachable(element: RefObject<HTMLElement | null>): boolean {
	const [scrolls, setScrolls] = useState(false);
	const fit = () => setScrolls(reachable(element.current));
	useLayoutEffect(fit);
	useLayoutEffect(() => {
		window.addEventListener('resize', fit);
		return () => window.removeEventListener('resize', fit);
	}, []);
	return scrolls;
}

function reachable(element: HTMLElement | null): boolean {
	const scrolls = element !== null && element.scrollHeight > element.clientHeight + 1;
	if (scrolls) {
		element.tabIndex = 0;
	} else {
		element?.removeAttribute('tabindex');
	}
	return scrolls;
}

/** For what is folded at the end of a page: what unfolds there would be out of sight. */
export function showUnfolded({ currentTarget }: Event): void {
	if (currentTarget instanceof HTMLDetailsElement && currentTarget.open) {
		currentTarget.scrollIntoView?.({ block: 'nearest' });
	}
}

/** Moves the focus into a page once it has it: a page that opens in the background must not take it from the user. */
export function whenFocused(focus: () => void): void {
	if (document.hasFocus()) {
		focus();
		return;
	}
	const once = () => {
		if (document.activeElement === document.body || document.activeElement === null) {
			focus();
		}
	};
	window.addEventListener('focus', once, { once: true });
}

let isPressed = false;
/** What runs after the click, in this order. */
const waiting: (() => void)[] = [];
document.addEventListener('pointerdown', press, true);
document.addEventListener('pointerup', release, true);
document.addEventListener('pointercancel', release, true);
// A menu of the system keeps the release to itself.
document.addEventListener('contextmenu', release, true);

function press(): void {
	isPressed = true;
}

function release(): void {
	isPressed = false;
	setTimeout(runWaiting);
}

function runWaiting(): void {
	while (!isPressed && waiting.length > 0) {
		waiting.shift()?.();
	}
}

/**
 * Runs the action now or, while a mouse button is pressed, after the click: whatever the action moves would otherwise slip away
 * from under the pointer, and the click would be lost.
 */
export function afterPress(action: () => void): void {
	if (isPressed || waiting.length > 0) {
		waiting.push(action);
	} else {
		action();
	}
}
