import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { type NativeText, nativeOnOneLine, visible } from '../../elicitation/display.ts';
import { KeyGuard } from '../../elicitation/keyGuard.ts';
import { render } from '../../elicitation/sentence.ts';
import { fullId, SECTION } from './contributions.ts';
import { localize, localizeNative } from './localize.ts';
import type { UserError } from './serverEntry.ts';

const NOTICE = `${SECTION}.notice`;

/** Errors already shown, so that each failure is reported once. */
const reported = new WeakSet<object>();

/** Notes that an error is shown elsewhere, so that no notification repeats it. */
export function markReported(error: unknown): void {
	if (typeof error === 'object' && error !== null) {
		reported.add(error);
	}
}

/** Shows an error once: the server, what happened, what to do. Cancellation is not an error. */
export function showError(error: unknown): void {
	if (isCancellation(error)) {
		return;
	}
	if (reported.has(error as object)) {
		return;
	}
	markReported(error);
	if (!isUserError(error)) {
		void notify(
			'error',
			localizeNative('MCP Elicitation: {0}', error instanceof Error ? error.message : String(error)),
		);
		return;
	}
	const { server } = error;
	const text = localizeNative('{0}: {1} {2}', server, render(error.what, localize), render(error.fix, localize));
	const remedies = remediesFor(error);
	void notify('error', text, ...remedies.map(({ title }) => title)).then((choice) => {
		const chosen = remedies.find(({ title }) => title === choice);
		if (chosen) {
			void vscode.commands.executeCommand(chosen.command, ...(chosen.arguments ?? []));
		}
	});
}

interface Remedy extends vscode.Command {
	readonly title: NativeText;
}

/** What the user can do about an error, the likeliest first. */
export function remediesFor({ server, signIn, restart, definition }: UserError): [Remedy, ...Remedy[]] {
	if (signIn) {
		return [{ title: localize('Sign In'), command: fullId('startServer'), arguments: [server] }];
	}
	if (restart) {
		return [{ title: localize('Restart Server'), command: fullId('restartServer'), arguments: [server] }];
	}
	const log = { title: localize('Show Log'), command: fullId('showServerLog'), arguments: [server] };
	const target = { server, path: definition };
	return definition
		? [{ title: localize('Show Definition'), command: fullId('showDefinition'), arguments: [target] }, log]
		: [log];
}

export function isCancellation(error: unknown): boolean {
	return error instanceof vscode.CancellationError || (error instanceof Error && error.name === 'AbortError');
}

/** How VS Code names them. */
const METHODS = {
	information: 'showInformationMessage',
	warning: 'showWarningMessage',
	error: 'showErrorMessage',
} as const;

/**
 * Guards the buttons of notifications that ask for consent: each new notification may move one of these buttons under the pointer.
 */
let notificationGuard: KeyGuard | undefined;

/** Shows a notification. Resolves to the button, or to undefined if dismissed. */
export function notify(
	kind: keyof typeof METHODS,
	text: NativeText,
	...buttons: NativeText[]
): Thenable<NativeText | undefined> {
	const chosen = vscode.window[METHODS[kind]](text, ...buttons);
	notificationGuard = guardShown();
	return chosen;
}

/** Shows a text in the status bar for a while (ms). */
export function showInStatusBar(text: NativeText, time: number): void {
	vscode.window.setStatusBarMessage(text, time);
}

export function isUserError(error: unknown): error is UserError & Error {
	return error instanceof Error && 'server' in error && 'what' in error && 'fix' in error;
}

/** Reports the progress of a task. */
export type NativeProgress = vscode.Progress<{ message?: NativeText; increment?: number }>;

type Task<T> = (progress: NativeProgress, token: vscode.CancellationToken) => Thenable<T>;

/** Shows a notification with the progress of a task, by which the user can cancel it. */
export function showProgress<T>(title: NativeText, task: Task<T>): Thenable<T> {
	const { Notification } = vscode.ProgressLocation;
	const ended = vscode.window.withProgress({ location: Notification, title, cancellable: true }, task);
	notificationGuard = guardShown();
	return ended;
}

/** Shows a task in the status bar, beside the spinner of the editor. */
export function showSpinner<T>(title: NativeText, task: Task<T>): Thenable<T> {
	return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, task);
}

