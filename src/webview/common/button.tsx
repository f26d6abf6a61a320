import type { ButtonHTMLAttributes } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { onDidIgnore } from './keys.ts';
import { useT } from './text.tsx';

/** How long it is said that a key was ignored (ms). */
const IGNORED = 3_000;

/** A button that never submits by itself, and acts once while Enter is held down. */
export function Button(attributes: ButtonHTMLAttributes) {
	return <button type="button" onKeyDown={once} {...attributes} />;
}

function once(event: KeyboardEvent): void {
	if (event.repeat && event.key === 'Enter') {
		event.preventDefault();
	}
}

/** A toggle that shows what is masked. */
export function ShowButton({ isShown, children, ...attributes }: { readonly isShown: boolean } & ButtonHTMLAttributes) {
	const t = useT();
	return (
		<Button class="secondary" {...attributes} aria-pressed={isShown}>
			{children ?? t('Show')}
		</Button>
	);
}

/** Beside the buttons: says that a key or a click was ignored. */
export function Ignored() {
	const t = useT();
	const [count, setCount] = useState(0);
	useLayoutEffect(() => {
		let timer: ReturnType<typeof setTimeout> | undefined;
		const { dispose } = onDidIgnore(() => {
			setCount((before) => before + 1);
			clearTimeout(timer);
			timer = setTimeout(() => setCount(0), IGNORED);
		});
		return () => {
			clearTimeout(timer);
			dispose();
		};
	}, []);
	return (
		<p class="ignored" role="status">
			{count === 0 ? null : (
				<span key={count}>{t('Ignored: it came too soon to be meant for this. Press again.')}</span>
			)}
		</p>
	);
}
