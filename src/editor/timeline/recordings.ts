import * as vscode from 'vscode';
import { native } from '../../elicitation/display.ts';
import { fromTimeline, type ToTimeline } from '../../timelineProtocol.ts';
import type { Line } from '../../trace/line.ts';
import { type Played, playRecording } from '../../trace/recording/recordedTimeline.ts';
import { Timeline } from '../../trace/timeline.ts';
import { localize } from '../common/localize.ts';
import { bytesOfRecording, chooseRecordings, RECORDING_EDITOR } from '../common/recordingFiles.ts';
import { coalesce, inSlices } from '../common/scheduling.ts';
import { Page } from '../common/webviewPage.ts';
import { exportTimeline } from './exportTimeline.ts';
import { jsonOf, titleOf } from './lines.ts';
import { type PanelChoices, type TimelinePage, TimelinePanel } from './panel.ts';
import type { TimelineContext } from './timelineContext.ts';

/** Smaller progress is not shown (of 1). */
const PROGRESS_STEP = 0.05;

/** Delay after a change of the file before it is read again (ms), because it may be written in parts. */
const CHANGE_DELAY = 500;

type Reading = Extract<ToTimeline, { type: 'reading' }>;

/** A recording that has been read. */
interface Read {
	readonly timeline: Timeline;
	/** What there is to know about the file; translated. */
	readonly notice: string;
}

/** The file of a recording. It is read from when VS Code opens it, while it makes a panel. */
export class RecordingDocument implements vscode.CustomDocument {
	#bytes: Promise<Uint8Array> | undefined;

	constructor(readonly uri: vscode.Uri) {
		this.#bytes = bytesOfRecording(uri);
		// The panel tells of it.
		this.#bytes.catch(() => {});
	}

	/** Its contents, which are not kept: a panel needs them once. */
	bytes(): Promise<Uint8Array> {
		const bytes = this.#bytes ?? bytesOfRecording(this.uri);
		this.#bytes = undefined;
		return bytes;
	}

	dispose(): void {
		this.#bytes = undefined;
	}
}

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

	/** Shows a recording in a panel, and anew when its file has changed: the timeline may be exported to it again. */
	show(document: RecordingDocument, panel: vscode.WebviewPanel): void {
		let choices: PanelChoices | undefined;
		let shown = this.#show(document, panel, choices);
		let closed = false;
		const again = coalesce(() => {
			if (!closed) {
				choices = shown.release() ?? choices;
				shown = this.#show(document, panel, choices);
			}
		}, CHANGE_DELAY);
		const { uri } = document;
		const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
		// The name is a glob there.
		const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), name.replace(/[[\]{}*?]/g, '?'));
		const watcher = vscode.workspace.createFileSystemWatcher(pattern);
		// Changes are watched only once the file has been read. Otherwise, a file that keeps growing would never be shown.
		const look = (changed: vscode.Uri) => String(changed) === String(uri) && shown.read.then(again);
		const watching = [again, watcher, watcher.onDidChange(look), watcher.onDidCreate(look)];
		panel.onDidDispose(() => {
			closed = true;
			vscode.Disposable.from(...watching).dispose();
		});
	}

	/**
	 * Shows a recording, and until it is read, how much of it is. Returns before, because VS Code does not load the page
	 * earlier.
	 * @param before how it was shown before its file changed
	 * @returns `read`: resolves once the recording is shown, or cannot be; `release`: leaves the panel to another one, and
	 * returns how it was shown, if it was
	 */
	#show(
		document: RecordingDocument,
		panel: vscode.WebviewPanel,
		before: PanelChoices | undefined,
	): { readonly read: Promise<void>; release(): PanelChoices | undefined } {
		const options = { name: 'timeline', title: native(''), background: false, messages: fromTimeline, panel } as const;
		const page: TimelinePage = new Page(this.context.extensionUri, options);
		let reading: Reading = { type: 'reading', text: localize('Reading the recording…'), progress: 0 };
		const tell = (how: Reading) => {
			reading = how;
			page.post(reading);
		};
		// The page says nothing before it has a timeline.
		page.open({ show: () => tell(reading), receive: () => {} });
		let shown: TimelinePanel | undefined;
		const read = this.#read(document, (progress) => {
			if (progress >= (reading.progress ?? 0) + PROGRESS_STEP) {
				tell({ ...reading, progress });
			}
		})
			.then((read) => {
				if (!page.isClosed) {
					shown = this.#open(page, read, before);
				}
			})
			.catch((error) => {
				const reason = error instanceof Error ? error.message : String(error);
				tell({ type: 'reading', text: localize('The recording could not be read: {0}', reason) });
			});
		return {
			read,
			release: () => {
				const choices = shown?.choices;
				page.release();
				return choices;
			},
		};
	}

	#open(page: TimelinePage, { timeline, notice }: Read, before: PanelChoices | undefined): TimelinePanel {
		const { documents, extensionUri, memento } = this.context;
		const shown = new TimelinePanel({
			commands: this.context.commands,
			extensionUri,
			memento,
			timeline,
			recording: { page, notice, before: before?.since === timeline.trace.entries[0]?.at ? before : undefined },
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
		return shown;
	}

	dispose(): void {
		for (const panel of this.#panels) {
			panel.dispose();
		}
	}

	/** @param onProgress called now and then with how much is read (0 to 1) */
	async #read(document: RecordingDocument, onProgress: (progress: number) => void): Promise<Read> {
		const steps = playRecording(await document.bytes(), this.context.trace.privacy.configured);
		const played = await inSlices(steps, onProgress);
		const { registry, trace } = played.recorded;
		return { timeline: new Timeline(registry, trace, true), notice: noticeOf(played) };
	}
}

function noticeOf({ recorded, unreadable, cutOff }: Played): string {
	return [
		localize('This is a recording. It is read again when its file changes.'),
		...(unreadable > 0
			? [
					unreadable === 1
						? localize('1 line holds no message and was skipped.')
						: localize('{0} lines hold no message and were skipped.', unreadable),
				]
			: []),
		...(cutOff ? [localize('The file ends in the middle of a message.')] : []),
		...(recorded.derivesTimes ? [localize('The times of its calls are those between their messages.')] : []),
		...(recorded.trace.length === 0 && unreadable > 0 ? [localize('Is it an exported timeline?')] : []),
	].join(' ');
}
