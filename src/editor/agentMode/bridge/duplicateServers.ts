import * as vscode from 'vscode';
import { SECTION } from '../../common/contributions.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { notify, showError } from '../../common/notifications.ts';
import type { ConfigSource, ConfiguredServer } from '../../common/serverEntry.ts';
import { kept, setting } from '../../common/settings.ts';
import { fromWorkspace, sourceText } from '../../servers/configSource.ts';
import { isAlsoInEditor } from '../../servers/configuration.ts';
import { isBridged, type Servers } from '../../servers/servers.ts';

/** Memento key of the servers that the user has been notified about. */
const KEY = 'toldNeighbours';

/**
 * Notifies the user once per server that both this extension and VS Code's chat run, and offers to share one process.
 */
export function registerDuplicateServerNotice(servers: Servers, memory: vscode.Memento): vscode.Disposable {
	return servers.onDidChange(() => {
		const notified = kept<readonly string[]>(memory, KEY, []);
		for (const entry of servers.entries) {
			const { configured, state, temporaryFor } = entry;
			const { name, editor } = configured;
			const isDuplicate = state === 'running' && isAlsoInEditor(configured) && !isBridged(entry);
			if (isDuplicate && editor && temporaryFor === undefined && !notified.includes(name)) {
				memory
					.update(KEY, [...notified, name])
					.then(() => offerBridge(configured, editor))
					.then(undefined, showError);
				// One notice at a time. The next change triggers the next one.
				return;
			}
		}
	});
}

async function offerBridge({ name, source }: ConfiguredServer, editor: ConfigSource): Promise<void> {
	const bridge = localize('Use Agent Bridge');
	const show = localize('Show Definition');
	// The setting means the user's own servers by their names.
	const choice = await (fromWorkspace(source)
		? notify(
				'information',
				localizeNative('{0} runs here, and in the editor for its chats ({1}).', name, sourceText(editor)),
				show,
			)
		: notify(
				'information',
				localizeNative(
					'{0} runs here, and in the editor for its chats ({1}). Over the agent bridge, they can share it.',
					name,
					sourceText(editor),
				),
				bridge,
				show,
			));
	if (choice === bridge) {
		await offer(name);
	}
	if (choice && editor.file) {
		await vscode.window.showTextDocument(editor.file);
	}
	if (choice === bridge) {
		void notify(
			'information',
			localizeNative('{0} is offered to agent mode. Remove it here, so that the editor does not run it as well.', name),
		);
	}
}

/** Adds a server to those offered to VS Code's agent mode. */
async function offer(name: string): Promise<void> {
	const wanted = setting('agentBridge');
	const names = Array.isArray(wanted) ? wanted : [];
	await vscode.workspace
		.getConfiguration(SECTION)
		.update('agentBridge', [...names, name], vscode.ConfigurationTarget.Global);
}
