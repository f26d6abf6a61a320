import * as vscode from 'vscode';
import { POLL } from '../../conversation/task.ts';
import { shorten } from '../../elicitation/display.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import { type Json, own } from '../../elicitation/json.ts';
import { writeJson } from '../../elicitation/jsonText.ts';
import { english, render } from '../../elicitation/sentence.ts';
import type { Privacy } from '../../privacy/privacy.ts';
import { Redactor } from '../../privacy/redactor.ts';
import type { CopyPart, ShownRow } from '../../timelineProtocol.ts';
import { describeMessage, MODES, REPEATED } from '../../trace/describe.ts';
import { jsonLines } from '../../trace/export.ts';
import { hasError, hasFailed, hasWarning } from '../../trace/filter.ts';
import { type Line, lineKey, type PollsLine, type SeriesLine } from '../../trace/line.ts';
import { isRepeated, type TraceEntry } from '../../trace/log.ts';
import type { Row } from '../../trace/outline.ts';
import { resultOf } from '../../trace/result.ts';
import type { Round } from '../../trace/rounds.ts';
import type { Timeline, TimelineGroup } from '../../trace/timeline.ts';
import { callStateText, callText, pollsText, requestsText, seriesText, stateOf } from '../common/descriptions.ts';
import { localize } from '../common/localize.ts';
import type { Details } from './details.ts';

/** Max length of a row's text (characters). */
const MAX_TEXT = 300;
const MAX_DETAIL = 200;

type Shown = Pick<ShownRow, 'icon' | 'sign' | 'label' | 'detail'> &
	Partial<Pick<ShownRow, 'at' | 'latency' | 'error' | 'warning'>>;

/** A row as shown in the webview. */
export function shownRow(timeline: Timeline, { line, open, level, position, size, up }: Row): ShownRow {
	const shown = described(line).row(timeline);
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

/** What the surfaces of the timeline take from a line. */
interface Described {
	row(timeline: Timeline): Shown;
	/** Title of its JSON document. Server text. */
	readonly title: string;
	/** Oldest first. */
	messages(): readonly TraceEntry[];
	/** What it is as JSON, without masked input, if it is more than its messages. */
	value?(trace: Timeline['trace']): unknown;
}

/** All kinds of lines. Their details are in `details.ts`. */
function described(line: Line): Described {
	const { group } = line;
	switch (line.kind) {
		case 'series':
			return {
				row: () => seriesRow(line),
				title: render(line.series.heading, localize),
				messages: () => line.groups.flatMap(({ entries }) => entries.slice()).sort((one, other) => one.seq - other.seq),
			};
		case 'group':
			return {
				row: () => groupRow(group),
				title: group.call?.name ?? group.server,
				messages: () => group.entries.slice(),
			};
		case 'round':
			return {
				row: () => roundRow(line.round),
				title: `${group.call?.name ?? ''} ${localize('Round {0}', line.round.number)}`,
				messages: () => line.round.entries,
			};
		case 'polls':
			return {
				row: () => pollsRow(line),
				title: `${POLL} ${group.server}`,
				messages: () => line.entries,
			};
		case 'elicitation':
			return {
				row: ({ registry }) => elicitationRow(line.elicitation, registry),
				title: localize('elicitation {0}', group.server),
				messages: () => [],
				value: ({ privacy }) => privacy.hideIn(elicitationValue(line.elicitation, privacy)),
			};
		case 'message':
			return {
				row: () => messageRow(line.entry),
				title: `${describeMessage(line.entry.message)} ${line.entry.server}`,
				messages: () => [line.entry],
				value: (trace) => messageValue(line.entry, trace),
			};
	}
}

/** Title of a line's JSON document. Server text. */
export function titleOf(line: Line): string {
	return described(line).title;
}

/** Messages of a line, oldest first. */
function messagesOf(line: Line): readonly TraceEntry[] {
	return described(line).messages();
}

/**
 * A line as JSON, without masked input: a message, an elicitation with its response, or else the messages it contains.
 */
export function jsonOf({ trace }: Timeline, line: Line): unknown {
	const { value, messages } = described(line);
	return value
		? value(trace)
		: messages().map((entry) => ({
				at: new Date(entry.at).toISOString(),
				direction: entry.direction,
				message: messageValue(entry, trace),
			}));
}

function messageValue({ message, masked = message }: TraceEntry, trace: Timeline['trace']): unknown {
	return trace.privacy.hideIn(masked);
}

function elicitationValue(elicitation: Elicitation, privacy: Privacy): object {
	const { origin, isUnfinished, state, response, history, responder, schemaViolation } = elicitation;
	// An opened URL stays opened when its call ends.
	const last = state === 'withdrawn' && response ? 'opened' : state;
	return {
		server: origin.server,
		revision: origin.revision,
		state: isUnfinished && !response ? 'unfinished' : last,
		history: history
			.slice(0, isUnfinished ? -1 : undefined)
			.map((step) => ({ state: step.state, at: new Date(step.at).toISOString() })),
		request: origin.params,
		answer: privacy.response(elicitation),
		...(responder && { answeredBy: { kind: responder.kind, name: responder.name } }),
		...(schemaViolation && { schemaViolation: render(schemaViolation, english) }),
	};
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
	return { icon: 'round', sign: '', label: POLL, detail: pollsText(entries), ...(first && { at: first.at }) };
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
		error: call.failed,
	};
}

