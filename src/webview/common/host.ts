import { english, type Translate } from '../../elicitation/sentence.ts';

interface VsCodeApi {
	postMessage(message: unknown): void;
	getState(): unknown;
	setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** Starts the page that the document says it is. */
export function startPage(pages: Readonly<Record<string, (root: HTMLElement) => void>>): void {
	const root = document.getElementById('app');
	if (root !== null) {
		pages[root.dataset.page ?? '']?.(root);
	}
}

/** The extension host, as a page sees it. */
export interface Host<From> {
	/** Translates a text of the page. */
	readonly t: Translate;
	send(message: From): void;
	/** Keeps a state while the page is hidden; in the editor's memory only. */
	save(state: unknown): void;
	saved(): unknown;
}

type Shown<To> = Extract<To, { readonly type: 'show' }>;

/**
 * Says `ready`, and opens the page with what is to be shown. Nobody but the extension host can send a message: they are what
 * their types say. (What a page sends is another matter, and checked by the host.)
 * @param open returns what takes all further messages
 * @param before takes messages that come before there is anything to show
 */
export function connect<To extends { readonly type: string }, From>(
	open: (shown: Shown<To>, host: Host<From>) => (message: To) => void,
	before: (message: To) => void = () => {},
): void {
	const api = acquireVsCodeApi();
	const host: Host<From> = {
		t: translator(),
		send: (message) => api.postMessage(message),
		save: (state) => api.setState(state),
		saved: () => api.getState(),
	};
	let receive: ((message: To) => void) | undefined;
	window.addEventListener('message', ({ data }: MessageEvent<To>) => {
		if (receive || data.type !== 'show') {
			(receive ?? before)(data);
		} else {
			receive = open(data as Shown<To>, host);
		}
	});
	api.postMessage({ type: 'ready' });
}

/** Translates with what the document brings along. English is the key and the fallback. */
function translator(): Translate {
	const texts: Readonly<Record<string, string>> = JSON.parse(document.getElementById('texts')?.textContent ?? '{}');
	return (text, ...args) => english(Object.hasOwn(texts, text) ? (texts[text] as string) : text, ...args);
}
