import type * as vscode from 'vscode';
import type { ResponderInfo } from '../../elicitation/responderInfo.ts';

/** An auto-responder that may be used: a source of scripts, or another extension. */
export interface ShownResponder {
	/** Unique key. */
	readonly key: string;
	readonly kind: 'script' | 'extension';
	/** Name of the file, the settings, or the extension. */
	readonly name: string;
	/** Details, in words. */
	readonly detail: string;
	/** Revokes the user's consent; absent if there is none to revoke. */
	readonly revoke?: () => Promise<void>;
	/** Opens its source or description. */
	show(): Promise<void>;
	/** Stops it from responding. */
	stop(): Promise<void>;
}

/** Lists auto-responders of one kind. */
export interface ResponderSource {
	readonly onDidChange: vscode.Event<void>;
	readonly responders: readonly ShownResponder[];
	/** The auto-responder that gave a response. */
	responderOf(responder: ResponderInfo): ShownResponder | undefined;
}
