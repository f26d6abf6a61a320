import type { Elicitation } from '../../elicitation/elicitation.ts';
import { english, render } from '../../elicitation/sentence.ts';
import { describeMessage } from '../../trace/describe.ts';
import { type Line, POLL_METHOD } from '../../trace/line.ts';
import type { TraceEntry } from '../../trace/log.ts';
import { type Masking, maskingOf } from '../../trace/masking.ts';
import type { Timeline } from '../../trace/timeline.ts';
import { localize } from '../common/localize.ts';

/** Title of a line's JSON document. Server text. */
export function titleOf(line: Line): string {
	const { group } = line;
	switch (line.kind) {
		case 'series':
			return render(line.series.heading, localize);
		case 'polls':
			return `${POLL_METHOD} ${group.server}`;
		case 'group':
			return group.call?.name ?? group.server;
		case 'round':
			return `${group.call?.name ?? ''} ${localize('Round {0}', line.round.number)}`;
		case 'elicitation':
			return localize('elicitation {0}', group.server);
		case 'message':
			return `${describeMessage(line.entry.message)} ${line.entry.server}`;
	}
}

/**
 * A line as JSON, without masked input: a message, an elicitation with its response, or else the messages it contains.
 */
export function jsonOf({ trace }: Timeline, line: Line): unknown {
	const messageOf = ({ message, masked = message }: TraceEntry) => trace.hideIn(masked);
	switch (line.kind) {
		case 'message':
			return messageOf(line.entry);
		case 'elicitation':
			return trace.hideIn(elicitationValue(line.elicitation, maskingOf(trace)));
		default:
			return messagesOf(line).map((entry) => ({
				at: new Date(entry.at).toISOString(),
				direction: entry.direction,
				message: messageOf(entry),
			}));
	}
}

function elicitationValue(elicitation: Elicitation, masking: Masking): object {
	const { origin, state, history, responder, schemaViolation } = elicitation;
	return {
		server: origin.server,
		revision: origin.revision,
		state,
		history: history.map((step) => ({ state: step.state, at: new Date(step.at).toISOString() })),
		request: origin.params,
		answer: masking.response(elicitation),
		...(responder && { answeredBy: { kind: responder.kind, name: responder.name } }),
		...(schemaViolation && { schemaViolation: render(schemaViolation, english) }),
	};
}

/** Messages of a line, oldest first. */
export function messagesOf(line: Line): readonly TraceEntry[] {
	switch (line.kind) {
		case 'series':
			return line.groups.flatMap(({ entries }) => entries.slice()).sort((one, other) => one.seq - other.seq);
		case 'polls':
			return line.entries;
		case 'group':
			return line.group.entries.slice();
		case 'round':
			return line.round.entries;
		case 'message':
			return [line.entry];
		case 'elicitation':
			return [];
	}
}
