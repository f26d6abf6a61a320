import * as vscode from 'vscode';
import type { NativeText } from '../../elicitation/display.ts';
import { KeyGuard } from '../../elicitation/keyGuard.ts';
import { render, type Sentence } from '../../elicitation/sentence.ts';
import { fullId, SECTION } from './contributions.ts';
import { localize, localizeNative } from './localize.ts';

/** What is known of an error that was made for a user (`Failure` of the room `mcp`, recognised by its shape). */
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
			localizeNative('MCP Elicitation: {0}', error instanceof Error ? error.message : String(error)),
		);
		return;
	}
	const { server } = error;
	const text = localizeNative('{0}: {1} {2}', server, render(error.what, localize), render(error.fix, localize));
	const [button, command] =
		error.signIn === true
			? [localize('Sign In'), fullId('startServer')]
			: [localize('Show Log'), fullId('showServerLog')];
	void vscode.window.showErrorMessage(text, button).then((choice) => {
		if (choice === button) {
			void vscode.commands.executeCommand(command, server);
		}
	});
}

export function isForPeople(error: unknown): error is ForPeople & Error {
	return error instanceof Error && 'server' in error && 'what' in error && 'fix' in error;
}

/** How long the editor may take to draw a dialog that it has heard of (milliseconds). */
const DRAWING = 100;

/** The end of the last of these dialogs: the editor would show the next one only then, too, but without telling when. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * A modal question whose answer settles something. Its first button has the focus, so an answer that comes with the dialog
 * counts as none, and the dialog is shown again. Resolves to the button, or to undefined when the dialog was dismissed.
 */
export function askModal(
	kind: 'warning' | 'information',
	message: NativeText,
	detail: string,
	...buttons: string[]
): Promise<string | undefined> {
	const ask = async (): Promise<string | undefined> => {
		const { showWarningMessage, showInformationMessage } = vscode.window;
		const show = kind === 'warning' ? showWarningMessage : showInformationMessage;
		const guard = new KeyGuard();
		const [[choice, answered]] = await Promise.all([
			show(message, { modal: true, detail }, ...buttons).then((choice) => [choice, performance.now()] as const),
			heardOf().then((time) => guard.appeared(time + DRAWING)),
		]);
		return guard.takesKeys(answered) ? choice : ask();
	};
	const answer = turn.then(ask);
	turn = answer.catch(() => {});
	return answer;
}

/** When the window has heard of everything that was sent to it before, whatever lies between it and this process. */
async function heardOf(): Promise<number> {
	await vscode.commands.executeCommand('setContext', `${SECTION}.asking`, true);
	return performance.now();
}
