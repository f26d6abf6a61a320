import * as vscode from 'vscode';
import type { Answerer } from '../../api.ts';
import { type CommandId, fullId } from '../common/contributions.ts';
import { showError } from '../common/notices.ts';
import type { Answering } from './answering.ts';

/** Loads those who answer in the person's place once the window is open; their commands are there at once. */
export class AnsweringOnDemand implements vscode.Disposable {
	readonly #loaded: Promise<Answering>;
	readonly #commands: vscode.Disposable;

	/** @param context what `Answering` is constructed with */
	constructor(...context: ConstructorParameters<typeof Answering>) {
		this.#loaded = load(context);
		const command = (id: CommandId, run: (answering: Answering, target: unknown) => Promise<void>) =>
			vscode.commands.registerCommand(fullId(id), (target: unknown) =>
				this.#loaded.then((answering) => run(answering, target)).catch(showError),
			);
		this.#commands = vscode.Disposable.from(
			command('toggleScripts', ({ scripts }) => scripts.toggle()),
			command('showAnswerers', ({ standIns }) => standIns.show()),
			command('saveAnswerAsScript', (answering, target) => answering.saveAnswer(target)),
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
		this.#loaded.then((answering) => answering.dispose()).catch(showError);
	}
}

/** Not before everything else that the window waits for. */
async function load(context: ConstructorParameters<typeof Answering>): Promise<Answering> {
	await new Promise((resolve) => setImmediate(resolve));
	const { Answering } = await import('./answering.ts');
	return new Answering(...context);
}
