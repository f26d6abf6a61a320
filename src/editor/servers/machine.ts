import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as vscode from 'vscode';

/**
 * A random id of the machine that servers are started on and local addresses lead to, created on first use. The editor shares its
 * secrets and its state with containers and remote machines, but this file stays where it is.
 */
export function machineId(globalStorage: vscode.Uri): string {
	const file = vscode.Uri.joinPath(globalStorage, 'machineId').fsPath;
	try {
		return readFileSync(file, 'utf8');
	} catch {
		const id = randomUUID();
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, id, { mode: 0o600 });
		return id;
	}
}
