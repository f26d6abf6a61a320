import type { Call } from '../elicitation/call.ts';
import { writeJson } from '../elicitation/jsonText.ts';
import { english, render } from '../elicitation/sentence.ts';
import type { Redactor } from '../privacy/redactor.ts';
import type { TraceEntry } from './log.ts';

/** Exports messages as JSON Lines, oldest first. */
export function* jsonLines(entries: Iterable<TraceEntry>, redactor: Redactor): Generator<string> {
	for (const entry of entries) {
		yield `${writeJson({
			seq: entry.seq,
			at: new Date(entry.at).toISOString(),
			server: entry.server,
			...(entry.session !== undefined && { session: entry.session }),
			direction: entry.direction,
			...(entry.call && {
				call: callOf(entry.call, redactor),
			}),
			...(entry.truncated && { abridged: true }),
			// Without the list of tools, which a filter leaves out, nothing else would tell it to the next export.
			...(redactor.removes === 'configured' && entry.masked !== undefined && { masked: true }),
			message: redactor.message(entry),
		})}\n`;
	}
}

function callOf({ id, kind, name, trial, responder, via, clock }: Call, redactor: Redactor): object {
	return {
		id,
		kind,
		name: redactor.text(name),
		...(trial && { trial: redactor.text(render(trial, english)) }),
		...(responder && { answeredBy: responder.kind }),
		...(via && { via: render(via, english) }),
		// The times of messages tell them only roughly: between messages, who is waited for may change.
		...(clock.measured && { times: clock.shares }),
	};
}
