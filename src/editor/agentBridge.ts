import * as vscode from 'vscode';
import type { ServerEntry } from './servers.ts';
import { setting } from './settings.ts';

/** Whether the settings offer this server to the editor's agent mode. */
export function isBridged({ configured: { name, definition } }: ServerEntry): boolean {
	const wanted = setting('agentBridge');
	return (
		vscode.workspace.isTrusted &&
		definition !== undefined &&
		(wanted === true || (Array.isArray(wanted) && wanted.includes(name)))
	);
}
