import type * as vscode from 'vscode';
import type { ResponderInfo } from '../../elicitation/autoResponder.ts';

/** Somebody who may answer in the user's place: a place with scripts, or another extension. */
export interface ActiveResponder {
	/** Tells it apart from every other one. */
	readonly key: string;
	readonly kind: 'script' | 'extension';
	/** The name of the file, the settings, or the extension. */
	readonly name: string;
	/** More about it, in words. */
	readonly detail: string;
	/** Takes back what the user has agreed to; absent where there is nothing to take back. */
	readonly revoke?: () => Promise<void>;
	/** Brings it before the user's eyes. */
	show(): Promise<void>;
	/** From now on it does not answer any more. */
	stop(): Promise<void>;
}

/** All actors of one kind. */
export interface ResponderSource {
	readonly onDidChange: vscode.Event<void>;
	readonly responders: readonly ActiveResponder[];
	/** Who is behind an answer. */
	responderOf(responder: ResponderInfo): ActiveResponder | undefined;
}
