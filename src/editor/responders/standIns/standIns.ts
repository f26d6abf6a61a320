import * as vscode from 'vscode';
import type { Misanswer } from '../../../elicitation/answerers.ts';
import { type NativeText, shorten } from '../../../elicitation/display.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { render } from '../../../elicitation/sentence.ts';
import type { StandIn } from '../../../elicitation/standIn.ts';
import { coalesce } from '../../common/coalesce.ts';
import { showError } from '../../common/notices.ts';
import { line, t } from '../../common/words.ts';
import type { Actor, Actors } from '../actors.ts';
import { type Switch, showAnswerers } from './list.ts';
import { StatusBar } from './statusBar.ts';

/** How far apart the status bar is drawn (milliseconds). */
const LAG = 50;

/** How much of what went wrong a notification holds (characters). */
const LONGEST_REASON = 500;

/** Lets nobody answer in the person's place without the person seeing it: tells of it, counts it, and says how to end it. */
export class StandIns implements vscode.Disposable {
	readonly #statusBar = new StatusBar();
	readonly #subscriptions: vscode.Disposable;
	/** How much each of them has answered in this window. */
	readonly #counts = new Map<string, number>();
	readonly #counted = new WeakSet<Elicitation>();
	/** Of whom the person has been told, for which server. */
	readonly #told = new Set<string>();
	/** Whose failures are on the screen: many of one would hide everything else. */
	readonly #showing = new Set<string>();

	constructor(
		registry: Registry,
		private readonly all: readonly Actors[],
		private readonly scripts: Switch,
	) {
		const draw = coalesce(() => this.#draw(), LAG);
		this.#subscriptions = vscode.Disposable.from(
			draw,
			...all.map(({ onDidChange }) => onDidChange(draw)),
			registry.onDidChange(({ elicitation }) => {
				if (elicitation.answer && this.#count(elicitation)) {
					draw();
				}
			}),
			registry.answerers.onDidMisanswer((misanswer) => {
				this.#onMisanswer(misanswer).catch(showError);
			}),
		);
	}

	/** The command `showAnswerers`. */
	show(): Promise<void> {
		return showAnswerers(this.#actors, (actor) => this.#counts.get(actor.key) ?? 0, this.scripts);
	}

	dispose(): void {
		this.#subscriptions.dispose();
		this.#statusBar.dispose();
	}

	get #actors(): readonly Actor[] {
		return this.all.flatMap(({ actors }) => actors);
	}

	#draw(): void {
		const lines = this.#actors.flatMap(({ key, name }) => {
			const count = this.#counts.get(key);
			return count === undefined ? [] : [line('{0}: {1} answered', name, count)];
		});
		const answered = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
		const scripted = this.#actors.some(({ kind }) => kind === 'script');
		this.#statusBar.draw({ answered, lines, stopped: this.scripts.stopped && scripted });
	}

	/** True for an answer in the person's place that has not been counted yet. */
	#count(elicitation: Elicitation): boolean {
		const { standIn, origin } = elicitation;
		const actor = standIn && this.#actorOf(standIn);
		if (!actor || this.#counted.has(elicitation)) {
			return false;
		}
		this.#counted.add(elicitation);
		this.#counts.set(actor.key, (this.#counts.get(actor.key) ?? 0) + 1);
		this.#tell(actor, origin.server).catch(showError);
		return true;
	}

	#actorOf(standIn: StandIn): Actor | undefined {
		return this.all.map((actors) => actors.actorOf(standIn)).find((actor) => actor !== undefined);
	}

	/** Once for each of them and each server, as long as the window is open. */
	async #tell(actor: Actor, server: string): Promise<void> {
		const key = JSON.stringify([actor.key, server]);
		if (this.#told.has(key)) {
			return;
		}
		this.#told.add(key);
		const show = t('Show');
		const stop = actor.kind === 'script' ? t('Stop Scripts') : t('Stop Extension');
		const text =
			actor.kind === 'script'
				? line('Scripts answer questions of {0} in your place: {1}', server, actor.name)
				: line('The extension {1} answers questions of {0} in your place.', server, actor.name);
		const choice = await vscode.window.showInformationMessage(text, show, stop);
		if (choice === show) {
			await actor.show();
		} else if (choice === stop) {
			await actor.stop();
		}
	}

	async #onMisanswer({ elicitation, standIn, reason }: Misanswer): Promise<void> {
		const actor = this.#actorOf(standIn);
		const why = shorten(render(reason, t), LONGEST_REASON);
		// A trial may leave several questions to the person, each for a reason of its own.
		const key = JSON.stringify([standIn, elicitation.origin.server, ...(standIn.kind === 'forced' ? [why] : [])]);
		if (this.#showing.has(key)) {
			return;
		}
		this.#showing.add(key);
		const show = standIn.kind === 'script' ? t('Show Script') : t('Show Extension');
		const { server } = elicitation.origin;
		const choice = await vscode.window.showWarningMessage(unanswered(standIn, server, why), ...(actor ? [show] : []));
		this.#showing.delete(key);
		if (choice === show) {
			await actor?.show();
		}
	}
}

function unanswered({ kind, name }: StandIn, server: string, why: string): NativeText {
	switch (kind) {
		case 'script':
			return line('{0}: The script {1} did not answer, so you are asked. {2}', server, name, why);
		case 'extension':
			return line('{0}: The extension {1} did not answer, so you are asked. {2}', server, name, why);
		case 'forced':
			return line('{0}: This question of the trial is left to you. {1}', server, why);
	}
}
