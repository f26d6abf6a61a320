import { startForm } from './form/form.tsx';
import { startResult } from './result/result.tsx';
import { startStart } from './start/start.tsx';
import { startTimeline } from './timeline/timeline.tsx';
import { startTrials } from './trials/trials.tsx';
import { startUrl } from './url/url.tsx';

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
