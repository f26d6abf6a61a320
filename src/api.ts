/**
 * The API that MCP Elicitation exports to other extensions. Copy this file into your own and get the API with
 *
 *     const extension = vscode.extensions.getExtension<McpElicitationApi>('mcp-elicitation.mcp-elicitation');
 *     const api = await extension?.activate();
 *
 * Everything that the API hands out is a frozen copy of how things are at that moment. Every error that it throws or rejects
 * with has a message that a user understands. What servers say (messages, schemas, names of tools) is text that nobody has
 * checked: show it as plain text.
 */
import type { Disposable, Event } from 'vscode';

export interface McpElicitationApi {
	/** Grows when something changes in a way that you have to know of; what is only added does not count. */
	readonly apiVersion: 1;

	/** All servers that are configured, running or not. Empty until the configuration has been read; an event tells. */
	readonly servers: readonly ServerInfo[];
	readonly onDidChangeServers: Event<void>;

	/**
	 * Every question that is not over, oldest first; before them those whose response could not be delivered yet. Every extension
	 * can read it, whether the user lets it answer or not.
	 */
	readonly pending: readonly ElicitationInfo[];
	readonly onDidChangePending: Event<void>;

	/** A question is over: somebody has answered it, or it was withdrawn. A page that was opened is over once it is completed. */
	readonly onDidSettleElicitation: Event<SettledElicitation>;

	/**
	 * Starts a server, unless it runs already. The user may have to agree to it first, to enter a value or to sign in.
	 * @param name the name under which it is configured
	 */
	startServer(name: string): Promise<ServerInfo>;

	/**
	 * Calls a tool, and starts its server for it. The user sees the call, and is asked what the server asks in between; the
	 * time that they take does not count against the limit on a call's time. A result with `isError` is a result.
	 */
	callTool(
		server: string,
		tool: string,
		args?: Record<string, unknown>,
		options?: CallOptions,
	): Promise<CallToolResult>;

	/**
	 * From now on your extension is asked what servers ask, after the user's own scripts and before the user. The user
	 * must agree to that once, before your extension hears of the first question, and sees wherever it has answered.
	 */
	registerAnswerer(answerer: Answerer): Disposable;
}

export interface ServerInfo {
	/** The name under which it is configured. */
	readonly name: string;
	/** `restarting`: it ended by itself and is started again after a pause. */
	readonly state: 'stopped' | 'starting' | 'running' | 'restarting' | 'failed';
	/** How it asks: with requests of its own (`legacy`), or within the result of a call (`modern`). Known while it runs. */
	readonly era?: 'legacy' | 'modern';
	/** The negotiated revision of the protocol. Known while it runs. */
	readonly protocolVersion?: string;
	/** What it offered when it was last asked. */
	readonly tools: readonly ToolInfo[];
}

export interface ToolInfo {
	readonly name: string;
	readonly title?: string;
	readonly description?: string;
	/** The JSON schema of its arguments. */
	readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** A question of a server. */
export type ElicitationInfo = FormElicitationInfo | UrlElicitationInfo;

export interface FormElicitationInfo extends ElicitationBase {
	readonly mode: 'form';
	/** The JSON schema of the content that is asked for, as the server sent it. */
	readonly requestedSchema: Readonly<Record<string, unknown>>;
}

export interface UrlElicitationInfo extends ElicitationBase {
	readonly mode: 'url';
	/** The page to be opened, as the server sent it. */
	readonly url: string;
	readonly elicitationId?: string;
}

interface ElicitationBase {
	/** Tells it apart from every other question of this window. */
	readonly id: string;
	/** The configured name of the server that asks. */
	readonly server: string;
	/** The call in which it asks; several where the protocol does not tell which one of them, none where it asks by itself. */
	readonly calls: readonly { readonly kind: 'tool' | 'prompt' | 'resource'; readonly name: string }[];
	readonly message: string;
	/** The first three are not over: `held` is kept back for now, `opened` waits for the completion of a page. */
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
	 * What has become of the response on its way to the server, where that is known: `sending` again after a failure, too. An
	 * `undelivered` one may still be sent again by the user.
	 */
	readonly delivery?: 'sending' | 'delivered' | 'undelivered';
	/** When it came in, in milliseconds since the epoch. */
	readonly receivedAt: number;
}

/** A question that is over. What was answered is between the user and the server. */
export interface SettledElicitation {
	readonly elicitation: ElicitationInfo;
	/** What the server is told; absent where it was told nothing, because the question was withdrawn. */
	readonly action?: 'accept' | 'decline' | 'cancel' | 'error';
	/** Who answered it; absent where nobody did. */
	readonly answeredBy?: 'person' | 'script' | 'extension';
}

/** How far a call has come, as the server tells it. */
export interface Progress {
	readonly progress: number;
	readonly total?: number;
	readonly message?: string;
}

export interface CallOptions {
	/** Cancels the call; it then rejects with the signal's reason. */
	readonly signal?: AbortSignal;
	readonly onProgress?: (progress: Progress) => void;
}

/** What a tool returned, as the server sent it. */
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

/** Answers questions in the user's place. */
export interface Answerer {
	/** The id of your extension: `publisher.name`. The user is told that nothing proves it. */
	readonly id: string;
	/**
	 * Only questions of these servers, unless a workspace has put one of its own in their place; of all servers where it is left
	 * out.
	 */
	readonly servers?: readonly string[];
	/**
	 * What to answer; nothing leaves the question to the next one, and in the end to the user. An accepted content that does
	 * not fit what the server asks for is not sent: the user is told, and asked.
	 * @param signal aborts when the question is over, or the user answers it themselves
	 */
	answer(
		elicitation: ElicitationInfo,
		signal: AbortSignal,
	): AnswererResult | undefined | Promise<AnswererResult | undefined>;
}

export type AnswererResult =
	/** A form's content, whole: no default is added to it. An accepted page is not opened. */
	| { readonly action: 'accept'; readonly content?: Readonly<Record<string, unknown>> }
	| { readonly action: 'decline' }
	| { readonly action: 'cancel' }
	/** A JSON-RPC error, to see what the server makes of it. */
	| { readonly action: 'error'; readonly code: number; readonly message: string };
