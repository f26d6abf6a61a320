import type { AutoResponder } from '../elicitation/autoResponders.ts';
import type { Call, CallKind, Series } from '../elicitation/call.ts';
import { FORCED_RESPONDER } from '../elicitation/forced.ts';
import type { JsonObject } from '../elicitation/json.ts';
import type { Registry } from '../elicitation/registry.ts';
import type { Sentence } from '../elicitation/sentence.ts';
import type { CallOptions } from '../mcp/index.ts';

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
 * Makes a call and shows its progress in a notification, after starting the server if necessary. Resolves to the
 * result, or to undefined if the user did not consent to the start. Rejects with an error that can be shown to the
 * user.
 */
export type RunCall = (spec: CallSpec, options?: CallRunOptions) => Promise<JsonObject | undefined>;

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
	run: RunCall,
	registry: Registry,
	spec: CallSpec,
	answer: AutoResponder['respond'],
	options: CallRunOptions = {},
): Promise<CallRun | undefined> {
	let call: Call | undefined;
	const registration = registry.autoResponders.add({
		responder: FORCED_RESPONDER,
		respond: async (elicitation, signal) =>
			elicitation.cause !== undefined && elicitation.cause === call ? answer(elicitation, signal) : undefined,
	});
	try {
		return await follow((began) => {
			const onCall = (started: Call) => {
				call = started;
				started.trial = spec.trial;
				started.series = spec.series;
				began(started);
				options.onCall?.(started);
			};
			return run(spec, { ...options, onCall });
		});
	} finally {
		registration.dispose();
	}
}

/**
 * Follows a call to its end, with or without a result. Resolves to undefined if it did not begin; rejects with the error
 * that kept it from beginning.
 * @param make makes the call, and tells when it has begun
 */
export async function follow(
	make: (began: (call: Call) => void) => Promise<JsonObject | undefined>,
): Promise<CallRun | undefined> {
	let call: Call | undefined;
	try {
		const result = await make((started) => {
			call = started;
		});
		return call && { call, result, error: undefined };
	} catch (error) {
		if (!call) {
			throw error;
		}
		return { call, result: undefined, error };
	}
}
