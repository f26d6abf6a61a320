import * as vscode from 'vscode';
import { NOTHING, readContent } from '../../config/content.ts';
import { outerInputs, resolvePrecedence, type Written } from '../../config/precedence.ts';
import { diagnosticsOf, type JsonDiagnostic, type JsonFault, readContentText } from '../../config/text.ts';
import { localizable } from '../../elicitation/sentence.ts';
import { fullId } from '../common/contributions.ts';
import { readText, watchFiles } from '../common/files.ts';
import { openText, registerJsonDiagnostics, unreadable } from '../common/jsonDiagnostics.ts';
import { Reloader } from '../common/scheduling.ts';
import type { ConfigSource, ConfiguredServer } from '../common/serverEntry.ts';
import { isUserSettings, userSettings } from '../common/userSettings.ts';
import { configSourcesOf, fromWorkspace, isSettings, settingsAt, sourceText, WATCHED } from './configSource.ts';
import { editorSourceOf, editorSources, readEditorServers } from './editorServers.ts';
import { affectsVariables, problemsHere } from './variables.ts';

/** Settings that define which servers there are. */
const SETTINGS = ['servers', 'inputs', 'discoverMcpJson'] as const;

/** True if VS Code runs the server, too, from a file other than its definition here. */
export function isAlsoInEditor({ source, others, editor }: ConfiguredServer): boolean {
	return editor !== undefined && ![source, ...others].some(({ uri }) => uri === editor.uri);
}

/** State of one config source. */
export interface SourceState extends Written<ConfigSource> {
	/** Text of its file, if it could be read. */
	readonly text?: string;
	/** Why its file could not be read. */
	readonly failure?: string;
	/** The text is not valid JSON. */
	readonly broken?: true;
	/** Where and why. Absent for an empty text, which is no mistake. */
	readonly fault?: JsonFault;
	/** The last valid definitions are still in use. */
	readonly kept: boolean;
}

