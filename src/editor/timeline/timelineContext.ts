import type * as vscode from 'vscode';
import type { Registry } from '../../elicitation/registry.ts';
import type { TraceLog } from '../../trace/log.ts';
import type { Commands } from '../common/commands.ts';
import type { JsonDocuments } from '../common/jsonDocuments.ts';

/** Dependencies of the timeline. */
export interface TimelineContext {
	readonly extensionUri: vscode.Uri;
	readonly registry: Registry;
	readonly trace: TraceLog;
	readonly documents: JsonDocuments;
	readonly commands: Commands;
	/** Remembers what the user has chosen. */
	readonly memento: vscode.Memento;
}

/** Forgets all messages, and the calls and elicitations that have ended. */
export function clearTimeline({ trace, registry }: TimelineContext): void {
	trace.clear();
	registry.forgetEnded();
}
