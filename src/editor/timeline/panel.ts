import {
	type FromTimeline,
	fromTimeline,
	MAX_ROWS,
	type ShownDetail,
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
import type { TimelineContext } from './context.ts';
import { Details } from './details.ts';
import { copy, shownRow } from './lines.ts';

/** Min time between two updates of the panel (ms), so that a busy server does not keep it redrawing. */
const UPDATE_INTERVAL = 200;

/** Max time spent filtering before yielding to the event loop (ms). */
const SLICE = 25;

/** Update interval of a running call's clocks (ms). */
const TICK = 1_000;

/** Max number of methods in the filter. */
const MAX_METHODS = 100;

/** Rows that are sent before the webview knows how many it shows, so that it shows them without asking. */
const FIRST_ROWS = 60;

/** Key of the share of the list (percent). */
const SHARE_KEY = 'timeline.share';

export type TimelinePage = Page<ToTimeline, typeof fromTimeline>;

/** What the user has chosen in a panel. */
export interface PanelChoices {
	readonly outline: OutlineChoices;
	/** Key of a line. */
	readonly selected: string;
	/** When the first message was recorded (ms since the epoch). In another recording, keys are of other lines. */
	readonly since: number | undefined;
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

/** The rows that the webview shows. */
interface RowWindow {
	first: number;
	count: number;
	/** The row at the upper edge, which must not move. */
	anchor?: { readonly key: string; index: number };
}

/**
 * The timeline as an editor. The webview requests and shows rows; the extension host keeps the filter, the collapsed
 * state and the selection.
 */
export class TimelinePanel {
	readonly #page: TimelinePage;
	readonly #outline: Outline;
	readonly #details: Details;
	readonly #update = coalesce(() => this.#push(), UPDATE_INTERVAL);
	#window: RowWindow = { first: 0, count: FIRST_ROWS };
	#origin = 0;
	#selected: string | undefined;
	/** The state of the line whose details were sent last, so that only changes are sent. */
	#sent: string | undefined;
	/** Key of the line to reveal once the webview has loaded, which it does again whenever it was hidden. */
	#pendingReveal: string | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(private readonly context: PanelContext) {
		const { timeline, extensionUri, recording } = context;
		const before = recording?.before;
		this.#outline = new Outline(timeline, before?.outline);
		this.#selected = before?.selected;
		this.#details = new Details(timeline, context.commands);
		const title = localize('MCP Timeline');
		this.#page =
			recording?.page ?? new Page(extensionUri, { name: 'timeline', title, background: false, messages: fromTimeline });
		this.#page.own(timeline.onDidChange(this.#update), this.#update);
		// A recording begins at its newest call.
		this.#pendingReveal = recording && !before ? timeline.groups[0]?.key : undefined;
		this.#page.open({
			show: () => this.#show(),
			receive: (message) => this.#receive(message),
			closed: () => {
				clearTimeout(this.#timer);
				context.closed();
			},
		});
	}

	/** Undefined while there was nothing to choose from. */
	get choices(): PanelChoices | undefined {
		const selected = this.#selected;
		const [first] = this.context.timeline.trace.entries;
		return selected === undefined ? undefined : { outline: this.#outline.choices, selected, since: first?.at };
	}

	/** Reveals the panel and, if a key is given, its line. */
	reveal(key: string | undefined): void {
		this.#page.reveal();
		if (key === undefined) {
			return;
		}
		if (this.#page.isVisible) {
			this.#goTo(key);
		} else {
			this.#pendingReveal = key;
		}
	}

	dispose(): void {
		this.#page.dispose();
	}

	async #receive(message: FromTimeline): Promise<void> {
		switch (message.type) {
			case 'rows':
				this.#setWindow(message);
				return;
			case 'filter':
				this.#outline.setFilter(message.filter);
				this.#window = { first: 0, count: this.#window.count };
				this.#push();
				return;
			case 'foldAll':
				this.#outline.foldAll(message.open);
				this.#push();
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
	async #receiveAbout(message: Extract<FromTimeline, { key: string }>): Promise<void> {
		if (message.type === 'select') {
			// Even if it is gone: the webview selects another line once it hears so.
			this.#selected = message.key;
			this.#pushDetail();
			return;
		}
		const line = lineOf(this.context.timeline, message.key);
		if (!line) {
			return;
		}
		switch (message.type) {
			case 'go':
				this.#goTo(message.key);
				return;
			case 'fold':
				this.#outline.fold(line, message.open);
				this.#push();
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
		this.#sent = undefined;
		this.#origin = 0;
		this.#window = { first: 0, count: this.#window.count };
		const share = this.context.memento.get<unknown>(SHARE_KEY);
		const filter = this.#outline.filter;
		const { recording } = this.context;
		this.#page.post({
			type: 'show',
			filter,
			...(typeof share === 'number' && { share }),
			...(recording && { recorded: recording.notice }),
			...(this.#pendingReveal !== undefined && { reveals: true }),
		});
		if (this.#pendingReveal !== undefined) {
			this.#goTo(this.#pendingReveal);
			this.#pendingReveal = undefined;
		} else {
			this.#push();
		}
	}

	#setWindow({ first, count, origin, anchor }: Extract<FromTimeline, { type: 'rows' }>): void {
		// Rows added above since the request have shifted the requested ones.
		const moved = this.#origin - origin;
		this.#window = {
			first: Math.max(0, first + moved),
			count: Math.min(count, MAX_ROWS),
			...(anchor && { anchor: { key: anchor.key, index: anchor.index + moved } }),
		};
		this.#push();
	}

	/** Selects a line and reveals it, even if it is collapsed or filtered out. */
	#goTo(key: string): void {
		const line = lineOf(this.context.timeline, key);
		if (!line) {
			return;
		}
		this.#outline.reveal(line);
		this.#outline.refresh();
		if (this.#outline.indexOf(line) === undefined) {
			this.#outline.setFilter(NO_FILTER);
			this.#outline.refresh();
		}
		const index = this.#outline.indexOf(line);
		if (index === undefined) {
			return;
		}
		this.#selected = key;
		delete this.#window.anchor;
		this.#window.first = Math.max(0, index - Math.floor(this.#window.count / 2));
		this.#push();
		this.#page.post({ type: 'place', index, filter: this.#outline.filter });
	}

	/** Sends the visible rows and the details of the selected line. */
	#push(): void {
		if (!this.#page.isVisible) {
			return;
		}
		clearTimeout(this.#timer);
		this.#dropGoneGroup();
		const through = this.#outline.refresh(SLICE);
		this.#follow();
		const rows = this.#rows(!through);
		this.#page.post({ type: 'rows', ...rows });
		this.#pushDetail();
		if (!through) {
			this.#timer = setTimeout(() => this.#push(), 0);
		} else if (this.#runs(rows)) {
			this.#timer = setTimeout(() => this.#push(), TICK);
		}
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

	/** Keeps the row at the upper edge in place. */
	#follow(): void {
		const { anchor } = this.#window;
		const line = anchor && lineOf(this.context.timeline, anchor.key);
		const index = line && this.#outline.indexOf(line);
		if (anchor && index !== undefined && index !== anchor.index) {
			const moved = index - anchor.index;
			this.#origin += moved;
			this.#window.first = Math.max(0, this.#window.first + moved);
			anchor.index = index;
		}
	}

	#rows(searching: boolean): ShownRows {
		const { timeline } = this.context;
		const { trace } = timeline;
		const { first, count } = this.#window;
		const outline = this.#outline;
		const { found, filter } = outline;
		const key = this.#selected;
		const selected = key === undefined ? undefined : lineOf(timeline, key);
		const index = selected && outline.indexOf(selected);
		const only = timeline.group(filter.group);
		return {
			total: outline.size,
			first,
			rows: outline.rows(first, count).map((row) => shownRow(timeline, row)),
			origin: this.#origin,
			...(key !== undefined && { selected: { key, ...(index !== undefined && { index }) } }),
			...(found && { found }),
			searching,
			messages: trace.length,
			dropped: trace.dropped,
			servers: timeline.servers,
			methods: timeline.methods.slice(0, MAX_METHODS),
			...(only && { only: only.call?.name ?? only.server }),
		};
	}

	#pushDetail(): void {
		const line = this.#selected === undefined ? undefined : lineOf(this.context.timeline, this.#selected);
		const state = line && this.#stateOf(line);
		if (state !== this.#sent) {
			this.#sent = state;
			const detail: ShownDetail | undefined = line && this.#details.of(line);
			this.#page.post({ type: 'detail', ...(detail && { detail }) });
		}
	}

	/** Everything that the details of a line depend on, as a key. */
	#stateOf(line: Line): string {
		const { group } = line;
		if (line.kind === 'series') {
			return `${lineKey(line)} ${line.groups.map(({ call }) => call?.state).join()}`;
		}
		if (line.kind === 'message') {
			const exchange = line.entry.exchange;
			return `${lineKey(line)} ${exchange?.request?.seq} ${exchange?.response?.seq}`;
		}
		const running = group.call?.state === 'running' ? Math.floor(Date.now() / TICK) : '';
		return `${lineKey(line)} ${group.version} ${running}`;
	}

	#runs({ rows }: ShownRows): boolean {
		const selected = this.#selected === undefined ? undefined : lineOf(this.context.timeline, this.#selected);
		return rows.some(({ icon }) => icon === 'running') || selected?.group.call?.state === 'running';
	}
}
