import * as vscode from 'vscode';
import type { Answerer } from '../../api.ts';
import { type Commands, registerCommand } from '../common/commands.ts';
import { Lazy } from '../common/lazy.ts';
import { showError } from '../common/notifications.ts';
import type { Responders } from './responders.ts';

/** Loads the auto-responders after startup. Their commands are registered immediately. */
export class LazyResponders implements vscode.Disposable {
	readonly #responders: Lazy<Responders>;
	readonly #commands: vscode.Disposable;

	/** @param context constructor arguments of `Responders` */
	constructor(commands: Commands, ...context: ConstructorParameters<typeof Responders>) {
		this.#responders = new Lazy(async () => {
			// Deferred so that it does not delay activation.
			await new Promise((resolve) => setImmediate(resolve));
			const { Responders } = await import('./responders.ts');
			return new Responders(...context);
		});
		this.#responders.get().catch(showError);
		this.#commands = vscode.Disposable.from(
			registerCommand('toggleScripts', async () => (await this.#responders.get()).scripts.toggle()),
			registerCommand('showAnswerers', async () => (await this.#responders.get()).list.show()),
			commands.register('saveAnswerAsScript', async (each) => (await this.#responders.get()).saveAnswer(each)),
		);
	}

	/** Resolves when all auto-responders are loaded. No server starts before. */
	async ready(): Promise<void> {
		await (await this.#responders.get()).settled;
	}

	/** Registers an answerer of another extension. */
	add(answerer: Answerer): vscode.Disposable {
		let wanted = true;
		const added = this.#responders.get().then(({ extensions }) => (wanted ? extensions.add(answerer) : undefined));
		return new vscode.Disposable(() => {
			wanted = false;
			added.then((registration) => registration?.dispose()).catch(showError);
		});
	}

	dispose(): void {
		this.#commands.dispose();
		this.#responders.dispose();
	}
}
