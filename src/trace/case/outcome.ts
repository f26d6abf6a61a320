import { endIn } from '../../conversation/task.ts';
import { CALL_METHODS, type Call } from '../../elicitation/call.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import { URL_ELICITATION_REQUIRED } from '../../elicitation/errorCodes.ts';
import { type Json, type JsonObject, own, plainObject } from '../../elicitation/json.ts';
import { methodOf, type TraceEntry } from '../log.ts';
import { mayEnd } from '../result.ts';
import { type CaseOutcome, COMPARED } from './recordedCase.ts';

/* What a call came to, and what was requested in it, in the form that cases keep and compare. */

/** The response to a call, in a message of its own or in the report of its task. */
export type CallResponse = Pick<TraceEntry, 'at' | 'truncated' | 'message'>;

/**
 * The response that ends the case: the first that requires URL elicitations, or else the last.
 * @param entries the messages of the call, oldest first
 */
export function responseOf(entries: readonly TraceEntry[]): CallResponse | undefined {
	const ends = entries.flatMap((entry): CallResponse[] => {
		const end = mayEnd(entry) ? endIn(methodOf(entry), entry.message) : undefined;
		return end === undefined ? [] : [{ ...entry, message: end }];
	});
	return ends.find(({ message }) => errorOf(message)?.code === URL_ELICITATION_REQUIRED) ?? ends.at(-1);
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