function roundRow({ number, entries, elicitations }: Round): Shown {
	const [first] = entries;
	return {
		icon: 'round',
		sign: '',
		label: localize('Round {0}', number),
		detail: requestsText(elicitations.length),
		...(first && { at: first.at }),
	};
}

function elicitationRow(elicitation: Elicitation, registry: Timeline['registry']): Shown {
	const { request, receivedAt } = elicitation;
	return {
		icon: request.mode,
		sign: render(MODES[request.mode], localize),
		label: request.message,
		detail: stateOf(elicitation),
		at: receivedAt,
		error: hasFailed(elicitation),
		warning: hasWarning(elicitation, registry),
	};
}

function messageRow(entry: TraceEntry): Shown {
	const { message, direction, at } = entry;
	const { response, method, latency } = entry.exchange ?? {};
	const answers = response === entry;
	return {
		icon: direction,
		sign: direction === 'sent' ? localize('sent to the server') : localize('received from the server'),
		label: describeMessage(message),
		detail: [
			...(answers && method ? [method] : []),
			...(isRepeated(entry) ? [render(REPEATED, localize)] : []),
			summaryOf(message),
		]
			.filter(Boolean)
			.join(' · '),
		at,
		...(answers && latency !== undefined && { latency }),
		error: hasError(entry),
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
	return shorten(trace.privacy.configured.hideCut(shorten(text, 4 * most)).replace(/\s+/g, ' '), most);
}

/**
 * Copies a line to the clipboard, redacted: a message or an elicitation as JSON, the messages of a call or a round as
 * JSON Lines, or one part of the line as JSON.
 */
export async function copy(timeline: Timeline, details: Details, line: Line, part: CopyPart): Promise<void> {
	await vscode.env.clipboard.writeText(textOf(timeline, details, line, part));
}

function textOf(timeline: Timeline, details: Details, line: Line, part: CopyPart): string {
	const redactor = new Redactor(timeline.trace);
	const pretty = (value: unknown) => writeJson(value, 2);
	if (part === 'answer' && line.kind === 'elicitation') {
		return pretty(redactor.response(line.elicitation));
	}
	if (part === 'arguments' && line.group.call) {
		return pretty(redactor.args(line.group.call));
	}
	if (part === 'result' && line.kind === 'group') {
		return pretty(redactor.value((resultOf(line.group, (entry) => redactor.message(entry)) ?? null) as Json));
	}
	if (part !== 'all') {
		return pretty(redactor.value((details.part(line, part) ?? null) as Json));
	}
	switch (line.kind) {
		case 'message':
			return pretty(redactor.message(line.entry));
		case 'elicitation':
			return pretty(redactor.value(jsonOf(timeline, line) as Json));
		default:
			return [...jsonLines(messagesOf(line), redactor)].join('');
	}
}
