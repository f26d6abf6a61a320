/** Drives the packaged extension in a real editor. Import `openEditor` from here: it cleans up after each test. */
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { type Editor, type EditorOptions, openEditor as open } from './editor.ts';
import { endServers } from './servers.ts';
import { endSession } from './session.ts';
import { afterAttempt } from './skipAfterFailures.ts';

export { Editor, type EditorOptions } from './editor.ts';
export {
	answerIn,
	argumentsForm,
	ask,
	callTool,
	formOf,
	formOfServer,
	lookAt,
	resultOf,
	structured,
	urlPanel,
} from './flows.ts';
export { type HostVitals, Probe } from './probe.ts';
export { type Proxy, proxy } from './proxy.ts';
export { callRawServer, definitionsOf, openRawServer, type RawServer } from './rawServers.ts';
export { recordingStarts, startsOf } from './recordStart.ts';
export { type Definition, demo, everything, overHttp, program, servers } from './servers.ts';
export { appears, succeeds, until } from './waiting.ts';
export { Modal, Notification, QuickInput, type Text } from './workbenchElements.ts';

declare module 'vitest' {
	interface TaskMeta {
		/** What the windows showed at each failed attempt, for the summary of all suites. */
		shown?: string;
	}
}

/** The open windows. True if a test opened it; otherwise a hook did, and it stays open until the end of the file. */
const windows = new Map<Editor, boolean>();
let testing = false;
let tested = false;

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

beforeEach(() => {
	testing = true;
	tested = true;
});

afterEach(async ({ task }) => {
	testing = false;
	if (task.result?.state === 'fail') {
		// Reported for both attempts, because the second may fail only because of the first.
		const why = task.result.errors?.at(-1)?.message;
		task.meta.shown = `${task.meta.shown ?? ''}\n${await showWindows(task.name, why)}`;
	}
	afterAttempt(task);
	const faults = [...windows.keys()].flatMap((editor) => editor.takeFaults());
	await closeAll([...windows].filter(([, ofTest]) => ofTest).map(([editor]) => editor));
	expect(faults, 'errors that the extension left behind').toEqual([]);
});

afterAll(async () => {
	if (!tested) {
		await showWindows('to begin');
	}
	await closeAll([...windows.keys()])
		.finally(endSession)
		.finally(endServers);
});

/**
 * Saves screenshots of the open windows after a failure, and returns their text for environments that keep only the
 * output.
 */
async function showWindows(failed: string, why = 'a hook failed'): Promise<string> {
	const shown = [];
	for (const [index, editor] of [...windows.keys()].entries()) {
		const [text] = await Promise.allSettled([editor.text(), editor.screenshot(`failed ${failed} ${index}`)]);
		shown.push(`Window ${index} shows:\n${text.status === 'fulfilled' ? text.value : text.reason}`);
	}
	console.warn([`Failed ${failed}: ${why}`, ...shown].join('\n'));
	return shown.join('\n');
}

async function closeAll(editors: readonly Editor[]): Promise<void> {
	for (const editor of editors) {
		windows.delete(editor);
	}
	const ends = await Promise.allSettled(editors.map((editor) => editor.close()));
	const failed = ends.find((end) => end.status === 'rejected');
	if (failed !== undefined) {
		throw failed.reason;
	}
}
