import * as vscode from 'vscode';
import { raceAbort } from '../../elicitation/abort.ts';
import type { Call, CallRequest } from '../../elicitation/call.ts';
import { shorten } from '../../elicitation/display.ts';
import type { Disposable } from '../../elicitation/emitter.ts';
import type { JsonObject } from '../../elicitation/json.ts';
import { english } from '../../elicitation/sentence.ts';
import type { BegunCall, CallOptions, Connection } from '../../mcp/index.ts';
import type { CallRunOptions } from '../../trials/callRun.ts';
import { duration, responderText, viaOf } from '../common/descriptions.ts';
import type { Servers } from '../servers/servers.ts';
import { CallProgress } from './callProgress.ts';
import { requireServer } from './changedServer.ts';

interface BeginOptions extends Pick<CallRunOptions, 'signal' | 'quiet' | 'via' | 'startedByUserAt'> {
	/** The only server that the call may go to (`Servers.identityOf`); absent where the name says what is meant. */
	readonly identity?: string | undefined;
	/** Of the server, if it was started for the call before. */
	readonly connection?: Connection | undefined;
}

/** Running calls, with their abort controllers. */
const running = new Map<Call, AbortController>();

/** Interval between two updates of a call's clocks, and delay before a notification appears (ms). */
const TICK = 1000;

/**
 * Begins a call and shows both of its clocks: in a cancellable notification while the server works, and in the status
 * bar while the user is asked, so that no notification covers the elicitation. Starts the server if necessary; that
 * start continues if the call is cancelled. Undefined if the user did not consent to the start.
 */
export async function beginCall(
	servers: Servers,
	server: string,
	request: CallRequest,
	options: BeginOptions = {},
): Promise<BegunCall | undefined> {
	const { connection: known, identity } = options;
	const shown = new ShownCall(`${shorten(server, 40)} · ${shorten(request.name, 40)}`, options);
	const { signal } = shown;
	try {
		signal.throwIfAborted();
		const connection = known?.state === 'running' ? known : await raceAbort(servers.start(server), signal);
		requireServer(servers, server, identity);
		const begun = await connection?.begin(request, { ...options, signal });
		if (begun) {
			return { call: begun.call, send: (more) => shown.follow(begun, more) };
		}
	} catch (error) {
		shown.end();
		throw error;
	}
	shown.end();
	return undefined;
}

/** What is shown of a call, from the start of its server to its end. */
class ShownCall {
	readonly signal: AbortSignal;
	readonly #abort = new AbortController();
	readonly #progress: CallProgress;
	readonly #timer: NodeJS.Timeout;
	#clockListener: Disposable | undefined;
	#call: Call | undefined;
	/** The server's own progress message. */
	#message = '';

	constructor(title: string, { signal, quiet = false }: BeginOptions) {
		this.signal = AbortSignal.any([this.#abort.signal, ...(signal ? [signal] : [])]);
		this.#progress = new CallProgress(title, () => this.#abort.abort(new vscode.CancellationError()));
		this.#timer = setInterval(() => {
			this.#progress.show(this.#call?.clock.asking ? 'waiting' : quiet ? 'spinner' : 'notification');
			this.#report();
		}, TICK);
		this.#progress.show('spinner');
	}

	async follow({ call, send }: BegunCall, options: CallOptions = {}): Promise<JsonObject> {
		this.#call = call;
		this.#clockListener = call.clock.onDidTurn(() => this.#onClockTurn(call));
		running.set(call, this.#abort);
		this.#report();
		try {
			return await send({
				...options,
				signal: this.signal,
				onProgress: (update) => {
					const { progress: done, total, message: text } = update;
					this.#message = [total ? english('{0}/{1}', done, total) : '', text ?? ''].filter(Boolean).join(' ');
					this.#report();
					options.onProgress?.(update);
				},
			});
		} finally {
			running.delete(call);
			this.end();
		}
	}

	end(): void {
		clearInterval(this.#timer);
		this.#clockListener?.dispose();
		this.#progress.end();
	}

	#onClockTurn({ clock }: Call): void {
		// The server usually needs little time between two elicitations, so wait a full tick before showing the
		// notification.
		this.#timer.refresh();
		if (clock.asking) {
			this.#progress.show('waiting');
		}
		this.#report();
	}

	/** Tells who made the call, its clocks, active auto-responders, and the server's own progress message. */
	#report(): void {
		const call = this.#call;
		if (call) {
			const autoResponder = call.responder ? responderText(call.responder, call) : '';
			const parts = [...viaOf(call), duration(call), autoResponder, this.#message];
			this.#progress.report(parts.filter(Boolean).join(' · '));
		}
	}
}

/** Cancels a running call. */
export async function cancelCall(call: Call): Promise<void> {
	running.get(call)?.abort(new vscode.CancellationError());
}
