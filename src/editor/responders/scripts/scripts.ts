import * as vscode from 'vscode';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import type { Disposable } from '../../../elicitation/emitter.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { ScriptAnswerer } from '../../../elicitation/script.ts';
import type { StandIn } from '../../../elicitation/standIn.ts';
import { t } from '../../common/words.ts';
import type { Actor, Actors } from '../actors.ts';
import type { ScriptAgreement } from './agreement.ts';
import { showSource } from './showSource.ts';
import type { ScriptSource, ScriptSources } from './sources.ts';

/** Where it is remembered that the person has stopped all scripts of this workspace. */
const STOPPED = 'scriptsStopped';

/** True where there is something to stop or to resume. */
const CONTEXT = 'mcpElicitation.scripts';

interface Script {
	readonly answerer: ScriptAnswerer;
	readonly source: ScriptSource;
	readonly index: number;
}

/** Has scripts answer what they are written for, as long as the person lets them. */
export class Scripts implements Actors, vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #subscription: vscode.Disposable;
	/** By their place and their words: one that has not changed goes on counting how often it was used. */
	#scripts = new Map<string, Script>();
	#registrations: Disposable[] = [];

	readonly onDidChange = this.#changed.event;

	/** @param replacesOwn whether a workspace has put the server of this name in the place of one of the user's */
	constructor(
		private readonly registry: Registry,
		private readonly sources: ScriptSources,
		private readonly agreement: ScriptAgreement,
		private readonly memory: vscode.Memento,
		private readonly replacesOwn: (server: string) => boolean,
	) {
		this.#subscription = sources.onDidChange(() => this.#apply());
	}

	/** The person does not want any script to answer. */
	get stopped(): boolean {
		return this.memory.get(STOPPED, false);
	}

	/** Stops all scripts, or lets them begin anew. */
	async toggle(): Promise<void> {
		await this.memory.update(STOPPED, this.stopped ? undefined : true);
		this.#scripts.clear();
		this.#apply();
	}

	get actors(): readonly Actor[] {
		return this.sources.all.flatMap((source) => (source.answers.length > 0 ? [this.#actor(source)] : []));
	}

	actorOf(standIn: StandIn): Actor | undefined {
		for (const { answerer, source, index } of this.#scripts.values()) {
			if (answerer.standIn === standIn) {
				return this.#actor(source, index);
			}
		}
		return undefined;
	}

	dispose(): void {
		this.#subscription.dispose();
		this.#unregister();
		this.#changed.dispose();
	}

	#apply(): void {
		const before = this.#scripts;
		this.#unregister();
		this.#scripts = new Map();
		for (const source of this.stopped || !vscode.workspace.isTrusted ? [] : this.sources.all) {
			for (const [index, answer] of source.answers.entries()) {
				const key = JSON.stringify([source.uri, index, answer]);
				const name = source.answers.length > 1 ? t('{0}, no. {1}', source.name, index + 1) : source.name;
				const answerer =
					before.get(key)?.answerer ??
					new ScriptAnswerer({ kind: 'script', name }, answer, (elicitation) => this.#allowed(key, elicitation));
				this.#scripts.set(key, { answerer, source, index });
				this.#registrations.push(this.registry.answerers.add(answerer));
			}
		}
		void vscode.commands.executeCommand('setContext', CONTEXT, this.stopped || this.#scripts.size > 0);
		this.#changed.fire();
	}

	async #allowed(key: string, elicitation: Elicitation): Promise<boolean> {
		const source = this.#scripts.get(key)?.source;
		if (!source || (!source.ofWorkspace && this.replacesOwn(elicitation.origin.server))) {
			return false;
		}
		// Whatever was changed or stopped while the person was asked no longer answers.
		return (await this.agreement.obtain(source, elicitation)) && this.#scripts.has(key);
	}

	#unregister(): void {
		for (const registration of this.#registrations.splice(0)) {
			registration.dispose();
		}
	}

	#actor(source: ScriptSource, index?: number): Actor {
		const { uri, name, ofWorkspace, answers } = source;
		const given = this.agreement.given(source);
		return {
			key: `script:${uri}`,
			kind: 'script',
			name,
			detail: [
				answers.length === 1 ? t('1 scripted answer') : t('{0} scripted answers', answers.length),
				...(given ? [] : [t('needs your agreement')]),
			].join(' · '),
			...(ofWorkspace &&
				given && {
					revoke: async () => {
						await this.agreement.takeBack(source);
						this.#changed.fire();
					},
				}),
			show: () => showSource(source, index),
			stop: async () => {
				if (!this.stopped) {
					await this.toggle();
				}
			},
		};
	}
}
