import * as vscode from 'vscode';
import type { ServerEntry } from './servers.ts';
import { setting } from './settings.ts';

/** Whether the settings offer this server to the editor's agent mode. */
export function isBridged({ configured }: ServerEntry): boolean {
	const { name, definition } = configured;
	const wanted = setting('agentBridge');
	const named = Array.isArray(wanted) && wanted.includes(name) && !configured.replacesOwn;
	return vscode.workspace.isTrusted && definition !== undefined && (wanted === true || named);
}