/** All configured servers, kept up to date. */
export class Configuration implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #disposable: vscode.Disposable;
	#watching: vscode.Disposable | undefined;
	#states: readonly SourceState[] = [];
	#servers: readonly ConfiguredServer[] = [];
	/** Config sources of VS Code's own servers. */
	#editorSources: readonly ConfigSource[] = [];
	readonly #reloader = new Reloader(() => this.#readAll());

	readonly onDidChange = this.#changed.event;

	constructor(private readonly globalStorageUri: vscode.Uri) {
		const reload = () => void this.reload();
		const watch = () => {
			this.#watch(reload);
			reload();
		};
		this.#disposable = vscode.Disposable.from(
			this.#changed,
			vscode.workspace.onDidChangeConfiguration((event) => {
				if (SETTINGS.some((key) => event.affectsConfiguration(fullId(key))) || affectsVariables(event)) {
					reload();
				}
			}),
			vscode.workspace.onDidChangeWorkspaceFolders(watch),
			vscode.workspace.onDidGrantWorkspaceTrust(reload),
			vscode.workspace.onDidOpenTextDocument(({ uri }) => {
				if (isUserSettings(uri)) {
					reload();
				}
			}),
			vscode.workspace.onDidSaveTextDocument(({ uri }) => {
				const sources = [...this.#states.map(({ source }) => source), ...this.#editorSources];
				if (sources.some(({ file }) => String(file) === String(uri))) {
					reload();
				}
			}),
		);
		watch();
	}

	/** Resolves when no load is running or queued. */
	get settled(): Promise<void> {
		return this.#reloader.settled;
	}

	/** The effective servers, one per name. */
	get servers(): readonly ConfiguredServer[] {
		return this.#servers;
	}

	/** All config sources, including empty ones. */
	get sources(): readonly SourceState[] {
		return this.#states;
	}

	/** Reads all sources again. */
	reload(): Promise<void> {
		return this.#reloader.reload();
	}

	dispose(): void {
		this.#disposable.dispose();
		this.#watching?.dispose();
	}

	async #readAll(): Promise<void> {
		const user = await userSettings(this.globalStorageUri);
		const sources = configSourcesOf(user);
		const settings = readSettings(sources);
		const states = await Promise.all(sources.map((source) => this.#read(settings, source)));
		const editorOwn = editorSources(user);
		const editors = await readEditorServers(editorOwn);
		this.#states = states;
		this.#editorSources = editorOwn;
		this.#servers = resolvePrecedence<ConfigSource>(states).map((resolved) => {
			const { definition, source, problems, others } = resolved;
			const replacesOwn = fromWorkspace(source) && others.some((other) => !fromWorkspace(other));
			const server = { ...resolved, ...(replacesOwn && { replacesOwn }) };
			if (!definition) {
				return server;
			}
			const here = problemsHere(definition, source);
			const editor = editorSourceOf(source, definition, editors);
			return { ...server, problems: [...problems, ...here], ...(editor && { editor }) };
		});
		this.#changed.fire();
	}

	async #read(settings: readonly SourceState[], source: ConfigSource): Promise<SourceState> {
		const state = settings.find((each) => each.source === source) ?? {
			source,
			content: NOTHING,
			kept: false,
		};
		const { text, failure } = await readText(source.file);
		if (text === undefined) {
			return failure === undefined || isSettings(source) ? state : { ...this.#keep(state), failure };
		}
		const { broken, fault, ...content } = readContentText(text, source.shape);
		// Settings are taken from VS Code's API, which respects restricted settings.
		return broken
			? this.#keep({ ...state, text, broken, ...(fault && { fault }) })
			: { ...state, text, ...(!isSettings(source) && { content }) };
	}

	/** A file that is invalid for a moment must not stop running servers. */
	#keep(state: SourceState): SourceState {
		const before = this.#states.find(({ source }) => source.uri === state.source.uri);
		const valid = before?.kept || !before?.broken;
		return before && valid && before.content.servers.length > 0
			? { ...state, content: before.content, kept: true }
			: state;
	}

	#watch(reload: () => void): void {
		this.#watching?.dispose();
		const { workspaceFolders = [], workspaceFile } = vscode.workspace;
		const patterns = workspaceFolders.map((folder) => new vscode.RelativePattern(folder, WATCHED));
		if (workspaceFile?.scheme === 'file') {
			const folder = vscode.Uri.joinPath(workspaceFile, '..');
			patterns.push(new vscode.RelativePattern(folder, workspaceFile.path.split('/').at(-1) ?? ''));
		}
		this.#watching = watchFiles(patterns, reload);
	}
}

/** The content of settings, as VS Code reads them. */
function readSettings(sources: readonly ConfigSource[]): SourceState[] {
	const states: SourceState[] = [];
	// Wider scopes first, because narrower ones use their inputs: of the user's own, the local before the remote one.
	for (const kind of ['user', 'workspace', 'folder']) {
		for (const source of sources.filter((each) => each.kind === kind).reverse()) {
			const content = readContent(settingsAt(source), source.shape, outerInputs(source, states));
			states.push({ source, content, kept: false });
		}
	}
	return states;
}

/** Shows problems of definitions in the Problems panel and offers quick fixes. */
export function registerProblems(configuration: Configuration): vscode.Disposable {
	const files = () =>
		configuration.sources.flatMap((state) => {
			const { file } = state.source;
			return file ? [{ file, diagnostics: () => problemsIn(configuration, state, file) }] : [];
		});
	return registerJsonDiagnostics('definitions', files, configuration.onDidChange);
}

function problemsIn(
	configuration: Configuration,
	{ source, text: saved, failure, kept }: SourceState,
	file: vscode.Uri,
): readonly JsonDiagnostic[] {
	if (failure !== undefined) {
		return [unreadable(failure)];
	}
	// A file that was deleted may stay open, but defines nothing.
	const text = saved === undefined ? undefined : (openText(file) ?? saved);
	if (text === undefined) {
		return [];
	}
	return diagnosticsOf(text, {
		shape: source.shape,
		outer: outerInputs(source, configuration.sources),
		kept,
		check: (definition) => problemsHere(definition, source),
		note: (name) => {
			const counting = configuration.servers.find((server) => server.name === name)?.source;
			return counting && counting.uri !== source.uri
				? localizable('"{0}" is also defined in {1}; that definition takes precedence.', name, sourceText(counting))
				: undefined;
		},
	});
}
