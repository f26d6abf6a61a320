import * as vscode from 'vscode';
import type { Answerer } from '../../api.ts';
import { type CommandId, fullId } from '../common/contributions.ts';
import { showError } from '../common/notices.ts';
import type { Responders } from './responders.ts';

/** Loads those who answer in the user's place once the window is open; their commands are there at once. */
export class LazyResponders implements vscode.Disposable {
	readonly #loaded: Promise<Responders>;
	readonly #commands: vscode.Disposable;

	/** @param context what `Answering` is constructed with */
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

	/** Resolves when whoever may answer is there: no server is started before. */
	async ready(): Promise<void> {
		await (await this.#loaded).settled;
	}

	/** Has another extension answer. */
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

/** Not before everything else that the window waits for. */
async function load(context: ConstructorParameters<typeof Responders>): Promise<Responders> {
	await new Promise((resolve) => setImmediate(resolve));
	const { Responders } = await import('./responders.ts');
	return new Responders(...context);
}
