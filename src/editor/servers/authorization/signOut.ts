import type * as vscode from 'vscode';
import { registerCommand } from '../../common/commands.ts';
import { localizeNative } from '../../common/localize.ts';
import { notify } from '../../common/notifications.ts';
import { chooseServer } from '../chooseServer.ts';
import { isCallable, type Servers } from '../servers.ts';
import type { SignIns } from './signIns.ts';

/** The command `signOut`: stops a server and deletes its tokens. */
export function registerSignOut(servers: Servers, signIns: SignIns): vscode.Disposable {
	return registerCommand('signOut', (target) => signOut(servers, signIns, target));
}

async function signOut(servers: Servers, signIns: SignIns, target: unknown): Promise<void> {
	const name = await chooseServer(
		servers,
		target,
		(entry) => isCallable(entry) && entry.configured.definition?.type !== 'stdio',
	);
	if (name === undefined) {
		return;
	}
	await servers.stop(name);
	// Only a connection of this window can revoke the tokens at the authorization server.
	await servers.get(name)?.connection?.signOut();
	await signIns.secret(name).remove();
	void notify('information', localizeNative('You are signed out of "{0}".', name));
}
