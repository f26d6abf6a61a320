import type * as vscode from 'vscode';
import type { Line } from '../../trace/line.ts';
import { Timeline } from '../../trace/timeline.ts';
import { exportTimeline } from './exportTimeline.ts';
import { jsonOf, titleOf } from './lines.ts';
import { TimelinePanel } from './panel.ts';
import { RecordingDocument, Recordings } from './recordings.ts';
import { clearTimeline, type TimelineContext } from './timelineContext.ts';
import { TimelineTree } from './timelineTree.ts';

/** The view and the panel of the timeline, and their commands. */
export class TimelineSurfaces implements vscode.Disposable {
	readonly tree: TimelineTree;
	readonly #timeline: Timeline;
	readonly #recordings: Recordings;
	#panel: TimelinePanel | undefined;

	/** @param changed called when the view must be redrawn */
	constructor(
		private readonly context: TimelineContext,
		changed: () => void,
	) {
		this.#timeline = new Timeline(context.registry, context.trace);
		this.tree = new TimelineTree(this.#timeline, changed);
		this.#recordings = new Recordings(context);
	}

	/** Opens the panel, at a line if one is given. */
	async show(target: unknown): Promise<void> {
		this.#panel ??= new TimelinePanel({
			...this.context,
			timeline: this.#timeline,
			clear: () => clearTimeline(this.context),
			open: (line) => this.#open(line),
			export: (outline) => exportTimeline(this.#timeline, outline),
			closed: () => {
				this.#panel = undefined;
			},
		});
		this.#panel.reveal(typeof target === 'string' ? target : undefined);
	}

	async export(): Promise<void> {
		await exportTimeline(this.#timeline, undefined);
	}

	/** Lets the user pick recordings, unless the target is one, and opens them. */
	openRecording(target: unknown): Promise<void> {
		return this.#recordings.open(target);
	}

	/** Opens the file of a recording for an editor. */
	openDocument(file: vscode.Uri): RecordingDocument {
		return new RecordingDocument(file);
	}

	/** Shows a recording in the panel of its editor. */
	showRecording(document: RecordingDocument, panel: vscode.WebviewPanel): void {
		this.#recordings.show(document, panel);
	}

	dispose(): void {
		this.#recordings.dispose();
		this.#panel?.dispose();
		this.tree.dispose();
		this.#timeline.dispose();
	}

	/** Opens a message or an elicitation as read-only JSON. */
	async #open(line: Line): Promise<void> {
		await this.context.documents.open(titleOf(line), jsonOf(this.#timeline, line));
	}
}
