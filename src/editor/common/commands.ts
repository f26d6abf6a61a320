import * as vscode from 'vscode';
import { type CommandId, fullId } from './contributions.ts';
import { showError } from './notifications.ts';

/** Registers a command that takes one argument, such as a node of a view. Shows its failures to the user. */
export function registerCommand(id: CommandId, run: (target: unknown) => Promise<unknown>): vscode.Disposable {
	return vscode.commands.registerCommand(fullId(id), (target: unknown) => run(target).catch(showError));
}
