import * as vscode from 'vscode';
import { localize } from './localize.ts';

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
