import * as vscode from 'vscode';
import { native } from '../../elicitation/display.ts';
import { fullId } from '../common/contributions.ts';
import { stateText } from '../common/descriptions.ts';
import { localize, localizeNative } from '../common/localize.ts';
import { notify, showError } from '../common/notifications.ts';
import { showQuickPick } from '../common/surfaces.ts';
import type { ServerEntry, Servers } from './servers.ts';

/** The server that a command was run on, or the user's pick among the matching ones. */
export async function chooseServer(
	servers: Servers,
	target: unknown,
	fits: (entry: ServerEntry) => boolean,
): Promise<string | undefined> {
	if (typeof target === 'string') {
		return target;
	}
	if (typeof target === 'object' && target !== null && 'server' in target && typeof target.server === 'string') {
		return target.server;
	}
	await servers.settled;
	const entries = servers.entries.filter(fits);
	if (entries.length === 0) {
		if (servers.entries.length === 0) {
			offerServers().catch(showError);
		} else {
			void notify('information', localizeNative('No server is in a suitable state.'));
		}
		return undefined;
	}
	const items = entries.map(({ configured, state }) => ({
		label: native(configured.name),
		description: native(stateText(state)),
		name: configured.name,
	}));
	const chosen =
		items.length === 1 ? items[0] : await showQuickPick(items, { placeHolder: localize('Choose a server') });
	return chosen?.name;
}

/** Explains how to add a server if there is none. */
async function offerServers(): Promise<void> {
	const [demo, add] = [localize('Try the Demo Server'), localize('Add a Server')];
	const text = localizeNative('No MCP server is configured yet.');
	const chosen = await notify('information', text, ...(vscode.workspace.isTrusted ? [demo] : []), add);
	if (chosen !== undefined) {
		await vscode.commands.executeCommand(fullId(chosen === demo ? 'startDemo' : 'addServer'));
	}
}
