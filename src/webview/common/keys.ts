import { Emitter } from '../../elicitation/emitter.ts';
import { KEY_GUARD, KeyGuard } from '../../elicitation/keyGuard.ts';
import { whenFocused } from './focus.ts';

/** What could settle something: a button, a form, or its end. */
const SETTLING = new Set(['Enter', ' ', 'Escape']);

const TEXT_FIELDS = 'textarea,input:not([type=checkbox],[type=radio])';

/** Elements in which Enter begins another line or entry. */
const LINES = 'textarea,.entries input';

const ignored = new Emitter<void>();

/** A key or a click was ignored, because it may have been meant for something else. */
export const onDidIgnore = ignored.event;

/**
 * Ignores keys and clicks that were meant for something else. The first moments after the page appears or gets the focus are guarded:
 * - Enter, Space, and Escape do nothing. A key that is pressed in these moments and held down stays ignored.
 * - Clicks on buttons do nothing in the moments after the page appears, because it may have appeared under the pointer.
 * - If the user begins to type in these moments, the text may be meant for another place. The Enter that ends the text is ignored,
 *   unless the user has clicked in the page. Ctrl+Enter is not ignored then, because it does not end a text.
 * @returns must be called when the page shows something new
 */
export function guardKeys(): () => void {
	const guard = new KeyGuard();
	const { classList } = document.body;
	const pressed = new Set<string>();
	let isClicked = false;
	let isBegun = false;
	let isWritten = false;
	const appeared = () => {
		pressed.clear();
		isBegun = false;
		isWritten = false;
		guard.appeared(performance.now());
	};
	const stop = (event: KeyboardEvent) => {
		event.preventDefault();
		event.stopImmediatePropagation();
	};
	window.addEventListener('focus', appeared);
	window.addEventListener('blur', () => {
		isClicked = false;
	});
	document.addEventListener(
		'pointerdown',
		({ clientX, clientY }) => {
			isClicked = true;
			if (classList.contains('new') && isOnButton(clientX, clientY)) {
				ignored.fire();
			}
		},
		true,
	);
	document.addEventListener(
		'keydown',
		(event) => {
			const isMeant = guard.takesKeys(event.timeStamp);
			if (!settles(event)) {
				isWritten ||= isWriting(event) && isInText(event);
				if (!isMeant && isWriting(event)) {
					isBegun = true;
					if (!isClicked) {
						guard.appeared(event.timeStamp);
					}
				}
				return;
			}
			if (isBegun && isLineBreak(event)) {
				return;
			}
			if (!event.repeat && (isMeant || (isWritten && isSubmit(event)))) {
				pressed.add(event.key);
			}
			if (!pressed.has(event.key)) {
				stop(event);
				if (!event.repeat) {
					ignored.fire();
				}
			}
		},
		true,
	);
	document.addEventListener(
		'keyup',
		(event) => {
			if (settles(event) && !pressed.delete(event.key)) {
				stop(event);
			}
		},
		true,
	);
	let isNew: ReturnType<typeof setTimeout> | undefined;
	return () => {
		appeared();
		classList.add('new');
		clearTimeout(isNew);
		isNew = setTimeout(() => classList.remove('new'), KEY_GUARD);
	};
}

/**
 * Keeps keys from consenting on a page that asks for consent. Escape cancels.
 * @returns to be called when the page has appeared, and when it shows something new
 */
export function guardConsent(root: HTMLElement, cancel: () => void): () => void {
	const appeared = guardKeys();
	let isShown = false;
	document.addEventListener('keydown', (event) => {
		if (event.key === 'Escape' && !event.defaultPrevented && isShown) {
			event.preventDefault();
			cancel();
		}
	});
	return () => {
		if (!isShown) {
			isShown = true;
			// Never on a button: what is typed or pressed without looking must not be a consent.
			whenFocused(() => root.querySelector('h1')?.focus({ preventScroll: true }));
		}
		appeared();
	};
}

/** Whether a key is for an input method. In Safari, the one that ends a composition comes after it, and has this code alone. */
export function isComposing(event: KeyboardEvent): boolean {
	return event.isComposing || event.keyCode === 229;
}

/** Whether a key belongs to a text: a character, or a part of one. */
function isWriting({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
	return (key.length === 1 || key === 'Process') && !ctrlKey && !metaKey;
}

/** Whether a click is on a button, which may take none yet. */
function isOnButton(x: number, y: number): boolean {
	return [...document.querySelectorAll('button')].some((button) => {
		const { left, right, top, bottom } = button.getBoundingClientRect();
		return left <= x && x <= right && top <= y && y <= bottom;
	});
}

function isInText({ target }: KeyboardEvent): boolean {
	return target instanceof HTMLElement && target.matches(TEXT_FIELDS);
}

function isSubmit({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
	return key === 'Enter' && (ctrlKey || metaKey);
}

/** Whether a key divides a text: within one, that settles nothing, and must not get lost. */
function isLineBreak({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
	return key === 'Enter' && !ctrlKey && !metaKey && target instanceof HTMLElement && target.matches(LINES);
}

/** Whether a key could settle something where it is pressed: a space that is written settles nothing, and must not get lost. */
function settles(event: KeyboardEvent): boolean {
	return SETTLING.has(event.key) && !(event.key === ' ' && isInText(event));
}
