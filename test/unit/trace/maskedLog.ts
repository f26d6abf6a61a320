import { TraceLog } from '../../../src/trace/log.ts';
import { maskingOf } from '../../../src/trace/masking.ts';

/** A log as it is once a server has been started. */
export function maskedLog(limit: () => number): TraceLog {
	const log = new TraceLog(limit);
	maskingOf(log);
	return log;
}
