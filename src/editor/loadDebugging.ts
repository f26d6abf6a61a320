import * as vscode from 'vscode';
import { type DebuggingCommand, debuggingCommands, fullId } from './contributions.ts';
import type { Debugging } from './debugging.ts';
import type { DebuggingContext } from './debuggingContext.ts';
import { showError } from './notices.ts';
import { watchSchemas } from './schemas/watch.ts';

/** The commands by which authors try their servers out; what is behind them is loaded when the first of them is run. */
export function registerDebugging(context: DebuggingContext): vscode.Disposable {
	let loading: Promise<Debugging> | undefined;
	let debugging: Debugging | undefined;
	const load = () => {
		loading ??= import('./debugging.ts').then(({ Debugging }) => {
			debugging = new Debugging(context);
			return debugging;
		});
		return loading;
	};
	const command = (id: DebuggingCommand) =>
		vscode.commands.registerCommand(fullId(id), (target: unknown) =>
			load()
				.then(({ commands }) => commands[id](target))
				.catch(showError),
		);
	return vscode.Disposable.from(
		...debuggingCommands.map(command),
		watchSchemas(
			() => debugging?.schemas,
			async () => (await load()).schemas,
			showError,
		),
		new vscode.Disposable(() => void loading?.then((loaded) => loaded.dispose())),
	);
}
