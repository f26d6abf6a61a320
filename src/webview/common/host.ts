import type { FromForm, FromResult, FromStart, FromUrl, ToForm, ToResult, ToStart, ToUrl } from '../../protocol.ts';
import type { FromTimeline, ToTimeline } from '../../timelineProtocol.ts';
import type { FromTrials, ToTrials } from '../../trialsProtocol.ts';

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
	send(message: From): void;
	/** Keeps a state while the page is hidden; in the editor's memory only. */
	save(state: unknown): void;
	saved(): unknown;
}

/**
 * Says `ready` and hands over every message. Nobody but the extension host can send any: they are what their types say. (What a page
 * sends is another matter, and validated by the host.)
 */
export function connect<
	To extends ToForm | ToResult | ToStart | ToTimeline | ToTrials | ToUrl,
	From extends FromForm | FromResult | FromStart | FromTimeline | FromTrials | FromUrl,
>(onMessage: (message: To, host: Host<From>) => void): void {
	const api = acquireVsCodeApi();
	const host: Host<From> = {
		send: (message) => api.postMessage(message),
		save: (state) => api.setState(state),
		saved: () => api.getState(),
	};
	window.addEventListener('message', ({ data }: MessageEvent<To>) => onMessage(data, host));
	api.postMessage({ type: 'ready' });
}
