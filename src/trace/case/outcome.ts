import { CALL_METHODS, type Call, isCallMethod } from '../../elicitation/call.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import { URL_ELICITATION_REQUIRED } from '../../elicitation/errorCodes.ts';
import { idKey, isObject, type Json, type JsonObject, own, plainObject } from '../../elicitation/json.ts';
import type { TraceEntry } from '../log.ts';
import { type CaseOutcome, COMPARED } from './recordedCase.ts';

/* What a call came to, and what was requested in it, in the form that cases keep and compare. */

/** The response to a call, in a message of its own or in the report of its task. */
export type CallResponse = Pick<TraceEntry, 'at' | 'truncated' | 'message'>;

/** The response that ends the case: the first that requires URL elicitations, or else the last. */
export function responseOf(call: Call, entries: readonly TraceEntry[]): CallResponse | undefined {
	if (call.task) {
		return responseOfTask(call, entries);
	}
	const sent = new Set<unknown>();
	const responses: TraceEntry[] = [];
	for (const entry of entries) {
		const { direction, message } = entry;
		const id = idKey(own(message, 'id'));
		if (direction === 'sent' && isCallMethod(own(message, 'method'))) {
			sent.add(id);
		} else if (direction === 'received' && own(message, 'method') === undefined && sent.has(id)) {
			responses.push(entry);
		}
	}
	const last = responses.at(-1);
	const over = last && own(own(last.message, 'result'), 'resultType') !== 'input_required';
	return (
		responses.find(({ message }) => errorOf(message)?.code === URL_ELICITATION_REQUIRED) ?? (over ? last : undefined)
	);
}

/** Tasks of 2026-07-28 report their result or error; those of 2025-11-25 respond with it to `tasks/result`. */
function responseOfTask(call: Call, entries: readonly TraceEntry[]): CallResponse | undefined {
	const awaited = new Set(
		entries.flatMap(({ direction, message }) =>
			direction === 'sent' && own(message, 'method') === 'tasks/result' ? [idKey(own(message, 'id'))] : [],
		),
	);
	const responses = entries.flatMap((entry): CallResponse[] => {
		const { direction, message } = entry;
		const report = reportOf(call, message);
		if (direction === 'sent' || (report && !isObject(own(report, 'result')) && !isObject(own(report, 'error')))) {
			return [];
		}
		const responds = own(message, 'method') === undefined && awaited.has(idKey(own(message, 'id')));
		return report ? [{ ...entry, message: report }] : responds ? [entry] : [];
	});
	return responses.at(-1);
}

/** What a message reports about the task of a call. */
export function reportOf({ task }: Call, message: unknown): Json | undefined {
	const report = own(message, 'result') ?? own(message, 'params');
	return task && own(report, 'taskId') === task.id ? report : undefined;
}

function errorOf(message: unknown): { code: number; data: Json | undefined } | undefined {
	const error = own(message, 'error');
	const code = own(error, 'code');
	return typeof code === 'number' ? { code, data: own(error, 'data') } : undefined;
}

/** Normalizes an elicitation. Drops ids, which differ for every request. */
export function requestOf({ request }: Elicitation): JsonObject {
	const { mode, message } = request;
	return request.mode === 'url'
		? { mode, message, url: request.url }
		: { mode, message, requestedSchema: request.requestedSchema };
}

/** The outcome of a call, with everything that may be secret in it. */
export function outcomeOf(call: Call, { message }: CallResponse): CaseOutcome {
	const error = errorOf(message);
	if (error) {
		const elicitations = own(error.data, 'elicitations');
		const pages =
			error.code === URL_ELICITATION_REQUIRED && Array.isArray(elicitations)
				? elicitations.map(urlElicitationOf)
				: undefined;
		return { error: { code: error.code, ...(pages && { pages }) } };
	}
	const result = own(message, 'result');
	const members = COMPARED[CALL_METHODS[call.kind]].flatMap((name): [string, Json][] => {
		const value = own(result, name);
		return value === undefined ? [] : [[name, value]];
	});
	return { result: plainObject(members) };
}

/** Drops the members that differ for every error. */
function urlElicitationOf(entry: Json): Json {
	const members = ['mode', 'message', 'url'] as const;
	return plainObject(members.flatMap((name): [string, Json][] => [[name, own(entry, name) ?? null]]));
}
