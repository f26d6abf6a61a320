import * as vscode from 'vscode';
import { orAborted } from '../../elicitation/abort.ts';
import type { Call } from '../../elicitation/call.ts';
import { type NativeText, native, shorten } from '../../elicitation/display.ts';
import type { Disposable } from '../../elicitation/emitter.ts';
import type { JsonObject } from '../../elicitation/json.ts';
import type { CallOptions, Connection } from '../../mcp/index.ts';
import { localize, localizeNative } from '../common/localize.ts';
import { duration, responderText, viaOf } from '../common/texts.ts';
import type { Servers } from '../servers/servers.ts';
import { CallProgress } from './callProgress.ts';
import type { RunOptions } from './callRun.ts';

/** A call of any kind, ready to go. */
export interface Prepared {
	/** The name of the tool or the prompt, or the URI of the resource. Server text. */
	readonly name: string;
	/** Puts it on its way. */
	send(connection: Connection, options: CallOptions): Promise<JsonObject>;
}

/** The calls that run now, with what cancels them. */
const running = new Map<Call, AbortController>();

/** Milliseconds between two looks at the clocks of a call; also how long the server works before a notification says so. */
const tick = 1000;

/**
 * Runs one call and shows both of its clocks: in a notification that can cancel it while the server lets the user wait,
 * in the status bar while the user is asked, so that nothing lies over the question. The server is started for it, and
 * goes on starting when the call is cancelled meanwhile; undefined when the user did not consent to that.
 */
export async function perform(
	servers: Servers,
	server: string,
	{ name, send }: Prepared,
	options: RunOptions = {},
): Promise<JsonObject | undefined> {
	const { signal, onProgress, onCall, quiet = false } = options;
	const { Window, Notification } = vscode.ProgressLocation;
	const abort = new AbortController();
	const cancel = () => abort.abort(signal?.reason);
	signal?.addEventListener('abort', cancel, { once: true });
	if (signal?.aborted) {
		cancel();
	}
	const progress = new CallProgress(native(`${shorten(server, 40)} · ${shorten(name, 40)}`), () =>
		abort.abort(new vscode.CancellationError()),
	);
	let call: Call | undefined;
	let turns: Disposable | undefined;
	let message = '';
	const report = () => {
		if (call) {
			progress.say(saying(call, message));
		}
	};
	const turned = () => {
		// What the server does between two questions is mostly quick: the tick begins anew.
		timer.refresh();
		if (call?.clock.asking) {
			progress.show(Window);
		}
		report();
	};
	const timer = setInterval(() => {
		progress.show(quiet || call?.clock.asking ? Window : Notification);
		report();
	}, tick);
	progress.show(Window);
	try {
		abort.signal.throwIfAborted();
		const connection = await orAborted(servers.start(server), abort.signal);
		return await (connection &&
			send(connection, {
				...options,
				signal: abort.signal,
				onCall: (begun) => {
					call = begun;
					turns = begun.clock.onDidTurn(turned);
					running.set(begun, abort);
					onCall?.(begun);
					report();
				},
				onProgress: (told) => {
					const { progress: done, total, message: text } = told;
					message = [total ? `${done}/${total}` : '', text ?? ''].filter(Boolean).join(' ');
					report();
					onProgress?.(told);
				},
			}));
	} finally {
		clearInterval(timer);
		turns?.dispose();
		progress.end();
		signal?.removeEventListener('abort', cancel);
		if (call) {
			running.delete(call);
		}
	}
}

/** Who made the call, its clocks, who answers in it, and what the server tells of its progress. */
function saying(call: Call, message: string): NativeText {
	const by = call.responder ? responderText(call.responder, call) : '';
	return native([...viaOf(call), duration(call), by, message].filter(Boolean).join(' · '), 200);
}

/** Cancels the call that a node of the timeline stands for, or one that the user chooses. */
export async function cancelCall(target: unknown): Promise<void> {
	const wanted = typeof target === 'object' && target !== null && 'call' in target ? target.call : undefined;
	const calls = [...running.keys()].filter((call) => wanted === undefined || call === wanted);
	const items = calls.map((call) => ({
		label: native(call.name, 100),
		description: native(`${call.server} · ${duration(call)}`),
		call,
	}));
	if (items.length === 0) {
		void vscode.window.showInformationMessage(localizeNative('No call is running.'));
		return;
	}
	const chosen =
		items.length === 1
			? items[0]
			: await vscode.window.showQuickPick(items, { placeHolder: localize('Choose a call to cancel') });
	if (chosen) {
		running.get(chosen.call)?.abort(new vscode.CancellationError());
	}
}
