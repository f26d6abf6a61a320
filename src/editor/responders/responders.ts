import * as vscode from 'vscode';
import { answerDiagnostics } from '../../config/answersText.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import type { Registry } from '../../elicitation/registry.ts';
import type { TraceLog } from '../../trace/log.ts';
import { type Commands, registerCommand } from '../common/commands.ts';
import { openText, registerJsonDiagnostics, unreadable } from '../common/jsonDiagnostics.ts';
import type { JsonDocuments } from '../common/jsonDocuments.ts';
import type { Servers } from '../servers/servers.ts';
import { AutoResponderStatus } from './autoResponderStatus.ts';
import { ExtensionResponders } from './extensionResponders.ts';
import { saveAnswer } from './scripts/saveAnswer.ts';
import { ScriptConsent } from './scripts/scriptConsent.ts';
import { Scripts } from './scripts/scripts.ts';
import { ScriptSources } from './scripts/sources.ts';

/** All auto-responders and the surfaces that show them. */
export class Responders implements vscode.Disposable {
	readonly scripts: Scripts;
	readonly extensions: ExtensionResponders;
	readonly status: AutoResponderStatus;
	readonly #sources: ScriptSources;
	readonly #scriptConsent: ScriptConsent;
	readonly #disposable: vscode.Disposable;

	constructor(
		registry: Registry,
		private readonly trace: TraceLog,
		{ globalState, workspaceState, globalStorageUri }: vscode.ExtensionContext,
		servers: Servers,
		documents: JsonDocuments,
	) {
		const configuredOf = (server: string) => servers.get(server)?.configured;
		const sources = new ScriptSources(globalStorageUri);
		this.#sources = sources;
		// Consent is not in the global state, because the same path in another container is another workspace.
		this.#scriptConsent = new ScriptConsent(workspaceState, () => sources.all, documents);
		this.scripts = new Scripts(registry, sources, this.#scriptConsent, workspaceState, configuredOf);
		this.extensions = new ExtensionResponders(registry, globalState, workspaceState, configuredOf);
		this.status = new AutoResponderStatus(registry, [this.scripts, this.extensions], this.scripts);
		this.#disposable = vscode.Disposable.from(
			sources,
			registerScriptProblems(sources),
			this.scripts,
			this.extensions,
			this.status,
		);
	}

	/** Resolves when all scripts have been read. */
	get settled(): Promise<void> {
		return this.#sources.settled;
	}

	saveAnswer(elicitation: Elicitation): Promise<void> {
		return saveAnswer(this.trace, this.#sources, this.#scriptConsent, this.scripts.stopped, elicitation);
	}

	dispose(): void {
		this.#disposable.dispose();
	}
}

/** Registers all auto-responders and their commands. */
export function registerResponders(responders: Responders, commands: Commands): vscode.Disposable {
	return vscode.Disposable.from(
		responders,
		registerCommand('toggleScripts', () => responders.scripts.toggle()),
		registerCommand('showAnswerers', () => responders.status.show()),
		commands.register('saveAnswerAsScript', (elicitation) => responders.saveAnswer(elicitation)),
	);
}

/** Shows problems of scripted answers in the Problems panel and offers quick fixes. */
function registerScriptProblems(sources: ScriptSources): vscode.Disposable {
	const files = () =>
		sources.all.flatMap(({ file, at, text, failure }) => {
			const diagnostics = () => {
				if (failure !== undefined) {
					return [unreadable(failure)];
				}
				// A file that was deleted may stay open.
				return file && text !== undefined ? answerDiagnostics(openText(file) ?? text, at) : [];
			};
			return file ? [{ file, diagnostics }] : [];
		});
	return registerJsonDiagnostics('scripts', files, sources.onDidChange);
}
