import type { Json, JsonObject } from '../../elicitation/json.ts';

/**
 * A recorded call with everything that is needed to repeat it. Plain JSON without secrets. `‹NAME›` in a text is
 * replaced at run time if NAME is one of the variables or places.
 */
export interface RecordedCase {
	/** The tool, prompt or resource. Server text. */
	readonly name: string;
	readonly server: CaseServer;
	/** The negotiated protocol revision. */
	readonly revision: string;
	/** The client capabilities. */
	readonly capabilities: JsonObject;
	readonly method: 'tools/call' | 'prompts/get' | 'resources/read';
	readonly params: JsonObject;
	/** True if the server ran the call as a task. */
	readonly isTask: boolean;
	/** In the order of arrival. */
	readonly elicitations: readonly CaseElicitation[];
	readonly expected: CaseOutcome;
	readonly variables: readonly CaseVariable[];
}

/** How to reach the server. Never contains values of variables or headers. */
export type CaseServer =
	| {
			readonly type: 'stdio';
			readonly command: string;
			readonly args: readonly string[];
			readonly cwd: string;
			/** `null` removes a variable. */
			readonly env: Readonly<Record<string, string | null>>;
	  }
	| { readonly type: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> };

export interface CaseElicitation {
	/** The turn, from 1. Elicitations of the same turn were open at the same time and may arrive in any order. */
	readonly turn: number;
	readonly asked: JsonObject;
	/** The response, or the error that was sent instead. */
	readonly answer: JsonObject;
}

/** The outcome of the call: the significant members of its result, or its error. */
export type CaseOutcome =
	| { readonly result: JsonObject }
	/** `pages`: the URL elicitations that error -32042 requires. */
	| { readonly error: { readonly code: number; readonly pages?: readonly Json[] } };

/** What an environment variable is used for. */
export type Role = 'answer' | 'argument' | 'environment' | 'header' | 'definition';

/** A value that is read from the environment at run time. */
export interface CaseVariable {
	readonly name: string;
	readonly type: 'string' | 'number' | 'boolean';
	readonly role: Role;
}

/** Paths that differ between machines. */
export const PLACES = ['workspaceFolder', 'userHome'] as const;
export type Place = (typeof PLACES)[number];

/** Formats a variable or a place for use in a text. */
export function marker(name: string): string {
	return `‹${name}›`;
}

/** The members of a result that are compared, by method. Other members, such as `_meta`, concern the transport. */
export const COMPARED: Readonly<Record<RecordedCase['method'], readonly string[]>> = {
	'tools/call': ['content', 'structuredContent', 'isError'],
	'prompts/get': ['description', 'messages'],
	'resources/read': ['contents'],
};
