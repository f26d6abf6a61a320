import { reportIn } from '../../conversation/task.ts';
import { CALL_METHODS, type Call, isCallMethod } from '../../elicitation/call.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import { isObject, type Json, type JsonObject, keyOf, own, without } from '../../elicitation/json.ts';
import { STATELESS } from '../../elicitation/revisions.ts';
import { localizable, type Sentence } from '../../elicitation/sentence.ts';
import { Redactor } from '../../privacy/redactor.ts';
import { methodOf, type TraceEntry, type TraceLog } from '../log.ts';
import { CaseSecrets } from './caseSecrets.ts';
import { type CallResponse, outcomeOf, requestOf, responseOf } from './outcome.ts';
import type { CaseOutcome, CaseServer, RecordedCase } from './recordedCase.ts';
import { withoutVolatileNames } from './volatile.ts';

const ASKS = 'elicitation/create';

/** What is needed to record a case. */
export interface CaseSource {
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

/** Creates a case from a call that has ended. */
export function recordCase(source: CaseSource): Recorded {
	const { call, trace, capabilities } = source;
	const entries = trace.entries.filter((entry) => entry.call === call);
	const response = responseOf(entries);
	// URL elicitations required by error -32042 belong to the error.
	const asked = source.elicitations.filter(
		({ origin }) => origin.calls.includes(call) && origin.intake !== 'urlRequired',
	);
	const revision = asked[0]?.origin.revision ?? source.revision;
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
	const server = source.server(secrets);
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
			// Each era has tasks of its own (K05, K10).
			capabilities: without(capabilities, [revision < STATELESS ? 'extensions' : 'tasks']),
			method: CALL_METHODS[call.kind],
			params: secrets.written(params),
			isTask: call.task !== undefined,
			elicitations: elicitations.map((each, index) => ({
				turn: turns[index] ?? 1,
				asked: secrets.compared(requestOf(each)) as JsonObject,
				answer: secrets.written(responses[index] ?? {}),
			})),
			expected: comparedOutcome(outcomeOf(call, response), secrets),
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
	if (!call.hasWholeArgs) {
		return localizable('Its arguments are so large that only a shortened form of them was kept.');
	}
	if (response.truncated) {
		return localizable('Its result is so large that only a shortened form of it was kept.');
	}
	if (revision === undefined) {
		return localizable('The protocol revision of the call is not known. Start the server, then export the call again.');
	}
	return refusalByElicitations(entries, response, asked, revision);
}

function refusalByElicitations(
	entries: readonly TraceEntry[],
	{ at: endedAt }: CallResponse,
	asked: readonly Elicitation[],
	revision: string,
): Sentence | undefined {
	if (asked.some(({ origin }) => origin.calls.length > 1)) {
		return localizable(
			'Other calls ran at the same time, and the protocol does not say which of them the requests belong to.',
		);
	}
	if (asked.some(({ response, receivedAt }) => response === undefined && receivedAt <= endedAt)) {
		return localizable('One of its requests was withdrawn without a response.');
	}
	if (asked.some(({ response }) => response?.action === 'malformed')) {
		return localizable('To one of its requests, something was sent that is no response.');
	}
	if (revision >= STATELESS && asked.some(({ response }) => response?.action === 'error')) {
		return localizable(
			'One of its requests was answered with an error, which is never sent to the server in this protocol revision.',
		);
	}
	const count = countElicitations(entries);
	// The user may be asked again for a URL that is counted once.
	const distinct = new Set(asked.map((each) => (each.request.mode === 'url' ? each.request.url : each)));
	return count > asked.length
		? localizable('The server sent a request that was refused before anybody could respond.')
		: count < distinct.size
			? NOT_KNOWN
			: undefined;
}

/** Counts the elicitations in the messages. URL elicitations required by an error are not messages. */
function countElicitations(entries: readonly TraceEntry[]): number {
	let count = 0;
	const known = new Set<string>();
	for (const entry of entries.filter(({ direction }) => direction === 'received')) {
		const { message } = entry;
		if (isElicitation(entry)) {
			count++;
		}
		const report = reportIn(methodOf(entry), message);
		const inputs = own(report ?? own(message, 'result'), 'inputRequests');
		for (const [key, request] of isObject(inputs) ? Object.entries(inputs) : []) {
			if (own(request, 'method') !== ASKS) {
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

/** True for a request for an elicitation that is not sent again. */
function isElicitation(entry: TraceEntry): boolean {
	const { exchange } = entry;
	return exchange?.method === ASKS && exchange.request === entry;
}

/** What a call of 2025-11-25 adds to its params in order to run as a task. */
function taskParamsOf(entries: readonly TraceEntry[]): JsonObject {
	const sent = entries.find(({ direction, message }) => direction === 'sent' && isCallMethod(own(message, 'method')));
	const task = own(own(sent?.message, 'params'), 'task');
	return task === undefined ? {} : { task };
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

/** The turn of each elicitation. Elicitations that were open at the same time share a turn. */
function turnsOf(elicitations: readonly Elicitation[], entries: readonly TraceEntry[]): readonly number[] {
	const groups = elicitations.flatMap(({ origin: { group } }) => group ?? []);
	if (groups.length > 0) {
		const distinct = [...new Set(groups)];
		return groups.map((group) => distinct.indexOf(group) + 1);
	}
	const open = new Set<unknown>();
	let turn = 0;
	return entries.flatMap((entry) => {
		const { exchange } = entry;
		if (isElicitation(entry)) {
			turn += open.size === 0 ? 1 : 0;
			open.add(exchange);
			return [turn];
		}
		if (exchange?.response === entry) {
			open.delete(exchange);
		}
		return [];
	});
}

function comparedOutcome(outcome: CaseOutcome, secrets: CaseSecrets): CaseOutcome {
	if ('result' in outcome) {
		return { result: secrets.compared(withoutVolatileNames(outcome.result)) as JsonObject };
	}
	const { code, pages } = outcome.error;
	return { error: { code, ...(pages && { pages: secrets.compared(pages) as Json[] }) } };
}
