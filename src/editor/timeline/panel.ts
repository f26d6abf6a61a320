import {
	type FromTimeline,
	fromTimeline,
	type ShownPlace,
	type ShownRows,
	type ToTimeline,
} from '../../timelineProtocol.ts';
import { NO_FILTER } from '../../trace/filter.ts';
import { type Line, lineKey, lineOf } from '../../trace/line.ts';
import { Outline, type OutlineChoices } from '../../trace/outline.ts';
import type { Timeline } from '../../trace/timeline.ts';
import { localize } from '../common/localize.ts';
import { coalesce } from '../common/scheduling.ts';
import { Page } from '../common/webviewPage.ts';
import { act } from './actions.ts';
import { Details } from './details.ts';
import { copy, shownRow } from './lines.ts';
import type { TimelineContext } from './timelineContext.ts';

/** Min time between two updates of the panel (ms), so that a busy server does not keep it redrawing. */
const UPDATE_INTERVAL = 200;

/** Max time spent filtering before yielding to the event loop (ms). */
const SLICE = 25;

/** Max number of methods in the filter. */
const MAX_METHODS = 100;

/** Rows that are sent unasked, so that something is shown at once. */
const FIRST_ROWS = 80;

/** Key of the share of the list (percent). */
const SHARE_KEY = 'timeline.share';

export type TimelinePage = Page<ToTimeline, typeof fromTimeline>;

/** What the user has chosen in a panel. */
export interface PanelChoices {
	readonly outline: OutlineChoices;
	/** When the first message was recorded (ms since the epoch). In another recording, keys are of other lines. */
	readonly since: number;
}

export interface PanelContext extends Pick<TimelineContext, 'extensionUri' | 'memento' | 'commands'> {
	readonly timeline: Timeline;
	/** Set for a recording, which is read-only. */
	readonly recording?: {
		/** The page in the panel that VS Code has opened for its file. */
		readonly page: TimelinePage;
		/** What there is to know about the file; translated. */
		readonly notice: string;
		/** How it was shown before its file changed. */
		readonly before: PanelChoices | undefined;
	};
	/** Opens a line as JSON. */
	open(line: Line): Promise<void>;
	export(outline: Outline): Promise<void>;
	/** Forgets all messages, and the calls and elicitations that have ended. Not for a recording. */
	clear?(): void;
	closed(): void;
}

type Wanted = Omit<Extract<FromTimeline, { type: 'rows' }>, 'type'>;

/** The timeline as an editor: the lines that its page asks for, filtered and folded. */
export class TimelinePanel {
	readonly #page: TimelinePage;
	readonly #outline: Outline;
	readonly #details: Details;
	/** Key of the line to reveal once the webview has loaded, which it does again whenever it was hidden. */
	#pendingReveal: string | undefined;

