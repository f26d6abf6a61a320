import type { Call } from '../../elicitation/call.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import { isObject, type Json, type JsonObject, keyOf, own, plainObject } from '../../elicitation/json.ts';
import { localizable, type Sentence } from '../../elicitation/sentence.ts';
import type { TraceEntry, TraceLog } from '../log.ts';
import { Redactor } from '../redact.ts';
import { CaseSecrets } from './caseSecrets.ts';
import { type CaseOutcome, type CaseServer, COMPARED, type RecordedCase, STATELESS } from './recordedCase.ts';

const URL_REQUIRED = -32042;

/** What is needed to record a case. */
export interface Recording {
	readonly call: Call;
	/** Elicitations of all calls. */
	readonly elicitations: readonly Elicitation[];
	readonly trace: TraceLog;
	/** The revision of the connection, in case no message of the call tells. */
	readonly revision: string | undefined;
	readonly capabilities: JsonObject;
	/** How to reach the server, without secrets. */
	server(secrets: CaseSecrets): CaseServer;
}

/** A case, or why it cannot be recorded, as a complete sentence. */
export type Recorded = { readonly recorded: RecordedCase } | { readonly refusal: Sentence };

const METHODS = { tool: 'tools/call', prompt: 'prompts/get', resource: 'resources/read' } as const;

/** Creates a case from a call that has ended. */
export function recordCase(recording: Recording): Recorded {
	const { call, trace, capabilities } = recording;
	const entries = trace.entries.filter((entry) => entry.call === call);
	const response = responseOf(call, entries);
	// URL elicitations required by error -32042 belong to the error.
	const asked = recording.elicitations.filter(
		({ origin }) => origin.calls.includes(call) && origin.intake !== 'urlRequired',
	);
	const revision = asked[0]?.origin.revision ?? recording.revision;
	const refusal = refusalOf({ call, entries, response, asked, revision });
	if (refusal || !response || revision === undefined) {
		return { refusal: refusal ?? NOT_KNOWN };
	}
	const elicitations = asked.filter(({ receivedAt }) => receivedAt <= response.at);
	const redactor = new Redactor(trace);
	const secrets = new CaseSecrets(redactor);
	// Process sent values first, because compared values may repeat them.
	const params = { ...paramsOf(call, secrets, redactor), ...taskParamsOf(entries) };
	const responses = elicitations.map((each) => responseTo(each, secrets, redactor));
	const server = recording.server(secrets);
	if (secrets.leaks) {
		return {
			refusal: localizable('A secret was sent as the name of a property, where no variable can take its place.'),
		};
	}
	const turns = turnsOf(elicitations, entries);
	return {
		recorded: {
			name: String(secrets.compared(call.name)),
			server: secrets.written(server),
			revision,
			capabilities,
			method: METHODS[call.kind],
			params: secrets.written(params),
			isTask: call.task !== undefined,
			elicitations: elicitations.map((each, index) => ({
				turn: turns[index] ?? 1,
				asked: secrets.compared(requestOf(each)) as JsonObject,
				answer: secrets.written(responses[index] ?? {}),
			})),
			expected: outcomeOf(call, response, secrets),
			variables: secrets.variables,
		},
	};
}

/** The data of a call. */
interface Known {
	readonly call: Call;
	readonly entries: readonly TraceEntry[];
	readonly response: CallResponse | undefined;
	readonly asked: readonly Elicitation[];
	readonly revision: string | undefined;
}

const NOT_KNOWN = localizable('Its messages are no longer in the timeline; make the call again.');

/** Why a call cannot become a test; undefined if it can. */
function refusalOf({ call, entries, response, asked, revision }: Known): Sentence | undefined {
	if (call.state === 'running') {
		return localizable('It is still running.');
	}
	if (call.state === 'cancelled') {
		return localizable('It was cancelled: there is no result that a test could expect.');
	}
	if (asked.some(({ request }) => request.mode === 'sampling')) {
		return localizable('The server requested the response of a language model, which tests do not give.');
	}
	if (response === undefined) {
		return call.state === 'failed' && entries.length > 0 ? localizable('The server never responded to it.') : NOT_KNOWN;
	}
	if (response.truncated) {
		return localizable('Its result is so large that only a shortened form of it was kept.');
	}
	if (revision === undefined) {
		return localizable('The protocol revision of the call is not known. Start the server, then export the call again.');
	}
	return refusalByElicitations(call, entries, response, asked, revision);
}

