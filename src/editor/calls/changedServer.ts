import type { Call } from '../../elicitation/call.ts';
import type { JsonObject } from '../../elicitation/json.ts';
import { localize, localizeNative } from '../common/localize.ts';
import { showModal } from '../common/notifications.ts';
import { ServerError } from '../servers/serverError.ts';
import type { Servers } from '../servers/servers.ts';

/** What was meant for a server, and is to be sent again. */
interface Repeatable {
	readonly server: string;
	/** Name of the tool or prompt, or URI of the resource. Server text. */
	readonly name: string;
	/** The server that it was meant for (`Servers.identityOf`). */
	readonly identity?: string | undefined;
}

/**
 * The identity of the server that it may go to. Another one that has the name now must not get arguments and responses of the
 * first unasked: undefined if the user does not want that.
 */
export async function receivingServer(
	{ server, name, identity }: Repeatable,
	servers: Pick<Servers, 'identityOf' | 'settled'>,
): Promise<string | undefined> {
	await servers.settled;
	const now = servers.identityOf(server);
	// If there is no such server, the start reports it.
	if (now === undefined || now === identity) {
		return identity ?? '';
	}
	const proceed = localize('Continue');
	const choice = await showModal(
		'warning',
		localizeNative('The MCP server "{0}" is not the one that "{1}" was called on.', server, name),
		localize(
			'Its definition has changed since the call, or another server has its name now. What you entered for the call goes to the server as it is defined now.',
		),
		proceed,
	);
	return choice === proceed ? now : undefined;
}

/** Throws if another server than the one that something is meant for has its name now: it may have changed since the user was asked. */
export function requireServer(
	servers: Pick<Servers, 'identityOf'>,
	server: string,
	identity: string | undefined,
): void {
	if (identity !== undefined && servers.identityOf(server) !== identity) {
		throw new ServerError(
			server,
			localize('Its definition has changed in the meantime, so nothing was sent.'),
			localize('Repeat it if the server as it is defined now may get it.'),
		);
	}
}

/** The arguments of a call that is made again, unredacted. Throws if they are no longer kept. */
export function wholeArgsOf(call: Call): JsonObject {
	if (!call.hasWholeArgs) {
		throw new Error(localize('The arguments of this call are too large to be kept. Make it anew.'));
	}
	return call.args as JsonObject;
}
