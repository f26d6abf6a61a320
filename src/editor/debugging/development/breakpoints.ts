import * as vscode from 'vscode';
import type { Registry } from '../../../elicitation/registry.ts';

/** Requests of the Debug Adapter Protocol whose response means that the program runs again. */
const RUNNING_AGAIN = new Set([
	'continue',
	'next',
	'stepIn',
	'stepOut',
	'stepBack',
	'reverseContinue',
	'goto',
	'restartFrame',
]);

/** The messages of the Debug Adapter Protocol that matter here. */
interface AdapterMessage {
	readonly type: string;
	readonly event?: string;
	readonly command?: string;
	readonly success?: boolean;
}

/** Stops the clocks of a server's calls while its process is at a breakpoint: that time counts against nobody. */
export class Breakpoints implements vscode.Disposable {
	/** Servers at a breakpoint, with the debug sessions that say so. */
	readonly #stopped = new Map<string, Set<vscode.DebugSession>>();
	readonly #disposable: vscode.Disposable;

	/** @param serverOf the server that a debug session belongs to, if it was started here */
	constructor(
		private readonly registry: Registry,
		serverOf: (session: vscode.DebugSession) => string | undefined,
	) {
		const calls = registry.onDidChangeCalls((call) => {
			if (this.#stopped.has(call.server) && call.state === 'running') {
				call.clock.pause(this, 'nobody');
			}
		});
		const tracker = vscode.debug.registerDebugAdapterTrackerFactory('*', {
			createDebugAdapterTracker: (session) => {
				const server = serverOf(session);
				return server === undefined
					? undefined
					: {
							onDidSendMessage: (message: AdapterMessage) => this.#receive(server, session, message),
							onExit: () => this.#resume(server, session),
						};
			},
		});
		this.#disposable = vscode.Disposable.from(
			calls,
			tracker,
			vscode.debug.onDidTerminateDebugSession((session) => {
				const server = serverOf(session);
				if (server !== undefined) {
					this.#resume(server, session);
				}
			}),
		);
	}

	dispose(): void {
		this.#disposable.dispose();
	}

	#receive(server: string, session: vscode.DebugSession, { type, event, command, success }: AdapterMessage): void {
		if (type === 'event' && event === 'stopped') {
			this.#stopped.set(server, new Set(this.#stopped.get(server)).add(session));
			for (const { clock } of this.#callsOf(server)) {
				clock.pause(this, 'nobody');
			}
		} else if (
			(type === 'event' && (event === 'continued' || event === 'terminated')) ||
			(type === 'response' && success && RUNNING_AGAIN.has(command ?? ''))
		) {
			this.#resume(server, session);
		}
	}

	#resume(server: string, session: vscode.DebugSession): void {
		const sessions = this.#stopped.get(server);
		if (sessions?.delete(session) && sessions.size === 0) {
			this.#stopped.delete(server);
			for (const { clock } of this.#callsOf(server)) {
				clock.resume(this);
			}
		}
	}

	#callsOf(server: string) {
		return this.registry.calls.filter((call) => call.server === server && call.state === 'running');
	}
}
