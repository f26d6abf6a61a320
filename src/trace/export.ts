import type { Call } from '../elicitation/call.ts';
import { english, render } from '../elicitation/sentence.ts';
import type { TraceEntry, TraceLog } from './log.ts';
import { Redactor } from './redact.ts';

/** Exports messages as JSON Lines, oldest first. Redacted unless `redactor` is undefined. */
export function* jsonLines(entries: Iterable<TraceEntry>, redactor: Redactor | undefined): Generator<string> {
	for (const entry of entries) {
		yield `${JSON.stringify({
			seq: entry.seq,
			at: new Date(entry.at).toISOString(),
			server: entry.server,
			direction: entry.direction,
			...(entry.call && {
				call: callOf(entry.call, redactor),
			}),
			...(entry.truncated && { abridged: true }),
			message: redactor ? redactor.message(entry) : entry.message,
		})}\n`;
	}
}

function callOf({ id, kind, name, trial, responder, via }: Call, redactor: Redactor | undefined): object {
	const text = (said: string) => redactor?.text(said) ?? said;
	return {
		id,
		kind,
		name: text(name),
		...(trial && { trial: text(render(trial, english)) }),
		...(responder && { answeredBy: responder.kind }),
		...(via && { via: render(via, english) }),
	};
}

/** Exports all messages of a log as redacted JSON Lines. */
export function toJsonLines(log: TraceLog): string {
	return [...jsonLines(log.entries, new Redactor(log))].join('');
}
