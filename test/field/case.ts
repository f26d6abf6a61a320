import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../src/elicitation/json.ts';
import type { Act } from './schemas/case.ts';

/** A response of an HTTP server; in its body `$id` is the id of the request. */
export interface Reply {
	readonly status: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
}

/** What a person does to a form before answering it; see `case.schema.json`. */
export type Entries = Readonly<Record<string, Act | { readonly picks: string }>>;

type Only<K extends string, V, More = object> = { readonly [P in K]: V } & More;

/** One thing that a person or a server does, or that must then be so. `case.schema.json` describes each. */
export type Step =
	| Only<'starts', true>
	| Only<'calls', string>
	| Only<'reads', string>
	| Only<'gets', string>
	| Only<'accepts', Entries, { readonly problems?: readonly string[] }>
	| Only<'acceptsJson', JsonObject, { readonly problems?: readonly string[] }>
	| Only<'declines', Entries>
	| Only<'cancels', Entries>
	| Only<'opens', string>
	| Only<'retries', true>
	| Only<'signsIn', true>
	| Only<'pastes', string, { readonly offered: string; readonly written?: JsonObject }>
	| Only<'file', string, Definitions>
	| Only<'takes', string, { readonly like?: JsonObject }>
	| Only<'sends', string | JsonObject, { readonly alone?: true }>
	| Only<'writes', string>
	| Only<'replies', JsonObject>
	| Only<'refuses', Reply, { readonly method?: string; readonly once?: true }>
	| Only<'forgetsSessions', Reply>
	| Only<'cuts', true>
	| Only<'resumes', true>
	| Only<'exits', number>
	| Only<'expires', readonly ('access' | 'refresh')[]>
	| Only<'sees', string | readonly string[]>
	| Only<'responses', Readonly<Record<string, readonly (string | JsonObject)[]>>>
	| Only<'posted', readonly string[]>
	| Only<'asked', 'pages' | 'tokens' | 'registrations', { readonly like: JsonObject }>;

export interface Definitions {
	readonly holds: JsonObject;
	/** Part of each problem that must be told, in any order; no other may be. */
	readonly problems?: readonly string[];
	readonly lists?: readonly string[];
	readonly fixed?: JsonObject;
}

export interface Server {
	readonly wire: 'stdio' | 'http';
	readonly revision?: '2024-11-05' | '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28';
	readonly sessions?: false;
	readonly resumable?: true;
	readonly tools?: readonly (string | JsonObject)[];
	readonly capabilities?: JsonObject;
	readonly manual?: readonly string[];
	readonly answers?: Readonly<Record<string, JsonObject>>;
	/** Members of its definition; `$url` is its address. */
	readonly definition?: JsonObject;
}

/** A change of the responses of an authorization server to some requests. */
export interface Edit {
	readonly to: string;
	/** The members that the request must have; `null` where it must not have one. */
	readonly where?: Readonly<Record<string, string | null>>;
	readonly status?: number;
	/** Replaces the usual members of the response one by one. */
	readonly body: JsonObject;
}

export interface Authorization {
	/** See `Behavior` in `test/servers/authorization.mjs`. */
	readonly behavior?: JsonObject;
	readonly edits?: readonly Edit[];
	/** Replaces members of the metadata of the protected resource. */
	readonly resource?: JsonObject;
}

/** What happened in the field, and what must come of it: a file of `cases`. */
export interface FieldCase {
	readonly name: string;
	readonly source: string;
	readonly server?: Server;
	readonly authorization?: Authorization;
	/** The files of the workspace that must be there, such as programs. */
	readonly files?: Readonly<Record<string, string>>;
	/** The limit of calls (s). */
	readonly callTimeout?: number;
	/** The time zone of the person; otherwise that of the machine. */
	readonly zone?: string;
	/** What the screen must not say at any time. */
	readonly never?: readonly string[];
	readonly steps: readonly Step[];
}

const folder = join(import.meta.dirname, 'cases');

/** All cases, by file name without its ending. */
export const fieldCases: readonly (readonly [file: string, fieldCase: FieldCase])[] = readdirSync(folder).map(
	(file) => [file.replace('.json', ''), JSON.parse(readFileSync(join(folder, file), 'utf8'))],
);

/** True if a value has everything that another one has; `null` stands for what is absent. */
export function isLike(value: unknown, like: Json | undefined): boolean {
	if (typeof like !== 'object' || like === null) {
		return like === null ? value === undefined || value === null : value === like;
	}
	return (
		typeof value === 'object' &&
		value !== null &&
		Object.entries(like).every(([key, each]) => isLike((value as Record<string, unknown>)[key], each))
	);
}
