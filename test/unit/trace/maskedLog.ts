import { jsonLines } from '../../../src/trace/export.ts';
import { TraceLog } from '../../../src/trace/log.ts';
import { maskingOf } from '../../../src/trace/masking.ts';
import { Redactor } from '../../../src/trace/redact.ts';

/** A log as it is once a server has been started. */
export function maskedLog(limit: () => number): TraceLog {
	const log = new TraceLog(limit);
	maskingOf(log);
	return log;
}

/** All messages of a log, exported without secrets. */
export function toJsonLines(log: TraceLog): string {
	return [...jsonLines(log.entries, new Redactor(log))].join('');
}
