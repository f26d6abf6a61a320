import * as vscode from 'vscode';
import { type Line, lineKey } from '../../trace/line.ts';
import type { Recording } from '../../trace/recording/readRecording.ts';
import { RecordedTimeline } from '../../trace/recording/recordedTimeline.ts';
import { Timeline } from '../../trace/timeline.ts';
import { localize } from '../common/localize.ts';
import { chooseRecordings, inSlices, RECORDING_EDITOR, readRecordingFile } from '../common/recordingFiles.ts';
import { createPage } from '../common/webviewPage.ts';
import type { TimelineContext } from './context.ts';
import { exportTimeline } from './exportTimeline.ts';
import { TimelinePanel } from './panel.ts';
import { jsonOf, titleOf } from './values.ts';

/** Recordings in editors: exported timelines, shown like the timeline of this window. */
export class Recordings implements vscode.Disposable {
	readonly #panels = new Set<TimelinePanel>();

	constructor(private readonly context: TimelineContext) {}

	/** Opens recordings in editors of their own. Lets the user pick files, unless the target is one. */
	async open(target: unknown): Promise<void> {
		for (const file of await chooseRecordings(target, true)) {
			await vscode.commands.executeCommand('vscode.openWith', file, RECORDING_EDITOR);
		}
	}

	/** Shows a recording in a panel. Rejects with an error that can be shown to the user. */
	async show(file: vscode.Uri, panel: vscode.WebviewPanel): Promise<void> {
		const { documents, extensionUri, memento } = this.context;
		let closed = false;
		panel.onDidDispose(() => {
			closed = true;
		});
		// Loads while the file is read.
		const page = createPage(extensionUri, { name: 'timeline', title: '', background: false, panel });
		const { timeline, notice } = await this.#read(file);
		if (closed) {
			return;
		}
		const shown = new TimelinePanel({
			extensionUri,
			memento,
			timeline,
			recording: { page, notice },
			open: async (line: Line) => {
				await documents.open(titleOf(line), jsonOf(timeline, line));
			},
			export: (outline) => exportTimeline(timeline, outline),
			closed: () => {
				this.#panels.delete(shown);
				timeline.dispose();
			},
		});
		this.#panels.add(shown);
		const [newest] = timeline.groups;
		if (newest) {
			shown.reveal(lineKey({ kind: 'group', group: newest }));
		}
	}

	dispose(): void {
		for (const panel of this.#panels) {
			panel.dispose();
		}
	}

	async #read(file: vscode.Uri): Promise<{ timeline: Timeline; notice: string }> {
		const recording = await readRecordingFile(file);
		const recorded = new RecordedTimeline(this.context.trace.secrets);
		await inSlices(recorded.play(recording.messages));
		return { timeline: new Timeline(recorded.registry, recorded.trace, true), notice: noticeOf(recording) };
	}
}

function noticeOf({ messages, unreadable, cutOff }: Recording): string {
	return [
		localize('This is a recording: nothing in it changes.'),
		...(unreadable > 0
			? [
					unreadable === 1
						? localize('1 line holds no message and was skipped.')
						: localize('{0} lines hold no message and were skipped.', unreadable),
				]
			: []),
		...(cutOff ? [localize('The file ends in the middle of a message.')] : []),
		...(messages.length === 0 && unreadable > 0 ? [localize('Is it an exported timeline?')] : []),
	].join(' ');
}
