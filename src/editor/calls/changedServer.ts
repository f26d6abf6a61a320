import type { Call } from '../../elicitation/call.ts';
import type { NativeText } from '../../elicitation/display.ts';
import { localize, localizeNative } from '../common/localize.ts';
import { showModal } from '../common/notifications.ts';
import { identityOf } from '../servers/identity.ts';
import type { Servers } from '../servers/servers.ts';

/** True if a call was made to the server that has its name now, so that it may be repeated without a question. */
export function isSameServer({ server, identity }: Call, servers: Pick<Servers, 'get'>): boolean {
	return identity === undefined || identity === identityOf(servers.get(server)?.configured);
}

/**
 * True if the user wants what was meant for a server to go to the one that has its name now: it may be another one, which must not
 * get arguments and responses of the first unasked.
 */
export async function mayRepeat(call: Call, servers: Pick<Servers, 'get'>): Promise<boolean> {
	return isSameServer(call, servers) || confirmChanged(call, localize('Call Again'));
}

/** @param action what is done again */
export async function confirmChanged(
	{ server, name }: { readonly server: string; readonly name: string },
	action: NativeText,
): Promise<boolean> {
	const choice = await showModal(
		'warning',
		localizeNative('{0}: "{1}" on the MCP server "{2}"?', action, name, server),
		localize(
			'The definition of the server has changed since the call, or another server has its name now. What you entered for the call goes to the server as it is defined now.',
		),
		action,
	);
	return choice === action;
}
