import * as vscode from 'vscode';
import { showError } from '../../common/notifications.ts';
import type { ServerEntry } from '../../common/serverEntry.ts';
import type { DebuggingContext } from '../debuggingContext.ts';
import { replayAfterChange } from '../replay/replayCall.ts';
import { Breakpoints } from './breakpoints.ts';
import { FileWatchers } from './fileWatchers.ts';
import { ServerDebuggers, serverOf } from './serverDebuggers.ts';

/** What `dev` in a server's definition turns on: restarts when files change, replays after them, and a debugger. */
export class Development implements vscode.Disposable {
	readonly #debuggers: ServerDebuggers;
	/** One restart at a time for each server, unless the server is starting. */
	readonly #restarting = new Map<string, Promise<unknown>>();
	/** The replay that follows the last restart of each server. */
	readonly #replays = new Map<string, AbortController>();
	readonly #disposable: vscode.Disposable;

	constructor(private readonly context: DebuggingContext) {
		const { servers, registry } = context;
		this.#debuggers = new ServerDebuggers(servers);
		this.#disposable = vscode.Disposable.from(
			this.#debuggers,
			new Breakpoints(registry, serverOf),
			new FileWatchers(servers, (server) => this.#changed(server)),
		);
	}

	/** The command `debugServer`: restarts a server with its debugger attached. */
	async debugServer({ configured }: ServerEntry): Promise<void> {
		await this.#debuggers.debug(configured.name);
	}

	dispose(): void {
		this.#disposable.dispose();
	}

	#changed(server: string): void {
		// A program that hangs as it starts must not keep its successor waiting.
		const isStarting = this.context.servers.get(server)?.state === 'starting';
		const before = isStarting ? undefined : this.#restarting.get(server);
		const restarting = Promise.resolve(before)
			.then(() => this.#restart(server))
			.catch(showError)
			.finally(() => {
				if (this.#restarting.get(server) === restarting) {
					this.#restarting.delete(server);
				}
			});
		this.#restarting.set(server, restarting);
	}

	async #restart(server: string): Promise<void> {
		const { servers, registry } = this.context;
		const last = registry.calls.findLast((call) => call.server === server && call.trial === undefined);
		this.#replays.get(server)?.abort(new vscode.CancellationError());
		const replay = new AbortController();
		this.#replays.set(server, replay);
		const connection = await servers.restart(server);
		const wanted = servers.get(server)?.configured.definition?.dev?.replay && !replay.signal.aborted;
		// Its arguments and responses are for the server that it was made to, whatever has the name now.
		const isSame = last?.identity === servers.identityOf(server);
		if (connection && last && isSame && wanted) {
			// Not awaited: the next restart must not wait for a form, or for a notification that nobody closes.
			replayAfterChange(this.context, last, replay.signal).catch(showError);
		}
	}
}
