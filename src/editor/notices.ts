import * as vscode from 'vscode';
import { render, type Sentence } from '../elicitation/sentence.ts';
import { fullId } from './contributions.ts';
import { line, t } from './words.ts';

/** What is known of an error that was made for a person (`Failure` of the room `mcp`, recognised by its shape). */
interface ForPeople {
	readonly server: string;
	readonly what: Sentence;
	readonly fix: Sentence;
	/** Starting the server leads to signing in. */
	readonly signIn?: boolean;
}

/** Errors already shown: one failure is one message, whoever hears of it. */
const shown = new WeakSet<object>();

/** Shows an error once: the server, what happened, what to do. A cancellation is no error. */
export function showError(error: unknown): void {
	if (error instanceof vscode.CancellationError || (error instanceof Error && error.name === 'AbortError')) {
		return;
	}
	if (typeof error === 'object' && error !== null) {
		if (shown.has(error)) {
			return;
		}
		shown.add(error);
	}
	if (!isForPeople(error)) {
		void vscode.window.showErrorMessage(
			line('MCP Elicitation: {0}', error instanceof Error ? error.message : String(error)),
		);
		return;
	}
	const { server } = error;
	const text = line('{0}: {1} {2}', server, render(error.what, t), render(error.fix, t));
	const [button, command] =
		error.signIn === true ? [t('Sign In'), fullId('startServer')] : [t('Show Log'), fullId('showServerLog')];
	void vscode.window.showErrorMessage(text, button).then((choice) => {
		if (choice === button) {
			void vscode.commands.executeCommand(command, server);
		}
	});
}

export function isForPeople(error: unknown): error is ForPeople & Error {
	return error instanceof Error && 'server' in error && 'what' in error && 'fix' in error;
}
