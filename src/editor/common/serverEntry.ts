import type * as vscode from 'vscode';
import type { Kind, ResolvedServer } from '../../config/precedence.ts';
import type { JsonPath } from '../../config/problem.ts';
import type { Shape } from '../../config/shape.ts';
import type { Sentence } from '../../elicitation/sentence.ts';
import type { Connection, ServerState } from '../../mcp/index.ts';

/** A config source: a file or settings that define servers. */
export interface ConfigSource {
	readonly kind: Kind;
	/** Unique id, also used to store consent and inputs. */
	readonly uri: string;
	/** Base of variables and relative paths. */
	readonly folder: vscode.WorkspaceFolder | undefined;
	readonly shape: Shape;
	/** Undefined if the path is unknown. */
	readonly file: vscode.Uri | undefined;
}

/** Origin of a server. A server that comes with the workspace needs the user's consent before it runs. */
export type Source = ConfigSource | { readonly kind: 'demo'; readonly uri: string };

/** A configured server, or one that comes with this extension. */
export interface ConfiguredServer extends ResolvedServer<Source> {
	/** Config source of the same server if VS Code's chat runs it, too. */
	readonly editor?: ConfigSource;
	/**
	 * A workspace has replaced one of the user's servers with one of this name. Consent given to the user's server does
	 * not apply.
	 */
	readonly replacesOwn?: true;
}

/** An error that can be shown to the user (`Failure` of the `mcp` layer, recognized by its shape). */
export interface UserError {
	readonly server: string;
	readonly what: Sentence;
	readonly fix: Sentence;
	/** Restarting the server starts the sign-in. */
	readonly signIn?: boolean;
	readonly restart?: boolean;
	/** The part of the server's definition that may have to be corrected. */
	readonly definition?: JsonPath | undefined;
}

/** One server as shown in the UI. */
export interface ServerEntry {
	readonly configured: ConfiguredServer;
	readonly state: ServerState;
	/** Absent before the first start. */
	readonly connection?: Connection;
	/** Why it could not be started, or was lost; while it is running, what is wrong with it. */
	readonly failure?: UserError;
	/** Name of the server that this temporary connection tests. It ends together with that server. */
	readonly temporaryFor?: string;
}

/** Whether calls to a server may be chosen: it has a valid definition and is no temporary connection. */
export function isCallable({ configured, temporaryFor }: ServerEntry): boolean {
	return configured.definition !== undefined && !isDisabled(configured) && temporaryFor === undefined;
}

/** Whether its definition says that it is not to be started. */
export function isDisabled({ definition }: ConfiguredServer): boolean {
	return definition?.disabled === true;
}
