import * as vscode from 'vscode';
import type { Arranged, Written } from '../../config/precedence.ts';
import { fullId } from '../common/contributions.ts';
import { type Config, loadConfig } from '../common/loadConfig.ts';
import { Reading } from '../common/reading.ts';
import { textOf } from '../common/textOf.ts';
import { isUserSettings, userSettings } from '../common/userSettings.ts';
import {
	type ConfigSource,
	configSourcesOf,
	fromWorkspace,
	isSettings,
	type Source,
	settingsAt,
	WATCHED,
} from './configSource.ts';
import { editorPlaceOf, editorSources, readEditorServers } from './editorServers.ts';
import { affectsVariables, variablesOf } from './variables.ts';

/** The settings that say what is configured, and where. */
const READ = ['servers', 'inputs', 'discoverMcpJson'] as const;

/** A server as it is configured, or comes with this extension. */
export interface ConfiguredServer extends Arranged<Source> {
	/** From where the editor itself runs the same server for its chats. */
	readonly editor?: ConfigSource;
	/** A workspace has put it in the place of one of the user's: what they granted to theirs by its name is not for this one. */
	readonly replacesOwn?: true;
}

/** True where the editor runs the server as well, by a file that is not named as one that defines it here. */
export function isAlsoTheEditors({ source, others, editor }: ConfiguredServer): boolean {
	return editor !== undefined && ![source, ...others].some(({ uri }) => uri === editor.uri);
}

/** What is known of one place. */
export interface SourceState extends Written<ConfigSource> {
	/** The text of its file, where it could be read. */
	readonly text?: string;
	/** Why its file could not be read. */
	readonly failure?: string;
	/** The text is no JSON. */
	readonly broken?: true;
	/** What the text defined when it was last in order is still in force. */
	readonly kept: boolean;
}

/** Everything that is configured anywhere, and kept up to date. */
export class Configuration implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #disposables: vscode.Disposable[];
	#watchers: vscode.Disposable[] = [];
	#states: readonly SourceState[] = [];
	#servers: readonly ConfiguredServer[] = [];
	/** Where the editor has servers of its own. */
	#editorSources: readonly ConfigSource[] = [];
	readonly #reading = new Reading(() => this.#readAll());

	readonly onDidChange = this.#changed.event;

	constructor(private readonly globalStorageUri: vscode.Uri) {
		const reload = () => void this.reload();
		const watch = () => {
			this.#watch(reload);
			reload();
		};
		this.#disposables = [
			this.#changed,
			vscode.workspace.onDidChangeConfiguration((event) => {
				if (READ.some((key) => event.affectsConfiguration(fullId(key))) || affectsVariables(event)) {
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
		];
		watch();
	}

	/** Resolves when nothing is being read any more. */
	get settled(): Promise<void> {
		return this.#reading.settled;
	}

	/** One per name, as it counts. */
	get servers(): readonly ConfiguredServer[] {
		return this.#servers;
	}

	/** Every place, whether it defines anything or not. */
	get sources(): readonly SourceState[] {
		return this.#states;
	}

	/** Reads everything again. */
	reload(): Promise<void> {
		return this.#reading.again();
	}

	dispose(): void {
		for (const disposable of [...this.#disposables, ...this.#watchers]) {
			disposable.dispose();
		}
	}

	async #readAll(): Promise<void> {
		const config = await loadConfig();
		const user = await userSettings(this.globalStorageUri);
		const sources = configSourcesOf(user);
		const settings = readSettings(config, sources);
		const states = await Promise.all(sources.map((place) => this.#read(config, settings, place)));
		const ofEditor = editorSources(user);
		const editors = await readEditorServers(config, ofEditor);
		this.#states = states;
		this.#editorSources = ofEditor;
		this.#servers = config.arrange<ConfigSource>(states).map((arranged) => {
			const { definition, source, problems, others } = arranged;
			const replacesOwn = fromWorkspace(source) && others.some((other) => !fromWorkspace(other));
			const server = { ...arranged, ...(replacesOwn && { replacesOwn }) };
			if (!definition) {
				return server;
			}
			const missing = config.missingVariables(definition, variablesOf(source));
			const editor = editorPlaceOf(config, source, definition, editors);
			return { ...server, problems: [...problems, ...missing], ...(editor && { editor }) };
		});
		this.#changed.fire();
	}

	async #read(config: Config, settings: readonly SourceState[], place: ConfigSource): Promise<SourceState> {
		const plain = settings.find(({ source }) => source === place) ?? {
			source: place,
			content: config.NOTHING,
			kept: false,
		};
		const { text, failure } = await textOf(place.file);
		if (text === undefined) {
			return failure === undefined || isSettings(place) ? plain : { ...this.#keep(plain), failure };
		}
		const { broken, ...content } = config.readText(text, place.shape);
		// The editor's own reading of settings counts: it knows what it restricts.
		return broken ? this.#keep({ ...plain, text, broken }) : { ...plain, text, ...(!isSettings(place) && { content }) };
	}

	/** A file that is broken for a moment must not end what runs. */
	#keep(state: SourceState): SourceState {
		const before = this.#states.find(({ source }) => source.uri === state.source.uri);
		const sound = before?.kept || !before?.broken;
		return before && sound && before.content.servers.length > 0
			? { ...state, content: before.content, kept: true }
			: state;
	}

	#watch(reload: () => void): void {
		for (const watcher of this.#watchers) {
			watcher.dispose();
		}
		const { workspaceFolders = [], workspaceFile } = vscode.workspace;
		const patterns = workspaceFolders.map((folder) => new vscode.RelativePattern(folder, WATCHED));
		if (workspaceFile?.scheme === 'file') {
			const folder = vscode.Uri.joinPath(workspaceFile, '..');
			patterns.push(new vscode.RelativePattern(folder, workspaceFile.path.split('/').at(-1) ?? ''));
		}
		this.#watchers = patterns.flatMap((pattern) => {
			const watcher = vscode.workspace.createFileSystemWatcher(pattern);
			return [watcher, watcher.onDidChange(reload), watcher.onDidCreate(reload), watcher.onDidDelete(reload)];
		});
	}
}

/** What settings say, as the editor reads them. */
function readSettings({ readContent, outerInputs }: Config, sources: readonly ConfigSource[]): SourceState[] {
	const states: SourceState[] = [];
	// The wider ones first, for their inputs.
	for (const kind of ['user', 'workspace', 'folder']) {
		for (const source of sources.filter((place) => place.kind === kind)) {
			const content = readContent(settingsAt(source), source.shape, outerInputs(source, states));
			states.push({ source, content, kept: false });
		}
	}
	return states;
}
