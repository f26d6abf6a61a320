import type * as vscode from 'vscode';
import type { StandIn } from '../../elicitation/standIn.ts';

/** Somebody who may answer in the person's place: a place with scripts, or another extension. */
export interface Actor {
	/** Tells it apart from every other one. */
	readonly key: string;
	readonly kind: 'script' | 'extension';
	/** The name of the file, the settings, or the extension. */
	readonly name: string;
	/** More about it, in words. */
	readonly detail: string;
	/** Takes back what the person has agreed to; absent where there is nothing to take back. */
	readonly revoke?: () => Promise<void>;
	/** Brings it before the person's eyes. */
	show(): Promise<void>;
	/** From now on it does not answer any more. */
	stop(): Promise<void>;
}

/** All actors of one kind. */
export interface Actors {
	readonly onDidChange: vscode.Event<void>;
	readonly actors: readonly Actor[];
	/** Who is behind an answer. */
	actorOf(standIn: StandIn): Actor | undefined;
}
