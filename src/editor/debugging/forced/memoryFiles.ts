import * as vscode from 'vscode';
import { RESPONSE_SCHEME } from '../../common/contributions.ts';

/** VS Code saves files with this extension, to memory, on each change: see `configurationDefaults` in package.json. */
export const EXTENSION = '.mcp-answer.json';

interface MemoryFile {
	readonly bytes: Uint8Array;
	readonly mtime: number;
}

/**
 * Editable documents that exist only in memory. VS Code writes a backup of any document that stays unsaved for about 2
 * s, so these are saved immediately.
 */
export class MemoryFiles implements vscode.FileSystemProvider, vscode.Disposable {
	readonly #files = new Map<string, MemoryFile>();
	readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
	readonly onDidChangeFile = this.#changed.event;
	// Must come last, because VS Code subscribes immediately.
	readonly #registration = vscode.workspace.registerFileSystemProvider(RESPONSE_SCHEME, this, {
		isCaseSensitive: true,
	});

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

	/** Nothing else changes these files. */
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
