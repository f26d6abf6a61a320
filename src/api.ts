/**
 * The API that MCP Elicitation exports to other extensions. Copy this file into your own and get the API with
 *
 *     const extension = vscode.extensions.getExtension<McpElicitationApi>('mcp-elicitation.mcp-elicitation');
 *     const api = await extension?.activate();
 *
 * All objects that the API returns are frozen snapshots. Errors have messages that are suitable for users. Server text
 * (messages, schemas, names of tools) is untrusted: display it as plain text.
 */
import type { Disposable, Event } from 'vscode';

export interface McpElicitationApi {
	/** Incremented on breaking changes. Additions do not count. */
	readonly apiVersion: 1;

	/**
	 * All configured servers, running or not. Empty until the configuration has been read; `onDidChangeServers` fires
	 * then.
	 */
	readonly servers: readonly ServerInfo[];
	readonly onDidChangeServers: Event<void>;

	/**
	 * All elicitations that are not over, oldest first. They are preceded by elicitations whose response could not be
	 * delivered yet. Every extension can read them, even if the user does not let it respond.
	 */
	readonly pending: readonly ElicitationInfo[];
	readonly onDidChangePending: Event<void>;

	/**
	 * Fires when an elicitation is over: it has a response, or it was withdrawn. An opened URL elicitation is over once
	 * it completes.
	 */
	readonly onDidSettleElicitation: Event<SettledElicitation>;

	/**
	 * Starts a server, unless it is running. The user may have to consent, enter a value or sign in.
	 * @param name the configured name
	 */
	startServer(name: string): Promise<ServerInfo>;

	/**
	 * Calls a tool; starts its server if necessary. The user sees the call and responds to its elicitations. That time
	 * does not count against the call's timeout. A result with `isError` is a result, not an error.
	 */
	callTool(
		server: string,
		tool: string,
		args?: Record<string, unknown>,
		options?: CallOptions,
	): Promise<CallToolResult>;

	/**
	 * Registers your extension to respond to elicitations, after the user's scripts and before the user. The user must
	 * agree once, before your extension receives the first elicitation. The UI shows which responses are yours.
	 */
	registerAnswerer(answerer: Answerer): Disposable;
}

export interface ServerInfo {
	/** The configured name. */
	readonly name: string;
	/** `restarting`: it exited unexpectedly and starts again after a delay. */
	readonly state: 'stopped' | 'starting' | 'running' | 'restarting' | 'failed';
	/**
	 * How it sends elicitations: as its own requests (`legacy`), or in the result of a call (`modern`). Known while it
	 * is running.
	 */
	readonly era?: 'legacy' | 'modern';
	/** The negotiated protocol revision. Known while it is running. */
	readonly protocolVersion?: string;
	/** Its tools when they were last listed. */
	readonly tools: readonly ToolInfo[];
}

export interface ToolInfo {
	readonly name: string;
	readonly title?: string;
	readonly description?: string;
	/** The JSON Schema of its arguments. */
	readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** An elicitation of a server. */
export type ElicitationInfo = FormElicitationInfo | UrlElicitationInfo;

export interface FormElicitationInfo extends ElicitationBase {
	readonly mode: 'form';
	/** The JSON Schema of the requested content, as the server sent it. */
	readonly requestedSchema: Readonly<Record<string, unknown>>;
}

export interface UrlElicitationInfo extends ElicitationBase {
	readonly mode: 'url';
	/** The URL to open, as the server sent it. */
	readonly url: string;
	readonly elicitationId?: string;
}

interface ElicitationBase {
	/** Unique within this window. */
	readonly id: string;
	/** The configured name of the server. */
	readonly server: string;
	/**
	 * The calls that may have caused it. Several if the protocol does not tell which; none if the server sent it
	 * unprompted.
	 */
	readonly calls: readonly { readonly kind: 'tool' | 'prompt' | 'resource'; readonly name: string }[];
	readonly message: string;
	/**
	 * It is not over in the first three states. `held`: held by the rate limit. `opened`: the URL was accepted, but has
	 * not completed.
	 */
	readonly state:
		| 'held'
		| 'asking'
		| 'opened'
		| 'accepted'
		| 'declined'
		| 'cancelled'
		| 'completed'
		| 'retried'
		| 'givenUp'
		| 'failed'
		| 'withdrawn';
	/**
	 * Delivery of the response, if known. `sending` also after a failed attempt. The user may resend an `undelivered`
	 * response.
	 */
	readonly delivery?: 'sending' | 'delivered' | 'undelivered';
	/** When it arrived (ms since the epoch). */
	readonly receivedAt: number;
}

/** An elicitation that is over. The content of the response is not included. */
export interface SettledElicitation {
	readonly elicitation: ElicitationInfo;
	/** The response's action. Absent if the elicitation was withdrawn, or something was sent that is no response. */
	readonly action?: 'accept' | 'decline' | 'cancel' | 'error';
	/** Who responded; absent if nobody did. */
	readonly answeredBy?: 'person' | 'script' | 'extension';
}

/** Progress of a call, as reported by the server. */
export interface Progress {
	readonly progress: number;
	readonly total?: number;
	readonly message?: string;
}

export interface CallOptions {
	/** Cancels the call, which then rejects with the signal's reason. */
	readonly signal?: AbortSignal;
	readonly onProgress?: (progress: Progress) => void;
}

/** The result of a tool call, as the server sent it. */
export interface CallToolResult {
	readonly content: readonly ContentBlock[];
	readonly structuredContent?: Readonly<Record<string, unknown>>;
	readonly isError?: boolean;
	readonly [member: string]: unknown;
}

export interface ContentBlock {
	readonly type: string;
	readonly [member: string]: unknown;
}

/** Responds to elicitations in the user's place. */
export interface Answerer {
	/** Your extension's id: `publisher.name`. The user is told that it is not verified. */
	readonly id: string;
	/**
	 * Restricts it to elicitations of these servers, except servers that a workspace has overridden. Absent: all
	 * servers.
	 */
	readonly servers?: readonly string[];
	/**
	 * Returns the response. Return nothing to pass the elicitation on to the next auto-responder and finally to the
	 * user. Accepted content that violates the schema is not sent: the user is told and asked instead.
	 * @param signal aborts when the elicitation is over, the user takes it over, or the answerer may not respond any more
	 */
	answer(
		elicitation: ElicitationInfo,
		signal: AbortSignal,
	): AnswererResult | undefined | Promise<AnswererResult | undefined>;
}

export type AnswererResult =
	/**
	 * `content` is the complete content of the form; defaults are not added. Accepting a URL elicitation does not open
	 * the URL.
	 */
	| { readonly action: 'accept'; readonly content?: Readonly<Record<string, unknown>> }
	| { readonly action: 'decline' }
	| { readonly action: 'cancel' }
	/** A JSON-RPC error, for testing the server. */
	| { readonly action: 'error'; readonly code: number; readonly message: string };