function refusalByElicitations(
	call: Call,
	entries: readonly TraceEntry[],
	response: CallResponse,
	asked: readonly Elicitation[],
	revision: string,
): Sentence | undefined {
	if (asked.some(({ origin }) => origin.calls.length > 1)) {
		return localizable(
			'Other calls ran at the same time, and the protocol does not say which of them the requests belong to.',
		);
	}
	if (asked.some(({ response: answer, receivedAt }) => answer === undefined && receivedAt <= response.at)) {
		return localizable('One of its requests was withdrawn without a response.');
	}
	if (revision >= STATELESS && asked.some(({ response: answer }) => answer?.action === 'error')) {
		return localizable(
			'One of its requests was answered with an error, which the server is never told in this protocol revision.',
		);
	}
	const count = countElicitations(call, entries);
	return count > asked.length
		? localizable('The server sent a request that was refused before anybody could respond.')
		: count < asked.length
			? NOT_KNOWN
			: undefined;
}

/** Counts the elicitations in the messages. URL elicitations required by an error are not messages. */
function countElicitations(call: Call, entries: readonly TraceEntry[]): number {
	let count = 0;
	const known = new Set<string>();
	for (const { direction, message } of entries) {
		if (direction === 'received' && own(message, 'method') === 'elicitation/create') {
			count++;
		}
		const report = reportOf(call, message);
		const inputs = direction === 'received' ? own(report ?? own(message, 'result'), 'inputRequests') : undefined;
		for (const [key, request] of isObject(inputs) ? Object.entries(inputs) : []) {
			if (own(request, 'method') !== 'elicitation/create') {
				continue;
			}
			// A server may repeat a URL elicitation until it completes, and a task each of its requests until it has the
			// response. The user is asked once.
			const url = own(own(request, 'params'), 'url');
			const repeatable = keyOf(report !== undefined, key, url);
			count += (report || url !== undefined) && known.has(repeatable) ? 0 : 1;
			known.add(repeatable);
		}
	}
	return count;
}

/** The response to a call, in a message of its own or in the report of its task. */
type CallResponse = Pick<TraceEntry, 'at' | 'truncated' | 'message'>;

/** The response that ends the case: the first that requires URL elicitations, or else the last. */
function responseOf(call: Call, entries: readonly TraceEntry[]): CallResponse | undefined {
	if (call.task) {
		return responseOfTask(call, entries);
	}
	const sent = new Set<unknown>();
	const responses: TraceEntry[] = [];
	for (const entry of entries) {
		const { direction, message } = entry;
		const id = own(message, 'id');
		if (direction === 'sent' && isCall(own(message, 'method'))) {
			sent.add(id);
		} else if (direction === 'received' && own(message, 'method') === undefined && sent.has(id)) {
			responses.push(entry);
		}
	}
	const last = responses.at(-1);
	const over = last && own(own(last.message, 'result'), 'resultType') !== 'input_required';
	return responses.find(({ message }) => errorOf(message)?.code === URL_REQUIRED) ?? (over ? last : undefined);
}

/** Tasks of 2026-07-28 report their result or error; those of 2025-11-25 respond with it to `tasks/result`. */
function responseOfTask(call: Call, entries: readonly TraceEntry[]): CallResponse | undefined {
	const awaited = new Set(
		entries.flatMap(({ direction, message }) =>
			direction === 'sent' && own(message, 'method') === 'tasks/result' ? [own(message, 'id')] : [],
		),
	);
	const responses = entries.flatMap((entry): CallResponse[] => {
		const { direction, message } = entry;
		const report = reportOf(call, message);
		if (direction === 'sent' || (report && !isObject(own(report, 'result')) && !isObject(own(report, 'error')))) {
			return [];
		}
		const responds = own(message, 'method') === undefined && awaited.has(own(message, 'id'));
		return report ? [{ ...entry, message: report }] : responds ? [entry] : [];
	});
	return responses.at(-1);
}

