import * as vscode from 'vscode';
import { type CommandId, fullId } from './contributions.ts';
import type { Debugging, DebuggingContext } from './debugging.ts';
import { showError } from './notices.ts';
import { watchSchemas } from './schemas/watch.ts';

const COMMANDS = [
	'replayCall',
	'compareRuns',
	'forceAnswer',
	'runActionMatrix',
	'runBoundaryValues',
	'exportTest',
	'checkSchema',
	'previewForm',
	'testProtocol',
] as const satisfies readonly CommandId[];

export type DebuggingCommand = (typeof COMMANDS)[number];

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
		...COMMANDS.map(command),
		watchSchemas(
			() => debugging?.schemas,
			async () => (await load()).schemas,
			showError,
		),
		new vscode.Disposable(() => void loading?.then((loaded) => loaded.dispose())),
	);
}
