import type { CallState } from './elicitation/call.ts';
import type { Field } from './elicitation/form/fields.ts';
import { isObject } from './elicitation/json.ts';
import type { ShownCall, ShownFinding } from './protocol.ts';

/**
 * What the extension host and the timeline's webview say to each other, under the rules of `protocol.ts`. The page never holds
 * the timeline: it asks for the rows that it shows, by their place, and for the details of one line.
 */

/** The host's filter, as the page edits it. Empty texts exclude nothing. */
export interface ShownFilter {
	readonly text: string;
	readonly server: string;
	/** The key of a call. */
	readonly group: string;
	readonly direction: '' | 'sent' | 'received';
	readonly method: string;
	readonly show: 'all' | 'elicitations' | 'errors' | 'requests' | 'responses' | 'notifications';
}

export type RowIcon = CallState | 'outside' | 'round' | 'form' | 'url' | 'sent' | 'received';

/** Milliseconds of a call: with the server, with the user, and with auto-responders. */
export interface ShownTimes {
	readonly server: number;
	readonly person: number;
	readonly automatic: number;
}

/** One row. Server text is raw. */
export interface ShownRow {
	/** Names the line that it shows. */
	readonly key: string;
	/** Depth, from 1; its place among its siblings, from 1, and how many they are. */
	readonly level: number;
	readonly position: number;
	readonly size: number;
	/** How many rows further up its parent is; 0 where it has none. */
	readonly up: number;
	/** Absent where nothing is below it. */
	readonly open?: boolean;
	readonly icon: RowIcon;
	/** What the icon means; translated. */
	readonly sign: string;
	readonly label: string;
	readonly detail: string;
	/** Milliseconds since the epoch. */
	readonly at?: number;
	/** Milliseconds between a request and this response to it. */
	readonly latency?: number;
	readonly times?: ShownTimes;
	readonly error: boolean;
}

/** JSON, pretty-printed, and how many characters of it are left out. */
export interface ShownJson {
	readonly text: string;
	readonly cut: number;
}

/** Leads to another line. Server text. */
export interface ShownLink {
	readonly key: string;
	readonly text: string;
}

/** Something that can be done about a line; translated. */
export interface ShownAction {
	readonly id: string;
	readonly text: string;
}

interface DetailBase {
	readonly key: string;
	readonly server: string;
	readonly actions: readonly ShownAction[];
}