	constructor(private readonly context: PanelContext) {
		const { timeline, extensionUri, recording } = context;
		const before = recording?.before;
		this.#outline = new Outline(timeline, before?.outline);
		this.#details = new Details(timeline, context.commands);
		const title = localize('MCP Timeline');
		this.#page =
			recording?.page ?? new Page(extensionUri, { name: 'timeline', title, background: false, messages: fromTimeline });
		const changed = coalesce(() => this.tick(), UPDATE_INTERVAL);
		this.#page.own(timeline.onDidChange(changed), changed);
		// A recording begins at its newest call.
		this.#pendingReveal = recording && !before ? timeline.groups[0]?.key : undefined;
		this.#page.open({
			show: () => this.#show(),
			receive: (message) => this.#receive(message),
			closed: context.closed,
		});
	}

	/** Undefined while there was nothing to choose from. */
	get choices(): PanelChoices | undefined {
		const [first] = this.#pendingReveal === undefined ? this.context.timeline.trace.entries : [];
		return first && { outline: this.#outline.choices, since: first.at };
	}

	/** Reveals the panel and, if a key is given, its line. */
	reveal(key: string | undefined): void {
		this.#page.reveal();
		if (this.#page.isVisible) {
			this.#goTo(key);
		} else {
			this.#pendingReveal = key ?? this.#pendingReveal;
		}
	}

	/** The page asks for what it shows, such as clocks of running calls. */
	tick(): void {
		if (this.#page.isVisible) {
			this.#page.post({ type: 'changed' });
		}
	}

	dispose(): void {
		this.#page.dispose();
	}

	async #receive(message: FromTimeline): Promise<void> {
		switch (message.type) {
			case 'rows':
				this.#page.post({ type: 'rows', ...this.#rows(message) });
				return;
			case 'detail':
				this.#tellDetail(message);
				return;
			case 'go':
				this.#goTo(message.key);
				return;
			case 'filter':
				this.#outline.setFilter(message.filter);
				return;
			case 'foldAll':
				this.#outline.foldAll(message.open);
				return;
			case 'export':
				await this.context.export(this.#outline);
				return;
			case 'share':
				await this.context.memento.update(SHARE_KEY, message.share);
				return;
			case 'clear':
				this.context.clear?.();
				return;
			default:
				await this.#receiveAbout(message);
		}
	}

	/** Handles a message about one line. Ignored if the line no longer exists. */
	async #receiveAbout(message: Extract<FromTimeline, { type: 'fold' | 'open' | 'copy' | 'act' }>): Promise<void> {
		const line = lineOf(this.context.timeline, message.key);
		if (!line) {
			return;
		}
		switch (message.type) {
			case 'fold':
				this.#outline.fold(line, message.open);
				return;
			case 'open':
				await this.context.open(line);
				return;
			case 'copy':
				await copy(this.context.timeline, this.#details, line, message.part);
				this.#page.post({ type: 'said', text: localize('Copied without secrets.') });
				return;
			case 'act':
				await act(this.context.timeline, line, message.action);
		}
	}

	/** The webview was loaded, either for the first time or after it was hidden. */
	#show(): void {
		const share = this.context.memento.get<unknown>(SHARE_KEY);
		const { recording } = this.context;
		const line = this.#placeOf(this.#pendingReveal);
		this.#pendingReveal = undefined;
		this.#page.post({
			type: 'show',
			...this.#around(line),
			...(line && { line }),
			...(typeof share === 'number' && { share }),
			...(recording && { recorded: recording.notice }),
		});
	}

	/** Reveals a line, even if it is collapsed or filtered out. */
	#goTo(key: string | undefined): void {
		const line = this.#placeOf(key);
		if (line) {
			this.#page.post({ type: 'reveal', line, ...this.#around(line) });
		}
	}

	/** Where a line is after its parents were expanded and, if it does not match the filter, that was cleared. */
	#placeOf(key: string | undefined): ShownPlace | undefined {
		const line = key === undefined ? undefined : lineOf(this.context.timeline, key);
		if (!line) {
			return undefined;
		}
		this.#outline.reveal(line);
		this.#outline.refresh();
		if (this.#outline.indexOf(line) === undefined) {
			this.#outline.setFilter(NO_FILTER);
			this.#outline.refresh();
		}
		const index = this.#outline.indexOf(line);
		return index === undefined ? undefined : { key: lineKey(line), index };
	}

	/** The rows around a line, or the first ones. */
	#around(line: ShownPlace | undefined): Pick<Extract<ToTimeline, { type: 'show' }>, 'filter' | 'rows'> {
		const first = Math.max(0, (line?.index ?? 0) - FIRST_ROWS / 2);
		const rows = this.#rows({ first, count: FIRST_ROWS, anchor: undefined, selected: line?.key });
		return { filter: this.#outline.filter, rows };
	}

	#rows({ first, count, anchor, selected }: Wanted): ShownRows {
		this.#dropGoneGroup();
		const { timeline } = this.context;
		const { trace } = timeline;
		const outline = this.#outline;
		const through = outline.refresh(SLICE);
		const { found, filter, size } = outline;
		const moved = anchor ? (this.#indexOf(anchor.key) ?? anchor.index) - anchor.index : 0;
		const from = Math.max(0, Math.min(first + moved, size - count));
		const index = selected === undefined ? undefined : this.#indexOf(selected);
		const only = timeline.group(filter.group);
		return {
			total: size,
			first: from,
			rows: outline.rows(from, count).map((row) => shownRow(timeline, row)),
			...(selected !== undefined && { selected: { key: selected, ...(index !== undefined && { index }) } }),
			...(found && { found }),
			searching: !through,
			messages: trace.length,
			dropped: trace.dropped,
			servers: timeline.servers,
			methods: timeline.methods.slice(0, MAX_METHODS),
			...(only && { only: only.call?.name ?? only.server }),
		};
	}

	#indexOf(key: string): number | undefined {
		const line = lineOf(this.context.timeline, key);
		return line && this.#outline.indexOf(line);
	}

	/** The filter for a call that is no longer remembered would hide all others for good. */
	#dropGoneGroup(): void {
		const { filter } = this.#outline;
		const { group } = filter;
		if (group !== '' && !this.context.timeline.group(group)) {
			this.#outline.setFilter({ ...filter, group: '' });
			this.#page.post({ type: 'gone', group });
		}
	}

	#tellDetail({ key, known }: Extract<FromTimeline, { type: 'detail' }>): void {
		const line = lineOf(this.context.timeline, key);
		if (!line) {
			this.#page.post({ type: 'detail' });
		} else if (this.#details.versionOf(line) !== known) {
			this.#page.post({ type: 'detail', detail: this.#details.of(line) });
		}
	}
}
