import * as vscode from 'vscode';
import { readAnswers } from '../../../config/answers.ts';
import { readAnswersText } from '../../../config/answersText.ts';
import type { JsonPath } from '../../../config/problem.ts';
import type { ScriptedAnswer } from '../../../elicitation/script.ts';
import { fullId } from '../../common/contributions.ts';
import { readText, watchFiles } from '../../common/files.ts';
import { Reloader } from '../../common/scheduling.ts';
import type { ConfigSource } from '../../common/serverEntry.ts';
import { onDidChangeSetting } from '../../common/settings.ts';
import { isUserSettings, userSettings } from '../../common/userSettings.ts';
import { configSourcesOf, fromWorkspace, isSettings, settingAt, sourceText } from '../../servers/configSource.ts';

/** Folder with files of scripted answers, in each workspace folder. */
export const FOLDER = '.mcp/elicitations';

/** What is watched in each workspace folder. Of a folder that is renamed or deleted, what was in it is not reported. */
const WATCHED = `{.mcp,${FOLDER},${FOLDER}/*.json}`;

/** A source of scripted answers: a file, or settings. */
export interface ScriptSource {
	/** Unique id, also used to store consent. */
	readonly uri: string;
	/** Display name. */
	readonly name: string;
	/** Undefined if the path is unknown. */
	readonly file: vscode.Uri | undefined;
	/** Path of the answers within the file; empty if the file has nothing else. */
	readonly at: JsonPath;
	/** True if it came with the workspace and not from the user. */
	readonly ofWorkspace: boolean;
	readonly answers: readonly ScriptedAnswer[];
	/** Text of the file, if it could be read. */
	readonly text?: string;
	/** Why the file could not be read. */
	readonly failure?: string;
}

/** Precedence: the user's own settings first, because no workspace may override them, then from narrow to wide. */
const ORDER = ['user', 'folder', 'workspace', 'file'];

/** All scripted answers, kept up to date. */
export class ScriptSources implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #disposable: vscode.Disposable;
	#watching: vscode.Disposable | undefined;
	#sources: readonly ScriptSource[] = [];
	readonly #reloader = new Reloader(() => this.#read());

	readonly onDidChange = this.#changed.event;

	constructor(private readonly globalStorageUri: vscode.Uri) {
		const reload = () => void this.reload();
		const watch = () => {
			this.#watch(reload);
			reload();
		};
		this.#disposable = vscode.Disposable.from(
			this.#changed,
			onDidChangeSetting(['answers'], reload),
			vscode.workspace.onDidGrantWorkspaceTrust(reload),
			vscode.workspace.onDidChangeWorkspaceFolders(watch),
			vscode.workspace.onDidOpenTextDocument(({ uri }) => {
				if (isUserSettings(uri)) {
					reload();
				}
			}),
		);
		watch();
	}

	/** By precedence, including sources without any answer. */
	get all(): readonly ScriptSource[] {
		return this.#sources;
	}

	/** Resolves when no load is running or queued. */
	get settled(): Promise<void> {
		return this.#reloader.settled;
	}

	/** Reads all sources again. */
	reload(): Promise<void> {
		return this.#reloader.reload();
	}

	dispose(): void {
		this.#disposable.dispose();
		this.#watching?.dispose();
	}

	async #read(): Promise<void> {
		const settings = configSourcesOf(await userSettings(this.globalStorageUri)).filter(isSettings);
		const read = await Promise.all([
			...settings.map(async (source) => ({ kind: source.kind as string, source: await ofSettings(source) })),
			...(await scriptFiles()).map(async (file) => ({ kind: 'file', source: await ofFile(file) })),
		]);
		// The sort is stable, so sources of equal rank keep their order.
		read.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
		this.#sources = read.map(({ source }) => source);
		this.#changed.fire();
	}

	#watch(reload: () => void): void {
		this.#watching?.dispose();
		const folders = vscode.workspace.workspaceFolders ?? [];
		this.#watching = watchFiles(
			folders.map((folder) => new vscode.RelativePattern(folder, WATCHED)),
			reload,
		);
	}
}

/** File name of scripts, for use in a sentence. */
export function fileName(file: vscode.Uri): string {
	return vscode.workspace.asRelativePath(file);
}

/** Files of scripted answers in all workspace folders. Untrusted workspaces are not read. */
async function scriptFiles(): Promise<vscode.Uri[]> {
	const { isTrusted, workspaceFolders = [], fs: files } = vscode.workspace;
	const found = await Promise.all(
		(isTrusted ? workspaceFolders : []).map(async ({ uri }) => {
			const folder = vscode.Uri.joinPath(uri, FOLDER);
			// Older versions of VS Code log an error when a folder that is read does not exist.
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

async function ofSettings(source: ConfigSource): Promise<ScriptSource> {
	const { uri, file, shape } = source;
	const raw = settingAt(source, 'answers');
	const { text } = raw === undefined ? {} : await readText(file);
	return {
		uri,
		name: sourceText(source),
		file,
		at: [...shape.servers.slice(0, -1), fullId('answers')],
		ofWorkspace: fromWorkspace(source),
		answers: readAnswers(raw).answers,
		...(text !== undefined && { text }),
	};
}

async function ofFile(file: vscode.Uri): Promise<ScriptSource> {
	const { text, failure } = await readText(file);
	return {
		uri: String(file),
		name: fileName(file),
		file,
		at: [],
		ofWorkspace: true,
		// An unreadable file is treated like invalid JSON: it leaves every elicitation to the user.
		answers: failure === undefined ? readAnswersText(text ?? '') : readAnswers(null).answers,
		...(text !== undefined && { text }),
		...(failure !== undefined && { failure }),
	};
}
