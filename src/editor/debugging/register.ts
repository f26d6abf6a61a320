import * as vscode from 'vscode';
import { registerCommand } from '../common/commands.ts';
import { type DebuggingCommand, debuggingCommands } from '../common/contributions.ts';
import { Lazy } from '../common/lazy.ts';
import { showError } from '../common/notifications.ts';
import type { DebuggingContext } from './debuggingContext.ts';
import { watchSchemas } from './schemas/watch.ts';

/** Registers the commands for server authors. Their implementation is loaded on first use. */
export function registerDebugging(context: DebuggingContext): vscode.Disposable {
	const debugging = new Lazy(async () => {
		const { Debugging } = await import('./debugging.ts');
		return new Debugging(context);
	});
	const command = (id: DebuggingCommand) =>
		registerCommand(id, async (target) => (await debugging.get()).commands[id](target));
	// From then on, it watches files that a definition names.
	const firstDeveloped = context.servers.onDidChange(() => {
		if (context.servers.entries.some(({ configured, state }) => configured.definition?.dev && state !== 'stopped')) {
			firstDeveloped.dispose();
			debugging.get().catch(showError);
		}
	});
	return vscode.Disposable.from(
		...debuggingCommands.map(command),
		firstDeveloped,
		watchSchemas(
			() => debugging.current?.schemas,
			async () => (await debugging.get()).schemas,
			showError,
		),
		debugging,
	);
}
