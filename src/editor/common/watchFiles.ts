import * as vscode from 'vscode';

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
