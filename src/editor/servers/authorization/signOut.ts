import { localizeNative } from '../../common/localize.ts';
import { notify } from '../../common/notifications.ts';
import type { Servers } from '../servers.ts';
import type { SignIns } from './signIns.ts';

/** The command `signOut`: stops a server and deletes its tokens. */
export async function signOut(servers: Servers, signIns: SignIns, name: string): Promise<void> {
	await servers.stop(name);
	// Only a connection of this window can revoke the tokens at the authorization server.
	await servers.get(name)?.connection?.signOut();
	await signIns.secret(name).remove();
	void notify('information', localizeNative('You are signed out of "{0}".', name));
}
