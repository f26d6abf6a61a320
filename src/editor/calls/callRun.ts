import type { AutoResponder } from '../../elicitation/autoResponders.ts';
import type { Call, CallKind } from '../../elicitation/call.ts';
import { FORCED } from '../../elicitation/forced.ts';
import type { JsonObject } from '../../elicitation/json.ts';
import type { Registry } from '../../elicitation/registry.ts';
import type { Sentence } from '../../elicitation/sentence.ts';
import type { CallOptions } from '../../mcp/index.ts';

/** What a call asks of a server: enough to make it again. */
export interface CallSpec {
	readonly server: string;
	readonly kind: CallKind;
	/** The name of the tool or the prompt, or the URI of the resource. Server text. */
	readonly name: string;
	readonly args: JsonObject;
	/** What it tries out, as the timeline shows it. */
	readonly trial: Sentence;
}

/** How a call is made. */
export interface RunOptions extends CallOptions {
	/** Its progress is told in the status bar alone: whoever makes many calls tells of all of them. */
	readonly quiet?: boolean;
}

/**
 * Makes a call behind the usual progress notification; the server is started for it. Resolves to its result; to undefined when
 * the user did not consent to the start. Rejects with an error made for people.
 */
export type RunCall = (spec: CallSpec, options?: RunOptions) => Promise<JsonObject | undefined>;

/** A call that was made to see what the server does, and what became of it. */
export interface CallRun {
	readonly call: Call;
	/** Undefined where it failed or was cancelled. */
	readonly result: JsonObject | undefined;
	/** What it failed with. */
	readonly error: unknown;
}

/**
 * Makes a call whose questions `answer` decides, before any script, and whatever their schemas allow. A question of which the
 * protocol does not tell that this call caused it is left to the user. Resolves to undefined when the server was not started.
 */
export async function runWithResponses(
	run: RunCall,
	registry: Registry,
	spec: CallSpec,
	answer: AutoResponder['answer'],
	options: RunOptions = {},
): Promise<CallRun | undefined> {
	let call: Call | undefined;
	const registration = registry.autoResponders.add({
		responder: FORCED,
		answer: async (elicitation, signal) =>
			elicitation.cause !== undefined && elicitation.cause === call ? answer(elicitation, signal) : undefined,
	});
	const onCall = (begun: Call) => {
		call = begun;
		begun.trial = spec.trial;
		options.onCall?.(begun);
	};
	try {
		const result = await run(spec, { ...options, onCall });
		return call && { call, result, error: undefined };
	} catch (error) {
		if (!call) {
			throw error;
		}
		return { call, result: undefined, error };
	} finally {
		registration.dispose();
	}
}
