import * as vscode from 'vscode';
import type { Line } from '../../trace/line.ts';
import { Timeline } from '../../trace/timeline.ts';
import { coalesce } from '../common/scheduling.ts';
import { exportTimeline } from './exportTimeline.ts';
import { jsonOf, titleOf } from './lines.ts';
import { TimelinePanel } from './panel.ts';
import { RecordingDocument, Recordings } from './recordings.ts';
import { clearTimeline, type TimelineContext } from './timelineContext.ts';
import { type Node, TimelineTree } from './timelineTree.ts';

/** How often the clocks of running calls are drawn (ms), as in the status bar. */
const TICK = 1_000;

/** The view and the panel of the timeline, and their commands. */
export class TimelineSurfaces implements vscode.Disposable {
	readonly tree: TimelineTree;
	readonly #timeline: Timeline;
	readonly #recordings: Recordings;
	readonly #clocks: vscode.Disposable;
	#panel: TimelinePanel | undefined;

	/** @param changed called when the view, or a row of it, must be redrawn */
	constructor(
		private readonly context: TimelineContext,
		changed: (node?: Node) => void,
	) {
		this.#timeline = new Timeline(context.registry, context.trace);
		this.tree = new TimelineTree(this.#timeline, changed);
		this.#recordings = new Recordings(context);
		const { registry } = context;
		const count = () => registry.calls.some(({ state }) => state === 'running') && tick();
		const tick = coalesce(() => {
			this.tree.tick();
			this.#panel?.tick();
			count();
		}, TICK);
		this.#clocks = vscode.Disposable.from(tick, registry.onDidChangeCalls(count));
		count();
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
		this.#clocks.dispose();
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
