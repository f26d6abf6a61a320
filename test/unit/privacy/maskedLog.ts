import { Conversation } from '../../../src/conversation/conversation.ts';
import type { Call } from '../../../src/elicitation/call.ts';
import { Redactor } from '../../../src/privacy/redactor.ts';
import { jsonLines } from '../../../src/trace/export.ts';
import { type Direction, type NewEntry, type TraceEntry, TraceLog } from '../../../src/trace/log.ts';

/** A log as it is once servers have been started, each of which has one connection. */
class MaskedLog extends TraceLog {
	readonly #conversations = new Map<string, Conversation<TraceEntry>>();

	override add(message: Omit<NewEntry, 'conversation'>): TraceEntry {
		const { server } = message;
		const conversation = this.#conversations.get(server) ?? new Conversation<TraceEntry>();
		this.#conversations.set(server, conversation);
		return super.add({ ...message, conversation });
	}
}

export function maskedLog(limit: () => number): MaskedLog {
	return new MaskedLog(limit);
}

/** A message of a server, and the call that it belongs to. */
export type Told = readonly [direction: Direction, message: unknown, server?: string, call?: Call];

/** A log with these messages. */
export function logOf(...messages: readonly Told[]): MaskedLog {
	const log = maskedLog(() => 1_000);
	for (const [direction, message, server = 's', call] of messages) {
		log.add({ server, direction, message, ...(call && { call }) });
	}
	return log;
}

/** All messages of a log, exported without secrets, unless the user insists on those that are not configured. */
export function toJsonLines(log: TraceLog, redact?: 'configured'): string {
	return [...jsonLines(log.entries, new Redactor(log, redact))].join('');
}

/** The lines of an export. */
export function linesOf(log: TraceLog) {
	const lines = toJsonLines(log).split('\n').slice(0, -1);
	return lines.map((line): { readonly [name: string]: unknown; readonly message: unknown } => JSON.parse(line));
}
