import * as vscode from 'vscode';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import type { Disposable } from '../../../elicitation/emitter.ts';
import { hasWildcard } from '../../../elicitation/glob.ts';
import { keyOf } from '../../../elicitation/json.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import type { ResponderInfo } from '../../../elicitation/responderInfo.ts';
import { ScriptAutoResponder } from '../../../elicitation/script.ts';
import { reveal } from '../../common/jsonDiagnostics.ts';
import { localize } from '../../common/localize.ts';
import type { ConfiguredServer } from '../../common/serverEntry.ts';
import { fromWorkspace } from '../../servers/configSource.ts';
import type { ResponderSource, ShownResponder } from '../shownResponders.ts';
import type { ScriptConsent } from './scriptConsent.ts';
import type { ScriptSource, ScriptSources } from './sources.ts';

/** Memento key: the user has stopped all scripts of this workspace. */
const STOPPED = 'scriptsStopped';

/** Context key: there are scripts to stop or resume. */
const CONTEXT = 'mcpElicitation.scripts';

interface Script {
	/** Its name is that of its current place. */
	readonly responder: { readonly kind: 'script'; name: string };
	readonly autoResponder: ScriptAutoResponder;
	readonly source: ScriptSource;
	readonly index: number;
}

/** Responds with the user's scripts, unless they are stopped. */
export class Scripts implements ResponderSource, vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #disposable: vscode.Disposable;
	/** Scripts by source and text. An unchanged script keeps its use count, wherever it is moved in its source. */
	#scripts = new Map<string, Script>();
	#registrations: Disposable[] = [];

	readonly onDidChange = this.#changed.event;

	/** @param configuredOf what has a name now */
	constructor(
		private readonly registry: Registry,
		private readonly sources: ScriptSources,
		private readonly consent: ScriptConsent,
		private readonly memory: vscode.Memento,
		private readonly configuredOf: (server: string) => ConfiguredServer | undefined,
	) {
		this.#disposable = sources.onDidChange(() => this.#apply());
	}

	/** True if the user has stopped all scripts. */
	get stopped(): boolean {
		return this.memory.get<unknown>(STOPPED) === true;
	}

	/** Stops or resumes all scripts. */
	async toggle(): Promise<void> {
		await this.memory.update(STOPPED, this.stopped ? undefined : true);
		// They start anew, with use counts of zero.
		this.#apply(new Map());
	}

	get responders(): readonly ShownResponder[] {
		return this.sources.all.flatMap((source) => (source.answers.length > 0 ? [this.#responder(source)] : []));
	}

	responderOf(responder: ResponderInfo): ShownResponder | undefined {
		for (const { autoResponder, source, index } of this.#scripts.values()) {
			if (autoResponder.responder === responder) {
				return this.#responder(source, index);
			}
		}
		return undefined;
	}

	dispose(): void {
		this.#disposable.dispose();
		this.#unregister();
		this.#changed.dispose();
	}

	/** @param kept scripts that go on as they are, unless they were changed */
	#apply(kept = this.#scripts): void {
		const before = this.#scripts;
		this.#unregister();
		this.#scripts = new Map();
		/** How often a source has had a script with the same text. */
		const same = new Map<string, number>();
		for (const source of this.stopped || !vscode.workspace.isTrusted ? [] : this.sources.all) {
			for (const [index, answer] of source.answers.entries()) {
				const text = keyOf(source.uri, answer);
				const nth = same.get(text) ?? 0;
				same.set(text, nth + 1);
				const key = keyOf(text, nth);
				const responder: Script['responder'] = kept.get(key)?.responder ?? { kind: 'script', name: '' };
				responder.name = source.answers.length > 1 ? localize('{0}, no. {1}', source.name, index + 1) : source.name;
				const autoResponder =
					kept.get(key)?.autoResponder ??
					new ScriptAutoResponder(responder, answer, (elicitation) => this.#allowed(key, elicitation));
				this.#scripts.set(key, { responder, autoResponder, source, index });
				this.#registrations.push(this.registry.autoResponders.add(autoResponder));
			}
		}
		for (const [key, { autoResponder }] of before) {
			if (this.#scripts.get(key)?.autoResponder !== autoResponder) {
				autoResponder.release();
			}
		}
		void vscode.commands.executeCommand('setContext', CONTEXT, this.stopped || this.#scripts.size > 0);
		this.#changed.fire();
	}

	async #allowed(key: string, elicitation: Elicitation): Promise<boolean> {
		const { source, index = -1 } = this.#scripts.get(key) ?? {};
		if (!source || (!source.ofWorkspace && !this.#meansServer(source.answers[index]?.match.server, elicitation))) {
			return false;
		}
		// The script may have been changed or stopped while the user was asked.
		return (await this.consent.obtain(source, elicitation)) && this.#scripts.has(key);
	}

	/** A name in the user's own script means the user's server. A pattern means any, but none that takes the place of theirs. */
	#meansServer(pattern = '*', { origin }: Elicitation): boolean {
		const configured = this.configuredOf(origin.server);
		return (
			configured !== undefined &&
			(!fromWorkspace(configured.source) || (hasWildcard(pattern) && !configured.replacesOwn))
		);
	}

	#unregister(): void {
		for (const registration of this.#registrations.splice(0)) {
			registration.dispose();
		}
	}

	#responder(source: ScriptSource, index?: number): ShownResponder {
		const { uri, name, ofWorkspace, answers } = source;
		const given = this.consent.isGiven(source);
		return {
			key: `script:${uri}`,
			kind: 'script',
			name,
			detail: [
				answers.length === 1 ? localize('1 scripted answer') : localize('{0} scripted answers', answers.length),
				...(given ? [] : [localize('needs your consent')]),
			].join(' · '),
			...(ofWorkspace &&
				given && {
					revoke: async () => {
						await this.consent.revoke(source);
						for (const { autoResponder, source: of } of this.#scripts.values()) {
							if (of.uri === uri) {
								autoResponder.release();
							}
						}
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

/**
 * Opens the file with scripted answers, at their position.
 * @param index index of the answer to reveal, if there are several
 */
async function showSource({ file, at, ofWorkspace, answers }: ScriptSource, index?: number): Promise<void> {
	if (!file) {
		// VS Code has commands to open its settings.
		await vscode.commands.executeCommand(
			`workbench.action.${ofWorkspace ? 'openWorkspaceSettingsFile' : 'openSettingsJson'}`,
		);
		return;
	}
	const editor = await vscode.window.showTextDocument(file);
	const path = index !== undefined && answers.length > 1 ? [...at, index] : at;
	if (path.length > 0) {
		reveal(editor, path);
	}
}
