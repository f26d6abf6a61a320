import type { ButtonHTMLAttributes } from 'preact';
import { useT } from './text.tsx';

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