export interface CallDetail extends DetailBase {
	readonly kind: 'call';
	readonly call: ShownCall;
	readonly state: CallState;
	/** Translated. */
	readonly stateText: string;
	/** What it tries out, where it was made for that; translated. */
	readonly trial?: string;
	readonly at: number;
	readonly times: ShownTimes;
	readonly rounds: number;
	readonly elicitations: readonly ShownLink[];
	readonly args: ShownJson;
	readonly result?: ShownJson;
	/** Why it failed; translated. */
	readonly failure?: string;
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

/** What became of an elicitation, and when; translated. */
export interface ShownStep {
	readonly text: string;
	readonly at: number;
}

export interface ElicitationDetail extends DetailBase {
	readonly kind: 'elicitation';
	readonly mode: 'form' | 'url';
	readonly message: string;
	/** Translated. */
	readonly stateText: string;
	/** Why it was not delivered or was withdrawn, or what its answer breaks of the schema on purpose; translated. */
	readonly reason?: string;
	/** How it came: as a request of its own, in a round, or as a requirement; translated. */
	readonly intake: string;
	readonly revision: string;
	readonly calls: readonly ShownLink[];
	readonly steps: readonly ShownStep[];
	readonly url?: string;
	/** The form; only so many of its fields and options. */
	readonly fields: readonly Field[];
	readonly moreFields: number;
	readonly findings: readonly ShownFinding[];
	/** What other revisions and libraries have to say of it; only so many. */
	readonly notes: readonly ShownFinding[];
	readonly answer?: ShownJson;
	readonly request: ShownJson;
}

export interface MessageDetail extends DetailBase {
	readonly kind: 'message';
	readonly direction: 'sent' | 'received';
	readonly label: string;
	readonly at: number;
	/** Of its JSON as it is kept. */
	readonly bytes: number;
	readonly abridged: boolean;
	readonly error: boolean;
	readonly call?: ShownLink;
	/** The request to this response, or the response to this request. */
	readonly counterpart?: ShownLink & { readonly answers: boolean };
	readonly latency?: number;
	readonly json: ShownJson;
}

export type ShownDetail = CallDetail | OutsideDetail | RoundDetail | ElicitationDetail | MessageDetail;

/** The rows from `first` on, and what is known of all of them. */
export interface ShownRows {
	readonly total: number;
	readonly first: number;
	readonly rows: readonly ShownRow[];
	/**
	 * By how many rows everything that the page saw at its upper edge has moved down since it opened: whoever reads is not to lose
	 * the place because something was added above.
	 */
	readonly origin: number;
	/** The line that is selected, and where it is; the index is absent while it is not shown. */
	readonly selected?: { readonly key: string; readonly index?: number };
	/** What matches the filter; absent while everything is shown. */
	readonly found?: { readonly messages: number; readonly elicitations: number };
	/** True while the filter has not looked at everything yet. */
	readonly searching: boolean;
	readonly messages: number;
	/** How many messages the bounds of the timeline have cost. */
	readonly dropped: number;
	readonly servers: readonly string[];
	readonly methods: readonly string[];
	/** The call that the filter is about. Server text. */
	readonly only?: string;
}

export type ToTimeline =
	| {
			readonly type: 'show';
			readonly panel: string;
			readonly filter: ShownFilter;
			readonly strings: Readonly<Record<string, string>>;
	  }
	| ({ readonly type: 'rows'; readonly panel: string } & ShownRows)
	| { readonly type: 'detail'; readonly panel: string; readonly detail?: ShownDetail }
	/** Brings a row into view and selects it; the filter may have been taken off for that. */
	| { readonly type: 'place'; readonly panel: string; readonly index: number; readonly filter: ShownFilter }
	/** Something was done; translated. */
	| { readonly type: 'said'; readonly panel: string; readonly text: string };

export const copyParts = ['all', 'arguments', 'result', 'request', 'answer'] as const;

export type CopyPart = (typeof copyParts)[number];

export type FromTimeline =
	| { readonly type: 'ready'; readonly panel: string }
	/** The rows that are to be shown from now on. `anchor` is the one at the upper edge; absent at the very top. */
	| {
			readonly type: 'rows';
			readonly panel: string;
			readonly first: number;
			readonly count: number;
			/** The `origin` that these places refer to. */
			readonly origin: number;
			readonly anchor?: { readonly key: string; readonly index: number };
	  }
	| { readonly type: 'filter'; readonly panel: string; readonly filter: ShownFilter }
	| { readonly type: 'fold'; readonly panel: string; readonly key: string; readonly open: boolean }
	| { readonly type: 'foldAll'; readonly panel: string; readonly open: boolean }
	/** A line is selected: its details are wanted. */
	| { readonly type: 'select'; readonly panel: string; readonly key: string }
	/** A line is to be found and selected. */
	| { readonly type: 'go'; readonly panel: string; readonly key: string }
	| { readonly type: 'open'; readonly panel: string; readonly key: string }
	| { readonly type: 'copy'; readonly panel: string; readonly key: string; readonly part: CopyPart }
	| { readonly type: 'act'; readonly panel: string; readonly key: string; readonly action: string }
	| { readonly type: 'export'; readonly panel: string }
	| { readonly type: 'clear'; readonly panel: string };

/** More rows than this are not asked for at a time. */
export const MOST_ROWS = 1_000;

/** True for a well-formed message from the timeline's page. Every other message is dropped. */
export function isTimelineMessage(value: unknown, panel: string): value is FromTimeline {
	if (!isObject(value) || value.panel !== panel) {
		return false;
	}
	const isKeyed = isText(value.key);
	switch (value.type) {
		case 'ready':
		case 'export':
		case 'clear':
			return true;
		case 'rows':
			return (
				isCount(value.first) &&
				isCount(value.count) &&
				value.count <= MOST_ROWS &&
				Number.isSafeInteger(value.origin) &&
				(value.anchor === undefined ||
					(isObject(value.anchor) && isText(value.anchor.key) && Number.isSafeInteger(value.anchor.index)))
			);
		case 'filter':
			return isFilter(value.filter);
		case 'foldAll':
			return typeof value.open === 'boolean';
		case 'fold':
			return isKeyed && typeof value.open === 'boolean';
		case 'select':
		case 'go':
		case 'open':
			return isKeyed;
		case 'copy':
			return isKeyed && copyParts.some((part) => part === value.part);
		case 'act':
			return isKeyed && isText(value.action);
		default:
			return false;
	}
}

const shown = ['all', 'elicitations', 'errors', 'requests', 'responses', 'notifications'];
const directions = ['', 'sent', 'received'];

function isFilter(value: unknown): value is ShownFilter {
	return (
		isObject(value) &&
		[value.text, value.server, value.group, value.method].every(isText) &&
		directions.some((direction) => direction === value.direction) &&
		shown.some((show) => show === value.show)
	);
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.length <= 100_000;
}

function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && (value as number) >= 0;
}
