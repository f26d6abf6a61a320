import type * as vscode from 'vscode';
import type { WaitingCall } from '../../elicitation/checkpoint.ts';
import { Emitter } from '../../elicitation/emitter.ts';
import type { WaitingCalls } from './waitingCalls.ts';

/** Memento key of the calls that are kept. */
const KEY = 'waitingCalls';

/** The calls that outlive their session. Loaded if there are some, or with the first call. */
export class LazyWaitingCalls {
	/** Resolves when the calls of earlier windows are known. */
	readonly ready: Promise<unknown>;
	readonly #changed = new Emitter<void>();
	#loading: Promise<WaitingCalls> | undefined;
	#loaded: WaitingCalls | undefined;

	readonly onDidChange = this.#changed.event;

	/**
	 * @param folder for what all windows have to know
	 * @param report is told why something could not be loaded or stored
	 */
	constructor(
		private readonly memory: vscode.Memento,
		private readonly secrets: vscode.SecretStorage,
		private readonly folder: vscode.Uri,
		private readonly report: (error: unknown) => void,
	) {
		this.ready = memory.get(KEY) === undefined ? Promise.resolve() : this.get().catch(report);
	}

	/** The calls that wait for the user, oldest first. */
	get all(): readonly WaitingCall[] {
		return this.#loaded?.all ?? [];
	}

	get(): Promise<WaitingCalls> {
		this.#loading ??= import('./waitingCalls.ts').then(({ WaitingCalls }) => {
			this.#loaded = new WaitingCalls(KEY, this.memory, this.secrets, this.folder.fsPath, this.report);
			this.#loaded.onDidChange(() => this.#changed.fire());
			this.#changed.fire();
			return this.#loaded;
		});
		return this.#loading;
	}

	/** The window closes: from here on, the calls wait for the next one. */
	async close(): Promise<void> {
		await this.#loaded?.close();
	}
}
