import type { Elicitation } from '../../elicitation/elicitation.ts';
import { english, render } from '../../elicitation/sentence.ts';
import { describeMessage } from '../../trace/describe.ts';
import type { Line } from '../../trace/line.ts';
import type { TraceEntry } from '../../trace/log.ts';
import type { Timeline } from '../../trace/timeline.ts';
import { localize } from '../common/localize.ts';

/** Title of a line's JSON document. Server text. */
export function titleOf(line: Line): string {
	const { group } = line;
	switch (line.kind) {
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
 * A line as JSON: a message as sent or received, an elicitation with its response, or else the messages it contains.
 */
export function jsonOf({ trace }: Timeline, line: Line): unknown {
	switch (line.kind) {
		case 'message':
			return line.entry.message;
		case 'elicitation':
			return trace.secrets.hideIn(elicitationValue(line.elicitation));
		default:
			return messagesOf(line).map(({ direction, at, message }) => ({
				at: new Date(at).toISOString(),
				direction,
				message,
			}));
	}
}

function elicitationValue({
	origin,
	state,
	history,
	response: answer,
	responder,
	schemaViolation,
}: Elicitation): object {
	return {
		server: origin.server,
		revision: origin.revision,
		state,
		history: history.map((step) => ({ state: step.state, at: new Date(step.at).toISOString() })),
		request: origin.params,
		answer: answer ?? null,
		...(responder && { answeredBy: { kind: responder.kind, name: responder.name } }),
		...(schemaViolation && { schemaViolation: render(schemaViolation, english) }),
	};
}

/** Messages of a line, oldest first. */
export function messagesOf(line: Line): readonly TraceEntry[] {
	switch (line.kind) {
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
