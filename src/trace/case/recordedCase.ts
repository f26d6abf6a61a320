import type { Json, JsonObject } from '../../elicitation/json.ts';

/**
 * A call as it was recorded, with everything that makes it repeatable: plain JSON, without any secret. Where a text holds
 * `‹NAME›`, and NAME is among the variables or the places, the value is found when the case is run.
 */
export interface RecordedCase {
	/** The tool, the prompt or the resource. Server text. */
	readonly name: string;
	readonly server: CaseServer;
	/** The protocol revision that was spoken. */
	readonly revision: string;
	/** What the client offered. */
	readonly capabilities: JsonObject;
	readonly method: 'tools/call' | 'prompts/get' | 'resources/read';
	readonly params: JsonObject;
	/** In the order in which they came. */
	readonly questions: readonly CaseQuestion[];
	readonly expected: CaseOutcome;
	readonly variables: readonly CaseVariable[];
}

/** How the server is reached; values of variables and headers are never part of it. */
export type CaseServer =
	| {
			readonly type: 'stdio';
			readonly command: string;
			readonly args: readonly string[];
			readonly cwd: string;
			/** `null` takes a variable away. */
			readonly env: Readonly<Record<string, string | null>>;
	  }
	| { readonly type: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> };

export interface CaseQuestion {
	/** Questions of the same turn were open at the same time and may come in any order. From 1. */
	readonly turn: number;
	readonly asked: JsonObject;
	/** The answer, or the error that was sent in its place. */
	readonly answer: JsonObject;
}

/** What the call came to: the members of its result that mean something, or its error. */
export type CaseOutcome =
	| { readonly result: JsonObject }
	/** `pages`: what error -32042 requires to be visited. */
	| { readonly error: { readonly code: number; readonly pages?: readonly Json[] } };

/** What a variable of the environment is needed for. */
export type Role = 'answer' | 'argument' | 'environment' | 'header' | 'definition';

/** A value that is read from the environment when the case is run. */
export interface CaseVariable {
	readonly name: string;
	readonly type: 'string' | 'number' | 'boolean';
	readonly role: Role;
}

/** Places that differ from machine to machine. */
export const PLACES = ['workspaceFolder', 'userHome'] as const;
export type Place = (typeof PLACES)[number];

/** How a variable or a place stands in a text. */
export function marker(name: string): string {
	return `‹${name}›`;
}

/** What of a result is compared, by the method. The rest, `_meta` for one, is about the transmission. */
export const COMPARED: Readonly<Record<RecordedCase['method'], readonly string[]>> = {
	'tools/call': ['content', 'structuredContent', 'isError'],
	'prompts/get': ['description', 'messages'],
	'resources/read': ['contents'],
};

/** Revisions from this one on have no sessions: each request stands for itself, and questions come in rounds. */
export const STATELESS = '2026-07-28';
