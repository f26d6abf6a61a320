import * as vscode from 'vscode';
import { watchFiles } from '../../common/files.ts';
import type { ServerEntry } from '../../common/serverEntry.ts';
import { folderOf } from '../../servers/configSource.ts';
import type { Servers } from '../../servers/servers.ts';

/** How long no file must change before a server is restarted: a build writes many (ms). */
const QUIET = 300;

/** Restarts servers when files change that `dev.watch` of their definitions names. */
export class FileWatchers implements vscode.Disposable {
	readonly #watched = new Map<string, { readonly key: string; readonly disposable: vscode.Disposable }>();
	readonly #disposable: vscode.Disposable;

	/** @param changed called with the server, after a pause without changes; never while it is stopped */
	constructor(
		private readonly servers: Servers,
		private readonly changed: (server: string) => void,
	) {
		this.#disposable = servers.onDidChange(() => this.#update());
		this.#update();
	}

	dispose(): void {
		this.#disposable.dispose();
		for (const { disposable } of this.#watched.values()) {
			disposable.dispose();
		}
	}

	#update(): void {
		const wanted = new Map<string, Watch>();
		for (const entry of this.servers.entries) {
			const watch = watchOf(entry);
			if (watch) {
				wanted.set(entry.configured.name, watch);
			}
		}
		for (const [server, { key, disposable }] of this.#watched) {
			if (wanted.get(server)?.key !== key) {
				disposable.dispose();
				this.#watched.delete(server);
			}
		}
		for (const [server, { key, folder, globs }] of wanted) {
			if (!this.#watched.has(server)) {
				this.#watched.set(server, { key, disposable: watch(folder, globs, () => this.changed(server)) });
			}
		}
	}
}

interface Watch {
	readonly key: string;
	readonly folder: vscode.WorkspaceFolder;
	readonly globs: readonly string[];
}

/** What to watch for a server; undefined while it is stopped. */
function watchOf({ configured: { definition, source }, state, temporaryFor }: ServerEntry): Watch | undefined {
	const globs = definition?.dev?.watch ?? [];
	const folder = folderOf(source) ?? vscode.workspace.workspaceFolders?.[0];
	return folder && globs.length > 0 && state !== 'stopped' && temporaryFor === undefined
		? { key: JSON.stringify([String(folder.uri), globs]), folder, globs }
		: undefined;
}

/** The editor matches all globs; it tells every watcher of a change at the same time, so those that exclude it, too. */
function watch(folder: vscode.WorkspaceFolder, globs: readonly string[], changed: () => void): vscode.Disposable {
	const included = new Set<string>();
	const excluded = new Set<string>();
	let timer: ReturnType<typeof setTimeout> | undefined;
	const settle = () => {
		if (![...included].every((file) => excluded.has(file))) {
			changed();
		}
		included.clear();
		excluded.clear();
	};
	const watchers = globs.map((glob) => {
		const files = glob.startsWith('!') ? excluded : included;
		return watchFiles([new vscode.RelativePattern(folder, glob.replace(/^!/, ''))], (file) => {
			files.add(String(file));
			clearTimeout(timer);
			timer = setTimeout(settle, QUIET);
		});
	});
	return vscode.Disposable.from(...watchers, new vscode.Disposable(() => clearTimeout(timer)));
}
