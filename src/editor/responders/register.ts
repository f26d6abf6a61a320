import * as vscode from 'vscode';
import type { Answerer } from '../../api.ts';
import { type CommandId, fullId } from '../common/contributions.ts';
import { showError } from '../common/notifications.ts';
import type { Responders } from './responders.ts';

/** Loads the auto-responders after startup. Their commands are registered immediately. */
export class LazyResponders implements vscode.Disposable {
	readonly #loaded: Promise<Responders>;
	readonly #commands: vscode.Disposable;

	/** @param context constructor arguments of `Responders` */
	constructor(...context: ConstructorParameters<typeof Responders>) {
		this.#loaded = load(context);
		const command = (id: CommandId, run: (responders: Responders, target: unknown) => Promise<void>) =>
			vscode.commands.registerCommand(fullId(id), (target: unknown) =>
				this.#loaded.then((responders) => run(responders, target)).catch(showError),
			);
		this.#commands = vscode.Disposable.from(
			command('toggleScripts', ({ scripts }) => scripts.toggle()),
			command('showAnswerers', ({ responders }) => responders.show()),
			command('saveAnswerAsScript', (responders, target) => responders.saveAnswer(target)),
		);
	}

	/** Resolves when all auto-responders are loaded. No server starts before. */
	async ready(): Promise<void> {
		await (await this.#loaded).settled;
	}

	/** Registers an answerer of another extension. */
	add(answerer: Answerer): vscode.Disposable {
		let wanted = true;
		const added = this.#loaded.then(({ extensions }) => (wanted ? extensions.add(answerer) : undefined));
		return new vscode.Disposable(() => {
			wanted = false;
			added.then((registration) => registration?.dispose()).catch(showError);
		});
	}

	dispose(): void {
		this.#commands.dispose();
		this.#loaded.then((responders) => responders.dispose()).catch(showError);
	}
}

/** Deferred with `setImmediate` so that it does not delay activation. */
async function load(context: ConstructorParameters<typeof Responders>): Promise<Responders> {
	await new Promise((resolve) => setImmediate(resolve));
	const { Responders } = await import('./responders.ts');
	return new Responders(...context);
}
