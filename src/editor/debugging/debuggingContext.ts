import type * as vscode from 'vscode';
import type { Registry } from '../../elicitation/registry.ts';
import type { TraceLog } from '../../trace/log.ts';
import type { BeginCall } from '../../trials/callRun.ts';
import type { Commands } from '../common/commands.ts';
import type { JsonDocuments } from '../common/jsonDocuments.ts';
import type { Presenters } from '../elicitations/presenters.ts';
import type { Servers } from '../servers/servers.ts';

/** Dependencies of the debugging features. */
export interface DebuggingContext {
	readonly extension: vscode.ExtensionContext;
	readonly registry: Registry;
	readonly trace: TraceLog;
	readonly servers: Servers;
	readonly documents: JsonDocuments;
	readonly commands: Commands;
	readonly begin: BeginCall;
	readonly presenters: Pick<Presenters, 'preview' | 'writeResponse'>;
}
