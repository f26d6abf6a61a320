import type { CallState } from './elicitation/call.ts';
import type { Shares } from './elicitation/clock.ts';
import type { Field } from './elicitation/form/fields.ts';
import { isObject } from './elicitation/json.ts';
import type { Sentence } from './elicitation/sentence.ts';
import { isBoolean, isCount, isString, type Message, type ShownCall, type ShownFinding } from './protocol.ts';

/**
 * Messages between the extension host and the timeline webview, following the rules of `protocol.ts`. The webview knows
 * what is selected and how far it is scrolled; the host has the lines, of which it says that they have changed. The
 * webview requests the rows that it shows, and the details of the selected line.
 */

const directions = ['', 'sent', 'received'] as const;
const shows = ['all', 'elicitations', 'errors', 'warnings', 'requests', 'responses', 'notifications'] as const;

/** The host's filter as edited in the webview. Empty texts match everything. */
export interface ShownFilter {
	readonly text: string;
	readonly server: string;
	/** Key of a call. */
	readonly group: string;
	readonly direction: (typeof directions)[number];
	readonly method: string;
	readonly show: (typeof shows)[number];
}

export type RowIcon = CallState | 'series' | 'outside' | 'round' | 'form' | 'sampling' | 'url' | 'sent' | 'received';

/** A row. Server text is raw. */
export interface ShownRow {
	/** Key of the line. */
	readonly key: string;
	/** Depth, from 1; position among its siblings, from 1, and their number. */
	readonly level: number;
	readonly position: number;
	readonly size: number;
	/** Distance to its parent's row; 0 if it has none. */
	readonly up: number;
	/** Absent if it has no children. */
	readonly open?: boolean;
	readonly icon: RowIcon;
	/** Translated meaning of the icon. */
	readonly sign: string;
	readonly label: string;
	readonly detail: string;
	/** Milliseconds since the epoch. */
	readonly at?: number;
	/** Time between the request and this response (ms). */
	readonly latency?: number;
	readonly error: boolean;
	readonly warning: boolean;
}

/** Pretty-printed JSON, and the number of omitted characters. */
export interface ShownJson {
	readonly text: string;
	readonly cut: number;
	/** The same without masked input, which is shown first; absent if it holds none. */
	readonly masked?: Pick<ShownJson, 'text' | 'cut'>;
}

/** Link to another line. Server text. */
export interface ShownLink {
	readonly key: string;
	readonly text: string;
}

/** A translated action for a line. */
export interface ShownAction {
	readonly id: string;
	readonly text: string;
	/** What is of one group stands together. */
	readonly group: string;
	/** It ends the line: it is not what is to be done next. */
	readonly ends?: true;
}

interface DetailBase {
	readonly key: string;
	/** Differs whenever anything else of it does. */
	readonly version: string;
	readonly server: string;
	readonly actions: readonly ShownAction[];
}

export interface CallDetail extends DetailBase {
	readonly kind: 'call';
	readonly call: ShownCall;
	readonly state: CallState;
	/** Translated. */
	readonly stateText: string;
	/** What the call tests, if it was made for testing; translated. */
	readonly trial?: string;
	readonly at: number;
	readonly times: Shares;
	readonly rounds: number;
	readonly elicitations: readonly ShownLink[];
	/** Why requests of the server during it were refused; translated. */
	readonly refusals: readonly string[];
	readonly args: ShownJson;
	readonly result?: ShownJson;
	/** Why it failed; translated. */
	readonly failure?: string;
	/** Why its end is not known; translated. */
	readonly note?: string;
}

/** The calls of a series of tests, oldest first. */
export interface SeriesDetail extends DetailBase {
	readonly kind: 'series';
	/** Translated. */
	readonly heading: string;
	/** Server text. */
	readonly name: string;
	readonly calls: readonly ShownLink[];
}

export interface OutsideDetail extends DetailBase {
	readonly kind: 'outside';
	readonly messages: number;
	readonly elicitations: readonly ShownLink[];
}

export interface RoundDetail extends DetailBase {
	readonly kind: 'round';
	readonly number: number;
	readonly call: ShownLink;
	readonly at?: number;
	readonly messages: number;
	readonly elicitations: readonly ShownLink[];
}

/** A state of an elicitation and when it was entered; translated. */
export interface ShownStep {
	readonly text: string;
	readonly at: number;
}

export interface ElicitationDetail extends DetailBase {
	readonly kind: 'elicitation';
	readonly mode: 'form' | 'url' | 'sampling';
	readonly message: string;
	/** Translated. */
	readonly stateText: string;
	/** Why it was not delivered or withdrawn, or how its response deliberately violates the schema; translated. */
	readonly reason?: string;
	/** How it arrived: as a request, in a round, or with error -32042; translated. */
	readonly intake: string;
	readonly revision: string;
	readonly calls: readonly ShownLink[];
	readonly steps: readonly ShownStep[];
	readonly url?: string;
	/** The form, with a limited number of fields and options. */
	readonly fields: readonly Field[];
	/** What the schema demands of each of them, by index; translated. */
	readonly constraints: readonly (readonly Sentence[])[];
	readonly moreFields: number;
	readonly findings: readonly ShownFinding[];
	/** Problems with other revisions and libraries; a limited number. */
	readonly notes: readonly ShownFinding[];
	readonly answer?: ShownJson;
	readonly request: ShownJson;
}

