import type { ButtonHTMLAttributes } from 'preact';

/** A button that never submits by itself. */
export function Button(attributes: ButtonHTMLAttributes) {
	return <button type="button" {...attributes} />;
}
