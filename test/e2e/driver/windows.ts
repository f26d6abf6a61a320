import { type Changes, type Editor, type EditorOptions, type Kind, openEditor as open } from './editor.ts';

/** The open windows. True if a test opened it; otherwise a hook did, and it stays open until the end of the file. */
const windows = new Map<Editor, boolean>();
let testing = false;

/**
 * Opens a window with a new workspace. A window that a test opened is closed, and checked for errors, when the test
 * ends.
 */
export async function openEditor(options?: EditorOptions): Promise<Editor> {
	const ofTest = testing;
	const editor = await open(options);
	windows.set(editor, ofTest);
	return editor;
}

/** Windows to be reused, by their kind. */
const reused = new Map<string, Editor>();

/**
 * Gives a test the window of an earlier one, with other files and settings, which takes a tenth of the time of a new one.
 * What the extension remembers stays: consents, calls, and how much a server has asked. So servers need other names.
 */
export async function reuseEditor(options: Changes & Kind): Promise<Editor> {
	const { trusted, language, beside, debugger: debugs } = options;
	const kind = JSON.stringify([trusted, language, beside, debugs]);
	const found = reused.get(kind);
	if (found !== undefined) {
		await found.change(options);
		return found;
	}
	const editor = await open(options);
	windows.set(editor, false);
	reused.set(kind, editor);
	return editor;
}

/** Says whether windows opened from now on are a test's. */
export function inTest(running: boolean): void {
	testing = running;
}

/** Returns and clears the errors of all open windows. */
export function takeFaults(): string[] {
	return [...windows.keys()].flatMap((editor) => editor.takeFaults());
}

/**
 * Saves screenshots of the open windows after a failure, and returns their text for environments that keep only the
 * output.
 */
export async function showWindows(failed: string, why = 'a hook failed'): Promise<string> {
	const shown = [];
	for (const [index, editor] of [...windows.keys()].entries()) {
		const [text] = await Promise.allSettled([editor.text(), editor.screenshot(`failed ${failed} ${index}`, true)]);
		shown.push(`Window ${index} shows:\n${text.status === 'fulfilled' ? text.value : text.reason}`);
	}
	console.warn([`Failed ${failed}: ${why}`, ...shown].join('\n'));
	return shown.join('\n');
}

/** Closes the windows that a test opened, or all of them. */
export async function closeWindows(which: 'of the test' | 'all'): Promise<void> {
	const closing = [...windows].filter(([, ofTest]) => ofTest || which === 'all').map(([editor]) => editor);
	for (const editor of closing) {
		windows.delete(editor);
	}
	if (which === 'all') {
		reused.clear();
	}
	const ends = await Promise.allSettled(closing.map((editor) => editor.close({ page: 'keep' })));
	const failed = ends.find((end) => end.status === 'rejected');
	if (failed !== undefined) {
		throw failed.reason;
	}
}