/** What a user can do about a notice. */
export interface NoticeAction {
	readonly title: NativeText;
	run(): unknown;
}

/** The notices on the screen, by the ids in their links. */
const notices = new Map<string, readonly NoticeAction[]>();

/** Registers the command behind the links of notices. */
export function registerNotices(): vscode.Disposable {
	return vscode.commands.registerCommand(NOTICE, async (id: unknown, at: unknown) => {
		const actions = notices.get(String(id));
		if (!actions) {
			// VS Code takes a moment to close a notification.
			void notify('information', localizeNative('This is over already; nothing was done.'));
			return;
		}
		await Promise.resolve(actions[Number(at)]?.run()).catch(showError);
	});
}

/**
 * Shows a notification that goes when the result is disposed. VS Code lets extensions close only notifications of a progress, in which
 * actions are links. Where there are any, it has VS Code's button *Cancel* as well, which only closes it, and it says so: without a button,
 * VS Code shows one line of the text, and cuts off the links.
 */
export function showNotice(text: NativeText, ...actions: readonly NoticeAction[]): vscode.Disposable {
	const id = randomUUID();
	let close = () => {};
	const closed = new Promise<void>((resolve) => {
		close = () => {
			notices.delete(id);
			resolve();
		};
	});
	notices.set(id, actions);
	const links = actions.map(({ title }, at) => {
		return `[${title}](command:${NOTICE}?${encodeURIComponent(JSON.stringify([id, at]))})`;
	});
	const options = {
		location: vscode.ProgressLocation.Notification,
		title: actions.length > 0 ? `${text} ${links.join(' · ')} ${localize('("Cancel" only hides this.)')}` : text,
		cancellable: actions.length > 0,
	};
	void vscode.window.withProgress(options, (progress, token) => {
		token.onCancellationRequested(close);
		// A full bar: nothing moves while the user is waited for.
		progress.report({ increment: 100 });
		return closed;
	});
	notificationGuard = guardShown();
	return new vscode.Disposable(() => close());
}

/** Max time VS Code needs to draw a dialog after receiving it (ms). */
const MAX_DRAW_TIME = 100;

/**
 * Resolves when the last of these dialogs closes. VS Code also queues modal dialogs, but does not report when one is
 * shown.
 */
let queue: Promise<unknown> = Promise.resolve();

/**
 * Shows a modal dialog that must not be confirmed by accident. Its first button has the focus, so a response that
 * arrives with the dialog is ignored and the dialog is shown again, which says so. Resolves to the button, or to undefined if
 * dismissed.
 * @param detail plain text, in which hidden characters are made visible
 */
export function showModal(
	kind: 'warning' | 'information',
	message: NativeText,
	detail: string,
	...buttons: NativeText[]
): Promise<string | undefined> {
	const ask = async (shownDetail: string): Promise<string | undefined> => {
		const guard = new KeyGuard();
		const [[choice, answered]] = await Promise.all([
			vscode.window[METHODS[kind]](
				nativeOnOneLine(message),
				{ modal: true, detail: visible(shownDetail) },
				...buttons,
			).then((choice) => [choice, performance.now()] as const),
			windowCaughtUp().then((time) => guard.appeared(time + MAX_DRAW_TIME)),
		]);
		const again = localize(
			'Your last click or key came too soon to be meant for this, so it was ignored. Decide again.',
		);
		return guard.takesKeys(answered) ? choice : ask(`${again}\n\n${detail}`);
	};
	const answer = queue.then(() => ask(detail));
	queue = answer.catch(() => {});
	return answer;
}

/** The guard of what was just shown: keys and clicks before it is drawn, or right after, are not meant for it. */
export function guardShown(): KeyGuard {
	const guard = new KeyGuard();
	void windowCaughtUp().then((time) => guard.appeared(time));
	return guard;
}

/** Whether a click on a notification that asks for consent is meant for it. */
export function takesNotificationClicks(): boolean {
	return notificationGuard?.takesKeys(performance.now()) === true;
}

/** Resolves when the window has processed all earlier messages, to the time (ms). */
async function windowCaughtUp(): Promise<number> {
	await vscode.commands.executeCommand('setContext', `${SECTION}.asking`, true);
	return performance.now();
}
