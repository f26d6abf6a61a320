import * as vscode from 'vscode';
import { native } from '../elicitation/display.ts';
import type { ServerEntry, Servers } from './servers.ts';
import { stateText } from './texts.ts';
import { line, t } from './words.ts';

/** The server that a command is about: its argument, or the person's choice among those that fit. */
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
		void vscode.window.showInformationMessage(
			servers.entries.length === 0
				? line('No MCP server is configured yet.')
				: line('There is no server in a fitting state.'),
		);
		return undefined;
	}
	const items = entries.map(({ configured, state }) => ({
		label: native(configured.name),
		description: stateText(state),
		name: configured.name,
	}));
	const chosen =
		items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { placeHolder: t('Choose a server') });
	return chosen?.name;
}
