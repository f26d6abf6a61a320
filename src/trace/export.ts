import type { TraceEntry } from './log.ts';
import { Redactor } from './redact.ts';

/** JSON Lines, one message a line, oldest first, masked values left out. */
export function toJsonLines(entries: readonly TraceEntry[]): string {
	const redactor = new Redactor();
	return entries
		.map((entry) =>
			JSON.stringify({
				seq: entry.seq,
				at: new Date(entry.at).toISOString(),
				server: entry.server,
				direction: entry.direction,
				...(entry.call && { call: { id: entry.call.id, kind: entry.call.kind, name: entry.call.name } }),
				message: redactor.redact(entry),
			}),
		)
		.map((line) => `${line}\n`)
		.join('');
}
