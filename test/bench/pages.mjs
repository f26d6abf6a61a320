// @ts-check
/** How fast a result and the timeline of an ordinary day stand before the person; compared with an empty webview panel. `form.mjs` has the form. */
import { ask, inEditor } from './editor.mjs';
import { inTurns, median } from './report.mjs';
import { rememberShown, timeUntil } from './shown.mjs';

const ROUNDS = 15;
const MESSAGES = 200;

/** @returns {Promise<import('./report.mjs').Row[]>} */
export default function pageBenchmarks() {
	return inEditor({}, rememberShown, async (page, panel, server) => {
		await ask(server, '/say', { count: MESSAGES });
		const { empty, result, timeline } = await inTurns('pages', ROUNDS, {
			empty: () => timeUntil(page, panel, '/', 'input'),
			result: () => timeUntil(page, panel, '/run/mcpElicitation.callTool/told/hello', 'h1'),
			timeline: () => timeUntil(page, panel, '/run/mcpElicitation.showTimeline', '[role=treeitem]'),
		});
		const emptyPanel = /** @type {const} */ ([median(empty), 'empty webview panel']);
		return [
			['result visible, from the start of the call, ms', median(result), emptyPanel, 'ratio ≤ 1.2'],
			['timeline visible, ms', median(timeline), emptyPanel, 'ratio ≤ 1.2'],
		];
	});
}