/** What a message reports about the task of a call. */
function reportOf({ task }: Call, message: unknown): Json | undefined {
	const report = own(message, 'result') ?? own(message, 'params');
	return task && own(report, 'taskId') === task.id ? report : undefined;
}

/** What a call of 2025-11-25 adds to its params in order to run as a task. */
function taskParamsOf(entries: readonly TraceEntry[]): JsonObject {
	const sent = entries.find(({ direction, message }) => direction === 'sent' && isCall(own(message, 'method')));
	const task = own(own(sent?.message, 'params'), 'task');
	return task === undefined ? {} : { task };
}

function isCall(method: Json | undefined): boolean {
	return Object.values<unknown>(METHODS).includes(method);
}

function errorOf(message: unknown): { code: number; data: Json | undefined } | undefined {
	const error = own(message, 'error');
	const code = own(error, 'code');
	return typeof code === 'number' ? { code, data: own(error, 'data') } : undefined;
}

function paramsOf(call: Call, secrets: CaseSecrets, redactor: Redactor): JsonObject {
	const name = secrets.text(call.name, 'argument', call.kind);
	if (call.kind === 'resource') {
		return { uri: name };
	}
	const args = secrets.sent((call.args ?? {}) as Json, redactor.args(call), 'argument', 'argument');
	return { name, arguments: args };
}

/** The response, with variables in place of masked input and likely secrets. */
function responseTo(elicitation: Elicitation, secrets: CaseSecrets, redactor: Redactor): JsonObject {
	const { response, request } = elicitation;
	const content = own(response, 'content');
	if (response?.action === 'error') {
		return { error: { code: response.code, message: secrets.text(response.message, 'answer', 'message') } };
	}
	if (!isObject(content) || request.mode !== 'form') {
		return { action: response?.action ?? 'cancel' };
	}
	// Declare variables for masked input first, because the rest may repeat it.
	secrets.sent(content, redactor.masked(content, elicitation), 'answer', 'answer');
	const redacted = own(redactor.response(elicitation), 'content');
	return { action: 'accept', content: secrets.sent(content, redacted, 'answer', 'answer') };
}

/** Normalizes an elicitation. Drops ids, which differ for every request. */
function requestOf({ request }: Elicitation): JsonObject {
	const { mode, message } = request;
	return request.mode === 'url'
		? { mode, message, url: request.url }
		: { mode, message, requestedSchema: request.requestedSchema };
}

/** The turn of each elicitation. Elicitations that were open at the same time share a turn. */
function turnsOf(elicitations: readonly Elicitation[], entries: readonly TraceEntry[]): readonly number[] {
	const groups = elicitations.flatMap(({ origin: { group } }) => group ?? []);
	if (groups.length > 0) {
		const distinct = [...new Set(groups)];
		return groups.map((group) => distinct.indexOf(group) + 1);
	}
	const open = new Set<unknown>();
	let turn = 0;
	return entries.flatMap(({ direction, message }) => {
		const id = own(message, 'id');
		if (direction === 'received' && own(message, 'method') === 'elicitation/create') {
			turn += open.size === 0 ? 1 : 0;
			open.add(id);
			return [turn];
		}
		if (direction === 'sent' && own(message, 'method') === undefined) {
			open.delete(id);
		}
		return [];
	});
}

function outcomeOf(call: Call, { message }: CallResponse, secrets: CaseSecrets): CaseOutcome {
	const error = errorOf(message);
	if (error) {
		const elicitations = own(error.data, 'elicitations');
		const pages =
			error.code === URL_REQUIRED && Array.isArray(elicitations) ? elicitations.map(urlElicitationOf) : undefined;
		return { error: { code: error.code, ...(pages && { pages: secrets.compared(pages) as Json[] }) } };
	}
	const result = own(message, 'result');
	const members = COMPARED[METHODS[call.kind]].flatMap((name): [string, Json][] => {
		const value = own(result, name);
		return value === undefined ? [] : [[name, value]];
	});
	return { result: secrets.compared(plainObject(members)) as JsonObject };
}

/** Drops the members that differ for every error. */
function urlElicitationOf(entry: Json): Json {
	const members = ['mode', 'message', 'url'] as const;
	return plainObject(members.flatMap((name): [string, Json][] => [[name, own(entry, name) ?? null]]));
}
