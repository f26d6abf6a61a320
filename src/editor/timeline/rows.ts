import { shorten } from '../../elicitation/display.ts';
import { own } from '../../elicitation/json.ts';
import { render } from '../../elicitation/sentence.ts';
import type { ShownRow } from '../../timelineProtocol.ts';
import { describeMessage, MODES, REPEATED } from '../../trace/describe.ts';
import { hasError, hasFailed, hasWarning } from '../../trace/filter.ts';
import { type Line, lineKey, POLL_METHOD, type PollsLine, type SeriesLine } from '../../trace/line.ts';
import type { TraceEntry } from '../../trace/log.ts';
import type { Row } from '../../trace/outline.ts';
import type { Timeline, TimelineGroup } from '../../trace/timeline.ts';
import {
	callStateText,
	callText,
	pollsText,
	requestsText,
	seriesText,
	stateOf,
	timesOf,
} from '../common/descriptions.ts';
import { localize } from '../common/localize.ts';

/** Max length of a row's text (characters). */
const MAX_TEXT = 300;
const MAX_DETAIL = 200;

type Shown = Pick<ShownRow, 'icon' | 'sign' | 'label' | 'detail'> &
	Partial<Pick<ShownRow, 'at' | 'latency' | 'times' | 'error' | 'warning'>>;

/** A row as shown in the webview. */
export function shownRow(timeline: Timeline, { line, open, level, position, size, up }: Row): ShownRow {
	const shown = shownLine(timeline, line);
	return {
		key: lineKey(line),
		level,
		position,
		size,
		up,
		...(open !== undefined && { open }),
		error: false,
		warning: false,
		...shown,
		label: oneLine(timeline, shown.label, MAX_TEXT),
		detail: oneLine(timeline, shown.detail, MAX_DETAIL),
	};
}

function shownLine(timeline: Timeline, line: Line): Shown {
	switch (line.kind) {
		case 'series':
			return seriesRow(line);
		case 'polls':
			return pollsRow(line);
		case 'group':
			return groupRow(line.group);
		case 'round':
			return roundRow(line);
		case 'elicitation': {
			const { request, receivedAt } = line.elicitation;
			return {
				icon: request.mode,
				sign: render(MODES[request.mode], localize),
				label: request.message,
				detail: stateOf(line.elicitation),
				at: receivedAt,
				error: hasFailed(line.elicitation),
				warning: hasWarning(line.elicitation, timeline.registry),
			};
		}
		case 'message':
			return messageRow(timeline, line.entry);
	}
}

function seriesRow({ series, groups }: SeriesLine): Shown {
	const first = groups.at(-1)?.call;
	return {
		icon: 'series',
		sign: '',
		label: render(series.heading, localize),
		detail: seriesText(series, groups),
		...(first && { at: first.startedAt }),
	};
}

function pollsRow({ entries }: PollsLine): Shown {
	const [first] = entries;
	return { icon: 'round', sign: '', label: POLL_METHOD, detail: pollsText(entries), ...(first && { at: first.at }) };
}

function groupRow({ call, server, entries }: TimelineGroup): Shown {
	if (!call) {
		return {
			icon: 'outside',
			sign: '',
			label: localize('Outside of calls'),
			detail: `${server} · ${countOf(entries.length)}`,
		};
	}
	return {
		icon: call.failed ? 'failed' : call.state,
		sign: callStateText(call),
		label: call.name,
		detail: callText(call),
		at: call.startedAt,
		times: timesOf(call),
		error: call.failed,
	};
}

function roundRow({ round: { number, entries, elicitations } }: Extract<Line, { kind: 'round' }>): Shown {
	const [first] = entries;
	return {
		icon: 'round',
		sign: '',
		label: localize('Round {0}', number),
		detail: requestsText(elicitations.length),
		...(first && { at: first.at }),
	};
}

function messageRow({ exchanges }: Timeline, entry: TraceEntry): Shown {
	const { message, direction, at } = entry;
	const { response, method, latency } = exchanges.of(entry) ?? {};
	const answers = response === entry;
	return {
		icon: direction,
		sign: direction === 'sent' ? localize('sent to the server') : localize('received from the server'),
		label: describeMessage(message),
		detail: [
			...(answers && method ? [method] : []),
			...(exchanges.isRepeated(entry) ? [render(REPEATED, localize)] : []),
			summaryOf(message),
		]
			.filter(Boolean)
			.join(' · '),
		at,
		...(answers && latency !== undefined && { latency }),
		error: hasError(entry, exchanges),
		warning: entry.truncated,
	};
}

/** Summary of a message, in the sender's words. */
function summaryOf(message: unknown): string {
	const params = own(message, 'params');
	const error = own(message, 'error');
	const gist = [
		own(params, 'name'),
		own(params, 'uri'),
		own(params, 'message'),
		own(params, 'reason'),
		own(error, 'message'),
	];
	return gist.find((text) => typeof text === 'string') ?? '';
}

function countOf(messages: number): string {
	return messages === 1 ? localize('1 message') : localize('{0} messages', messages);
}

function oneLine({ trace }: Timeline, text: string, most: number): string {
	// Limits the text first, because the rest is cut off anyway.
	return shorten(trace.secrets.hideCut(shorten(text, 4 * most)).replace(/\s+/g, ' '), most);
}
