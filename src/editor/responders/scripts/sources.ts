import * as vscode from 'vscode';
import type { JsonPath } from '../../../config/problem.ts';
import type { ScriptedAnswer } from '../../../elicitation/script.ts';
import { fullId } from '../../common/contributions.ts';
import { type Config, loadConfig } from '../../common/loadConfig.ts';
import { Reading } from '../../common/reading.ts';
import { onDidChangeSetting } from '../../common/settings.ts';
import { textOf } from '../../common/textOf.ts';
import { isUserSettings, userSettings } from '../../common/userSettings.ts';
import {
	type ConfigSource,
	configSourcesOf,
	fromWorkspace,
	isSettings,
	settingAt,
	sourceText,
} from '../../servers/configSource.ts';

/** The folder of a workspace folder whose files hold scripted answers. */
export const FOLDER = '.mcp/elicitations';

/** A place in which scripted answers are written: a file of their own, or settings. */
export interface ScriptSource {
	/** Tells it apart from every other place; in agreements, too. */
	readonly uri: string;
	/** In words. */
	readonly name: string;
	/** Where it is known which one it is. */
	readonly file: vscode.Uri | undefined;
	/** Where in the file they stand; nowhere where there is nothing else in it. */
	readonly at: JsonPath;
	/** It came with the workspace, and not from the user. */
	readonly ofWorkspace: boolean;
	readonly answers: readonly ScriptedAnswer[];
	/** The text of the file, where it could be read. */
	readonly text?: string;
	/** Why the file could not be read. */
	readonly failure?: string;
}

/** The user's own settings count first, because no workspace may override them; then the narrower places. */
const ORDER = ['user', 'folder', 'workspace', 'file'];

/** Everything that is scripted anywhere, kept up to date. */
export class ScriptSources implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #disposables: vscode.Disposable[];
	#watchers: vscode.Disposable[] = [];
	#sources: readonly ScriptSource[] = [];
	readonly #reading = new Reading(() => this.#read());

	readonly onDidChange = this.#changed.event;

	constructor(private readonly globalStorageUri: vscode.Uri) {
		const reload = () => void this.reload();
		const watch = () => {
			this.#watch(reload);
			reload();
		};
		this.#disposables = [
			this.#changed,
			onDidChangeSetting(['answers'], reload),
			vscode.workspace.onDidGrantWorkspaceTrust(reload),
			vscode.workspace.onDidChangeWorkspaceFolders(watch),
			vscode.workspace.onDidOpenTextDocument(({ uri }) => {
				if (isUserSettings(uri)) {
					reload();
				}
			}),
		];
		watch();
	}

	/** In the order in which they count; those without any answer, too. */
	get all(): readonly ScriptSource[] {
		return this.#sources;
	}

	/** Resolves when nothing is being read any more. */
	get settled(): Promise<void> {
		return this.#reading.settled;
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

	async #read(): Promise<void> {
		const config = await loadConfig();
		const settings = configSourcesOf(await userSettings(this.globalStorageUri)).filter(isSettings);
		const read = await Promise.all([
			...settings.map(async (place) => ({ kind: place.kind as string, source: await ofSettings(config, place) })),
			...(await scriptFiles()).map(async (file) => ({ kind: 'file', source: await ofFile(config, file) })),
		]);
		// Where several have the same rank, they keep their order.
		read.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
		this.#sources = read.map(({ source }) => source);
		this.#changed.fire();
	}

	#watch(reload: () => void): void {
		for (const watcher of this.#watchers) {
			watcher.dispose();
		}
		this.#watchers = (vscode.workspace.workspaceFolders ?? []).flatMap((folder) => {
			const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, `${FOLDER}/*.json`));
			return [watcher, watcher.onDidChange(reload), watcher.onDidCreate(reload), watcher.onDidDelete(reload)];
		});
	}
}

/** The name of a file of scripts, as part of a sentence. */
export function fileName(file: vscode.Uri): string {
	return vscode.workspace.asRelativePath(file);
}

/** The files of scripted answers in all workspace folders. What is in an untrusted workspace is not even looked at. */
async function scriptFiles(): Promise<vscode.Uri[]> {
	const { isTrusted, workspaceFolders = [], fs: files } = vscode.workspace;
	const found = await Promise.all(
		(isTrusted ? workspaceFolders : []).map(async ({ uri }) => {
			const folder = vscode.Uri.joinPath(uri, FOLDER);
			// Older editors complain in their log of a folder that is read and is not there.
			const entries = await files
				.stat(folder)
				.then(() => files.readDirectory(folder))
				.then(undefined, () => []);
			const names = entries.flatMap(([name]) => (name.endsWith('.json') ? [name] : []));
			return names.sort().map((name) => vscode.Uri.joinPath(folder, name));
		}),
	);
	return found.flat();
}

async function ofSettings({ readAnswers }: Config, place: ConfigSource): Promise<ScriptSource> {
	const { uri, file, shape } = place;
	const raw = settingAt(place, 'answers');
	const { text } = raw === undefined ? {} : await textOf(file);
	return {
		uri,
		name: sourceText(place),
		file,
		at: [...shape.servers.slice(0, -1), fullId('answers')],
		ofWorkspace: fromWorkspace(place),
		answers: readAnswers(raw).answers,
		...(text !== undefined && { text }),
	};
}

async function ofFile({ readAnswers, readAnswersText }: Config, file: vscode.Uri): Promise<ScriptSource> {
	const { text, failure } = await textOf(file);
	return {
		uri: String(file),
		name: fileName(file),
		file,
		at: [],
		ofWorkspace: true,
		// Like one that is no JSON, a file that cannot be read leaves every question to the user.
		answers: failure === undefined ? readAnswersText(text ?? '') : readAnswers(null).answers,
		...(text !== undefined && { text }),
		...(failure !== undefined && { failure }),
	};
}
