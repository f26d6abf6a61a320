import * as vscode from 'vscode';
import { readRegularFile, UnreadableFile } from '../../mcp/process/regularFile.ts';
import { localize } from './localize.ts';

/** Larger files with settings, definitions or scripts are not read (bytes). */
const MAX_TEXT = 16 * 1024 * 1024;

/**
 * Reads a regular file. Rejects with an `UnreadableFile`, or with an error of the file system.
 * @param most max size (bytes)
 */
export async function readBytes(file: vscode.Uri, most: number): Promise<Uint8Array> {
	// Through the file system of VS Code, each step would take the way to the window and back.
	if (file.scheme === 'file') {
		return readRegularFile(file.fsPath, most);
	}
	const { type, size } = await vscode.workspace.fs.stat(file);
	if ((type & vscode.FileType.File) === 0) {
		throw new UnreadableFile(type & vscode.FileType.Directory ? 'folder' : 'device');
	}
	const bytes = size > most ? undefined : await vscode.workspace.fs.readFile(file);
	if (bytes === undefined || bytes.length > most) {
		throw new UnreadableFile('large');
	}
	return bytes;
}

/** Text of a file, or the reason why it cannot be read. Neither if the file does not exist. */
export async function readText(file: vscode.Uri | undefined): Promise<{ text?: string; failure?: string }> {
	if (!file) {
		return {};
	}
	try {
		return { text: new TextDecoder().decode(await readBytes(file, MAX_TEXT)) };
	} catch (error) {
		return isMissing(error) || !(error instanceof Error) ? {} : { failure: unreadable(error, MAX_TEXT) };
	}
}

/** Why a file cannot be read, as a sentence. */
export function unreadable(error: Error, most: number): string {
	if (!(error instanceof UnreadableFile)) {
		return isMissing(error) ? localize('The file does not exist.') : error.message;
	}
	return error.why === 'large' ? localize('It is larger than {0} MB.', most / 2 ** 20) : localize('It is not a file.');
}

/** True if there is no file: nothing, or a folder. */
function isMissing(error: unknown): boolean {
	const { code } = error as { readonly code?: string };
	return (
		(error instanceof UnreadableFile && error.why === 'folder') ||
		['ENOENT', 'ENOTDIR', 'FileNotFound', 'FileIsADirectory', 'FileNotADirectory'].includes(code ?? '')
	);
}

/** True for a file or a folder that is there, as far as the editor can tell. */
export async function exists(uri: vscode.Uri): Promise<boolean> {
	return vscode.workspace.fs.stat(uri).then(
		() => true,
		() => false,
	);
}

/** Calls `changed` with each file that one of the patterns matches when it appears, changes, or goes. */
export function watchFiles(
	patterns: readonly vscode.RelativePattern[],
	changed: (file: vscode.Uri) => void,
): vscode.Disposable {
	const watchers = patterns.flatMap((pattern) => {
		const watcher = vscode.workspace.createFileSystemWatcher(pattern);
		return [watcher, watcher.onDidChange(changed), watcher.onDidCreate(changed), watcher.onDidDelete(changed)];
	});
	return vscode.Disposable.from(...watchers);
}

/**
 * Rejects, with an error that can be shown to the user, if a file or folder is a symbolic link, dangling or not. A link
 * in a workspace could redirect a write to anywhere.
 */
export async function refuseLinks(...uris: readonly vscode.Uri[]): Promise<void> {
	for (const uri of uris) {
		const type = await vscode.workspace.fs.stat(uri).then(
			(stat) => stat.type,
			() => vscode.FileType.Unknown,
		);
		if ((type & vscode.FileType.SymbolicLink) !== 0) {
			throw new Error(
				localize(
					'Nothing was written because {0} is a symbolic link to another location. Remove the link, then try again.',
					vscode.workspace.asRelativePath(uri),
				),
			);
		}
	}
}

/** The document of a file; undefined if there is none. Rejects if it cannot be read, and if it is a link that leads nowhere. */
export async function documentOf(file: vscode.Uri): Promise<vscode.TextDocument | undefined> {
	return vscode.workspace.openTextDocument(file).then(undefined, async (error) => {
		// A dangling link cannot be opened, but writing would follow it.
		await refuseLinks(file);
		// Writing would replace what it holds.
		if (await exists(file)) {
			throw new Error(localize('The file could not be read: {0}', error.message));
		}
		return undefined;
	});
}

/** Gives a file another text; a new one ends with a line break. Resolves to false if it could not be saved. */
export async function writeText(
	file: vscode.Uri,
	document: vscode.TextDocument | undefined,
	text: string,
): Promise<boolean> {
	if (!document) {
		await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(`${text}\n`));
		return true;
	}
	const edit = new vscode.WorkspaceEdit();
	edit.replace(file, new vscode.Range(0, 0, document.lineCount, 0), text);
	return (await vscode.workspace.applyEdit(edit)) && (await document.save());
}
