import * as vscode from 'vscode';
import { registerCommand } from '../common/commands.ts';
import { Lazy } from '../common/lazy.ts';
import { showError } from '../common/notifications.ts';
import type { Debugging } from './debugging.ts';
import type { DebuggingContext } from './debuggingContext.ts';
import { watchSchemas } from './schemas/watchSchemas.ts';

/** What server authors use, loaded on first use. */
export function lazyDebugging(context: DebuggingContext): Lazy<Debugging> {
	return new Lazy(async () => {
		const { Debugging } = await import('./debugging.ts');
		return new Debugging(context);
	});
}

/** Registers the commands for server authors. */
export function registerDebugging(
	{ servers, commands }: DebuggingContext,
	debugging: Lazy<Debugging>,
): vscode.Disposable {
	// From then on, it watches files that a definition names.
	const firstDeveloped = servers.onDidChange(() => {
		if (servers.entries.some(({ configured, state }) => configured.definition?.dev && state !== 'stopped')) {
			firstDeveloped.dispose();
			debugging.get().catch(showError);
		}
	});
	return vscode.Disposable.from(
		commands.register('replayCall', async (call) => (await debugging.get()).replay(call)),
		commands.register('compareRuns', async (...run) => (await debugging.get()).compareRuns(...run)),
		commands.register('exportTest', async (call) => (await debugging.get()).exportTest(call)),
		commands.register('forceAnswer', async (elicitation) => (await debugging.get()).forceResponse(elicitation)),
		commands.register('runTrial', async (call) => (await debugging.get()).trials.run(call)),
		commands.register('debugServer', async (server) => (await debugging.get()).development.debugServer(server)),
		registerCommand('checkSchema', async (argument) => (await debugging.get()).checkSchema(argument)),
		registerCommand('previewForm', async (argument) => (await debugging.get()).previewForm(argument)),
		firstDeveloped,
		watchSchemas(
			() => debugging.current?.schemas,
			async () => (await debugging.get()).schemas,
			showError,
		),
		debugging,
	);
}
