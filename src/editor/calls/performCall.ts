import * as vscode from 'vscode';
import { raceAbort } from '../../elicitation/abort.ts';
import type { Call } from '../../elicitation/call.ts';
import { shorten } from '../../elicitation/display.ts';
import type { Disposable } from '../../elicitation/emitter.ts';
import type { JsonObject } from '../../elicitation/json.ts';
import { english } from '../../elicitation/sentence.ts';
import type { CallOptions, Connection } from '../../mcp/index.ts';
import type { CallRunOptions } from '../../trials/callRun.ts';
import { duration, responderText, viaOf } from '../common/descriptions.ts';
import type { Servers } from '../servers/servers.ts';
import { CallProgress } from './callProgress.ts';
import { requireServer } from './changedServer.ts';

/** A call of any kind, ready to be sent. */
export interface Prepared {
	/** Name of the tool or prompt, or URI of the resource. Server text. */
	readonly name: string;
	/** Sends the call. */
	send(connection: Connection, options: CallOptions): Promise<JsonObject>;
}

interface PerformOptions extends CallRunOptions {
	/** The only server that the call may go to (`Servers.identityOf`); absent where the name says what is meant. */
	readonly identity?: string | undefined;
}

/** Running calls, with their abort controllers. */
const running = new Map<Call, AbortController>();

/** Interval between two updates of a call's clocks, and delay before a notification appears (ms). */
const TICK = 1000;

/**
 * Runs one call and shows both of its clocks: in a cancellable notification while the server works, and in the status
 * bar while the user is asked, so that no notification covers the elicitation. Starts the server if necessary; that
 * start continues if the call is cancelled. Undefined if the user did not consent to the start.
 */
export async function performCall(
	servers: Servers,
	server: string,
	{ name, send }: Prepared,
	options: PerformOptions = {},
): Promise<JsonObject | undefined> {
	const { identity, ...rest } = options;
	const { signal, onProgress, onCall, quiet = false } = rest;
	const abort = new AbortController();
	const cancel = () => abort.abort(signal?.reason);
	signal?.addEventListener('abort', cancel, { once: true });
	if (signal?.aborted) {
		cancel();
	}
	const progress = new CallProgress(`${shorten(server, 40)} · ${shorten(name, 40)}`, () =>
		abort.abort(new vscode.CancellationError()),
	);
	let call: Call | undefined;
	let clockListener: Disposable | undefined;
	let message = '';
	const report = () => {
		if (call) {
			progress.report(progressMessage(call, message));
		}
	};
	const onClockTurn = () => {
		// The server usually needs little time between two elicitations, so wait a full tick before showing the
		// notification.
		timer.refresh();
		if (call?.clock.asking) {
			progress.show('waiting');
		}
		report();
	};
	const timer = setInterval(() => {
		progress.show(call?.clock.asking ? 'waiting' : quiet ? 'spinner' : 'notification');
		report();
	}, TICK);
	progress.show('spinner');
	try {
		abort.signal.throwIfAborted();
		const connection = await raceAbort(servers.start(server), abort.signal);
		requireServer(servers, server, identity);
		return await (connection &&
			send(connection, {
				...rest,
				signal: abort.signal,
				onCall: (started) => {
					call = started;
					clockListener = started.clock.onDidTurn(onClockTurn);
					running.set(started, abort);
					onCall?.(started);
					report();
				},
				onProgress: (update) => {
					const { progress: done, total, message: text } = update;
					message = [total ? english('{0}/{1}', done, total) : '', text ?? ''].filter(Boolean).join(' ');
					report();
					onProgress?.(update);
				},
			}));
	} finally {
		clearInterval(timer);
		clockListener?.dispose();
		progress.end();
		signal?.removeEventListener('abort', cancel);
		if (call) {
			running.delete(call);
		}
	}
}

/** Progress text: who made the call, its clocks, active auto-responders, and the server's own progress message. */
function progressMessage(call: Call, message: string): string {
	const autoResponder = call.responder ? responderText(call.responder, call) : '';
	return [...viaOf(call), duration(call), autoResponder, message].filter(Boolean).join(' · ');
}

/** Cancels a running call. */
export async function cancelCall(call: Call): Promise<void> {
	running.get(call)?.abort(new vscode.CancellationError());
}