export interface MessageDetail extends DetailBase {
	readonly kind: 'message';
	readonly direction: 'sent' | 'received';
	readonly label: string;
	readonly at: number;
	/** Size of its JSON as stored. */
	readonly bytes: number;
	readonly truncated: boolean;
	readonly error: boolean;
	readonly call?: ShownLink;
	/** The request of this response, or the response to this request. */
	readonly counterpart?: ShownLink & { readonly answers: boolean };
	readonly latency?: number;
	readonly json: ShownJson;
}

export type ShownDetail = SeriesDetail | CallDetail | OutsideDetail | RoundDetail | ElicitationDetail | MessageDetail;

/** The rows from `first` on, and the state of the whole timeline. */
export interface ShownRows {
	readonly total: number;
	readonly first: number;
	readonly rows: readonly ShownRow[];
	/** Where the line is that was asked for. `index` is absent if it is not visible, or gone. */
	readonly selected?: { readonly key: string; readonly index?: number };
	/** Number of matches; absent without a filter. */
	readonly found?: { readonly messages: number; readonly elicitations: number };
	/** True until the filter has checked everything. */
	readonly searching: boolean;
	readonly messages: number;
	/** Number of messages dropped because of the bounds of the timeline. */
	readonly dropped: number;
	readonly servers: readonly string[];
	readonly methods: readonly string[];
	/** The call that the timeline is filtered by. Server text. */
	readonly only?: string;
}

/** A line, and its row. */
export interface ShownPlace {
	readonly key: string;
	readonly index: number;
}

/** Rows, and the filter that they match. */
interface ShownPart {
	readonly filter: ShownFilter;
	readonly rows: ShownRows;
}

export type ToTimeline =
	/** What stands in the place of a recording until it is read, or why it cannot be; translated. */
	| {
			readonly type: 'reading';
			readonly text: string;
			/** How much of it is read (0 to 1). Absent if it cannot be. */
			readonly progress?: number;
	  }
	| ({
			readonly type: 'show';
			/** What the list takes of what it shares with the details (percent). Absent until the user has chosen it. */
			readonly share?: number;
			/** What there is to know about the file of a recording, which is read-only; translated. Absent for this window. */
			readonly recorded?: string;
			/** The line to begin with. Without it, the list returns to where it was left. */
			readonly line?: ShownPlace;
	  } & ShownPart)
	/** Selects a line and brings it into view. The filter may have been cleared for it. */
	| ({ readonly type: 'reveal'; readonly line: ShownPlace } & ShownPart)
	/** Rows or details may differ from those that were sent. */
	| { readonly type: 'changed' }
	| ({ readonly type: 'rows' } & ShownRows)
	/** Without a detail if the line is gone. */
	| { readonly type: 'detail'; readonly detail?: ShownDetail }
	/** The group that the filter asks for is no longer remembered, and not asked for any more. */
	| { readonly type: 'gone'; readonly group: string }
	/** Announces the result of an action; translated. */
	| { readonly type: 'said'; readonly text: string };

export const copyParts = ['all', 'arguments', 'result', 'request', 'answer'] as const;

export type CopyPart = (typeof copyParts)[number];

/** Max number of rows per request. */
export const MAX_ROWS = 1_000;

/** What the page of the timeline may send. */
export const fromTimeline = {
	/** Send rows: those from `first` on, or from as far before or behind it as the anchor is by now from its index. */
	rows: { first: isCount, count: isRowCount, anchor: isAnchor, selected: isSelected },
	/** Send the details of a line, unless they are still of the known version; it may be empty. */
	detail: { key: isShortText, known: isShortText },
	filter: { filter: isFilter },
	fold: { key: isShortText, open: isBoolean },
	foldAll: { open: isBoolean },
	/** Reveal a line. */
	go: { key: isShortText },
	open: { key: isShortText },
	copy: { key: isShortText, part: isCopyPart },
	act: { key: isShortText, action: isShortText },
	export: {},
	clear: {},
	/** The user has chosen what the list takes (percent). */
	share: { share: isPercentage },
} as const;

export type FromTimeline = Message<typeof fromTimeline>;

function isRowCount(value: unknown): value is number {
	return isCount(value) && value <= MAX_ROWS;
}

function isAnchor(value: unknown): value is ShownPlace | undefined {
	return value === undefined || (isObject(value) && isShortText(value.key) && isCount(value.index));
}

function isSelected(value: unknown): value is string | undefined {
	return value === undefined || isShortText(value);
}

function isFilter(value: unknown): value is ShownFilter {
	return (
		isObject(value) &&
		[value.text, value.server, value.group, value.method].every(isShortText) &&
		directions.some((direction) => direction === value.direction) &&
		shows.some((show) => show === value.show)
	);
}

function isCopyPart(value: unknown): value is CopyPart {
	return copyParts.some((part) => part === value);
}

function isShortText(value: unknown): value is string {
	return isString(value) && value.length <= 100_000;
}

function isPercentage(value: unknown): value is number {
	return isCount(value) && value <= 100;
}
