import * as vscode from 'vscode';

export const SCHEME = 'mcp-elicitation-answer';

/** Files with it are saved, into memory, as they are written: see `configurationDefaults` in package.json. */
export const EXTENSION = '.mcp-answer.json';

interface MemoryFile {
	readonly bytes: Uint8Array;
	readonly mtime: number;
}

/**
 * Documents that can be edited, and are nowhere but in memory. The editor backs up every document, of whatever scheme, that is
 * unsaved for some two seconds: these are saved at once.
 */
export class MemoryFiles implements vscode.FileSystemProvider, vscode.Disposable {
	readonly #files = new Map<string, MemoryFile>();
	readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
	readonly onDidChangeFile = this.#changed.event;
	// Last: the editor listens at once.
	readonly #registration = vscode.workspace.registerFileSystemProvider(SCHEME, this, { isCaseSensitive: true });

	put(uri: vscode.Uri, text: string): void {
		this.writeFile(uri, new TextEncoder().encode(text));
	}

	stat(uri: vscode.Uri): vscode.FileStat {
		const { bytes, mtime } = this.#file(uri);
		return { type: vscode.FileType.File, ctime: mtime, mtime, size: bytes.length };
	}

	readFile(uri: vscode.Uri): Uint8Array {
		return this.#file(uri).bytes;
	}

	writeFile(uri: vscode.Uri, bytes: Uint8Array): void {
		this.#files.set(String(uri), { bytes, mtime: Date.now() });
	}

	delete(uri: vscode.Uri): void {
		this.#files.delete(String(uri));
	}

	/** Nobody else changes them. */
	watch(): vscode.Disposable {
		return new vscode.Disposable(() => {});
	}

	readDirectory(): [string, vscode.FileType][] {
		return [];
	}

	createDirectory(uri: vscode.Uri): void {
		throw vscode.FileSystemError.NoPermissions(uri);
	}

	rename(uri: vscode.Uri): void {
		throw vscode.FileSystemError.NoPermissions(uri);
	}

	dispose(): void {
		this.#registration.dispose();
		this.#changed.dispose();
	}

	#file(uri: vscode.Uri): MemoryFile {
		const file = this.#files.get(String(uri));
		if (!file) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		return file;
	}
}
