import type { AutoResponder } from '../elicitation/autoResponders.ts';
import type { Call, CallKind, Series } from '../elicitation/call.ts';
import { FORCED_RESPONDER } from '../elicitation/forced.ts';
import type { JsonObject } from '../elicitation/json.ts';
import type { Registry } from '../elicitation/registry.ts';
import type { Sentence } from '../elicitation/sentence.ts';
import type { BegunCall, CallOptions } from '../mcp/index.ts';

/** Everything needed to make a call again. */
export interface CallSpec {
	readonly server: string;
	readonly kind: CallKind;
	/** Name of the tool or prompt, or URI of the resource. Server text. */
	readonly name: string;
	readonly args: JsonObject;
	/** The server that the arguments are meant for (`Call.identity`); no other one of its name gets them. */
	readonly identity?: string | undefined;
	/** What the call tests, as shown in the timeline. */
	readonly trial: Sentence;
	/** The series of tests that it belongs to. */
	readonly series?: Series | undefined;
}

/** Options for making a call. */
export interface CallRunOptions extends CallOptions {
	/** Show progress in the status bar only. For callers that report on many calls themselves. */
	readonly quiet?: boolean;
}

/**
 * Begins a call, after starting the server if necessary, and shows its progress until it has ended. Resolves to undefined
 * if the user did not consent to the start. Rejects with an error that can be shown to the user.
 */
export type BeginCall = (spec: CallSpec, options: CallRunOptions) => Promise<BegunCall | undefined>;

/** A call made to observe the server, with its outcome. */
export interface CallRun {
	readonly call: Call;
	/** Undefined if the call failed or was cancelled. */
	readonly result: JsonObject | undefined;
	/** The reason why the call failed. */
	readonly error: unknown;
}

/**
 * Makes a call whose elicitations are answered by `answer`, before any script and without validation. Elicitations that
 * the protocol does not tie to this call are left to the user. Resolves to undefined if the server was not started.
 */
export async function runWithResponses(
	begin: BeginCall,
	registry: Registry,
	spec: CallSpec,
	answer: AutoResponder['respond'],
	options: CallRunOptions & { onCall?(call: Call): void } = {},
): Promise<CallRun | undefined> {
	const begun = await begin(spec, options);
	if (!begun) {
		return undefined;
	}
	const { call } = begun;
	call.trial = spec.trial;
	call.series = spec.series;
	options.onCall?.(call);
	const registration = registry.autoResponders.add({
		responder: FORCED_RESPONDER,
		respond: async (elicitation, signal) => (elicitation.cause === call ? answer(elicitation, signal) : undefined),
	});
	return endOf(call, begun.send(options)).finally(() => registration.dispose());
}

/** The end of a call, with or without a result. */
export function endOf(call: Call, sent: Promise<JsonObject>): Promise<CallRun> {
	return sent.then(
		(result) => ({ call, result, error: undefined }),
		(error) => ({ call, result: undefined, error }),
	);
}
