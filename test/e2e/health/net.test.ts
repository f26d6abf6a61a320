import { expect } from 'vitest';
import { itByNight } from '../../nightly.ts';
import { callTool, openEditor, Probe, program, servers, until } from '../driver/index.ts';

/** Waits for a logged error with this text and clears it, because the window couldn't be closed otherwise. */
function fault(editor: Awaited<ReturnType<typeof openEditor>>, text: string): Promise<string> {
	return until(`the fault ${text}`, () => editor.takeFaults().find((each) => each.includes(text)));
}

itByNight(
	'a promise of the extension that rejects with nobody listening is a fault of every end-to-end test',
	async () => {
		const editor = await openEditor({ beside: ['probe'] });
		const probe = await Probe.in(editor);
		expect(editor.faults()).toEqual([]);
		await probe.reject('Nobody handles this.');
		await fault(editor, 'Nobody handles this.');
	},
);

itByNight('so is an error that nobody catches in one of its pages', async () => {
	const editor = await openEditor({ machineSettings: servers({ sdk1: program('sdk1') }) });
	await callTool(editor, { tool: 'progress' });
	const form = await editor.frameOf('button', 'Call');
	const texts = await form.locator('#app ~ script').allTextContents();
	const [, script] = /\/\/# sourceURL=(\S+)/.exec(texts.join('\n')) ?? [];
	expect(script).toContain('/dist/webview/');
	expect(editor.faults()).toEqual([]);
	// Throws as if from a line of the webview's script.
	await form.evaluate(`setTimeout(() => { throw new Error('Nobody catches this.'); });\n//# sourceURL=${script}`);
	await fault(editor, 'Nobody catches this.');
	await form.evaluate(`void Promise.reject(new Error('Nobody handles this.'));\n//# sourceURL=${script}`);
	await fault(editor, 'Nobody handles this.');
});
