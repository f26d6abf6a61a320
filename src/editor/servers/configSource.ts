import * as vscode from 'vscode';
import { SHAPES } from '../../config/shape.ts';
import { SECTION } from '../common/contributions.ts';
import { localize } from '../common/localize.ts';
import type { ConfigSource, Source } from '../common/serverEntry.ts';
import { setting } from '../common/settings.ts';
import type { UserSettings } from '../common/userSettings.ts';

/** Files in a workspace folder that other programs read, too. */
const MCP_JSON = '.vscode/mcp.json';
const SHARED = '.mcp.json';

/** Ids of the user settings: on the machine with the screen, and on the remote machine. */
const LOCAL = 'user';
const REMOTE = 'remote';

/** What is watched in each workspace folder. Of a folder that is renamed or deleted, what was in it is not reported. */
export const WATCHED = `{.vscode,${MCP_JSON},${SHARED},.vscode/settings.json}`;

/** The workspace folder that variables and relative paths of a definition are based on. */
export function folderOf(source: Source): vscode.WorkspaceFolder | undefined {
	return source.kind === 'demo' ? undefined : source.folder;
}

/** True if it came with the workspace and not from the user. */
export function fromWorkspace({ kind }: Source): boolean {
	return kind !== 'user' && kind !== 'demo';
}

/** All config sources. Untrusted workspaces are not read. */
export function configSourcesOf({ local, remote }: UserSettings): ConfigSource[] {
	const { workspaceFile, workspaceFolders: folders = [], isTrusted } = vscode.workspace;
	const [first] = folders;
	const own = { kind: 'user', folder: first, shape: SHAPES.settings } as const;
	// As for all settings, those of the remote machine override the local ones.
	const sources: ConfigSource[] = remote ? [{ ...own, uri: REMOTE, file: remote }] : [];
	sources.push({ ...own, uri: LOCAL, file: local });
	if (!isTrusted) {
		return sources;
	}
	if (workspaceFile) {
		const file = workspaceFile.scheme === 'untitled' ? undefined : workspaceFile;
		sources.push({ kind: 'workspace', uri: String(workspaceFile), folder: first, shape: SHAPES.codeWorkspace, file });
	} else if (first) {
		const file = settingsOf(first);
		sources.push({ kind: 'workspace', uri: String(first.uri), folder: first, shape: SHAPES.settings, file });
	}
	for (const folder of folders) {
		if (workspaceFile) {
			const file = settingsOf(folder);
			sources.push({ kind: 'folder', uri: String(folder.uri), folder, shape: SHAPES.settings, file });
		}
		if (setting('discoverMcpJson', folder)) {
			sources.push(fileIn(folder, 'mcpJson'), fileIn(folder, 'shared'));
		}
	}
	return sources;
}

/** A file of this kind in a workspace folder, whether or not it exists. */
export function fileIn(folder: vscode.WorkspaceFolder, kind: 'mcpJson' | 'shared'): ConfigSource {
	const file = vscode.Uri.joinPath(folder.uri, kind === 'mcpJson' ? MCP_JSON : SHARED);
	return { kind, uri: String(file), folder, shape: SHAPES[kind], file };
}

function settingsOf(folder: vscode.WorkspaceFolder): vscode.Uri {
	return vscode.Uri.joinPath(folder.uri, '.vscode', 'settings.json');
}

/** What VS Code returns for a setting, including the parts of the user settings that its types omit. */
type Inspected = ReturnType<vscode.WorkspaceConfiguration['inspect']> & {
	readonly globalLocalValue?: unknown;
	readonly globalRemoteValue?: unknown;
};

/**
 * Settings of this source before others override them, in the shape of its document.
 * @param inputs the source of the inputs, if it is another one
 */
export function settingsAt(source: ConfigSource, inputs = source): Record<string, unknown> {
	const { shape } = source;
	const members = Object.fromEntries([
		[shape.servers.at(-1), settingAt(source, 'servers')],
		[shape.inputs.at(-1), settingAt(inputs, 'inputs')],
	]);
	return shape.servers.length > 1 ? { [String(shape.servers[0])]: members } : members;
}

/** One setting of this source before others override it. */
export function settingAt({ kind, uri, folder }: ConfigSource, key: 'servers' | 'inputs' | 'answers'): unknown {
	const configuration = vscode.workspace.getConfiguration(SECTION, kind === 'folder' ? folder?.uri : undefined);
	const inspected = configuration.inspect(key) as Inspected;
	switch (kind) {
		case 'folder':
			return inspected?.workspaceFolderValue;
		case 'workspace':
			return inspected?.workspaceValue;
		default:
			return uri === REMOTE
				? inspected?.globalRemoteValue
				: (inspected?.globalLocalValue ?? (vscode.env.remoteName ? undefined : inspected?.globalValue));
	}
}

/** Where VS Code writes one of the user's settings: on the remote machine if it is set there already, else locally. */
export function writtenUri(key: 'servers' | 'inputs'): string {
	const inspected = vscode.workspace.getConfiguration(SECTION).inspect(key) as Inspected;
	return inspected?.globalRemoteValue === undefined ? LOCAL : REMOTE;
}

/** True for the user settings on the remote machine, in a remote window. */
export function isRemote({ uri }: ConfigSource): boolean {
	return uri === REMOTE;
}

/** True for settings, whose values VS Code reads. */
export function isSettings({ kind }: ConfigSource): boolean {
	return kind === 'folder' || kind === 'workspace' || kind === 'user';
}

/** Name of a config source, for use in a sentence. */
export function sourceText(source: Source): string {
	const several = (vscode.workspace.workspaceFolders?.length ?? 0) > 1;
	switch (source.kind) {
		case 'demo':
			return localize('this extension');
		case 'user':
			if (source.shape === SHAPES.mcpJson) {
				return localize('your mcp.json');
			}
			return isRemote(source) ? localize('your remote settings') : localize('your settings');
		case 'workspace':
			return localize('the settings of this workspace');
		case 'folder':
			return localize('the settings of the folder {0}', source.folder?.name ?? '');
		case 'mcpJson':
		case 'shared': {
			const name = source.kind === 'mcpJson' ? MCP_JSON : SHARED;
			return several ? `${source.folder?.name}/${name}` : name;
		}
	}
}
