import { startForm } from './form.ts';
import { startResult } from './result.ts';
import { startStart } from './start.ts';
import { startTimeline } from './timeline.ts';
import { startTrials } from './trials.ts';
import { startUrl } from './url.ts';

/** One script for all pages, because they share most of it; each says which one it is. */
const pages: Readonly<Record<string, (root: HTMLElement) => void>> = {
	form: startForm,
	result: startResult,
	start: startStart,
	timeline: startTimeline,
	trials: startTrials,
	url: startUrl,
};

const root = document.getElementById('app');
if (root !== null) {
	pages[root.dataset.page ?? '']?.(root);
}
