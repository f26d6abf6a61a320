import * as vscode from 'vscode';
import type { ServerDefinition } from '../../config/definition.ts';
import { sameServer } from '../../config/fingerprint.ts';
import { effectiveDefinition } from '../../config/launch.ts';
import { SHAPES, type Shape } from '../../config/shape.ts';
import { readContentText } from '../../config/text.ts';
import { readText } from '../common/files.ts';
import type { ConfigSource } from '../common/serverEntry.ts';
import type { UserSettings } from '../common/userSettings.ts';
import { fileIn } from './configSource.ts';
import { inFolder, variablesOf } from './variables.ts';

/** A server that VS Code runs for its chat. */
interface EditorServer {
	readonly source: ConfigSource;
	/** With variables and the working directory resolved. */
	readonly definition: ServerDefinition;
}

/**
 * Config sources of VS Code's own servers: in each workspace folder, next to the user settings, and on the remote
 * machine.
 */
export function editorSources({ local, remote }: UserSettings): ConfigSource[] {
	const { isTrusted, workspaceFolders: folders = [] } = vscode.workspace;
	const shape: Shape = SHAPES.mcpJson;
	const files = [
		...(local ? [vscode.Uri.joinPath(local, '..', 'mcp.json')] : []),
		...(remote ? [vscode.Uri.joinPath(remote, '..', '..', 'User', 'mcp.json')] : []),
	];
	const own = files.map((file): ConfigSource => ({ kind: 'user', uri: String(file), folder: folders[0], shape, file }));
	return [...(isTrusted ? folders.map((folder) => fileIn(folder, 'mcpJson')) : []), ...own];
}

/** Reads the definitions in these sources. Problems are ignored, because VS Code reports them. */
export async function readEditorServers(sources: readonly ConfigSource[]): Promise<EditorServer[]> {
	const found = await Promise.all(
		sources.map(async (source) => {
			const { text } = await readText(source.file);
			const servers = text === undefined ? [] : readContentText(text, source.shape).servers;
			const values = variablesOf(source);
			return servers.map((each) => ({
				source,
				definition: inFolder(effectiveDefinition(each, values).definition, source),
			}));
		}),
	);
	return found.flat();
}

/**
 * The config source in which VS Code has the same server, under any name.
 * @param source source of the definition, whose variables are resolved
 */
export function editorSourceOf(
	source: ConfigSource,
	definition: ServerDefinition,
	servers: readonly EditorServer[],
): ConfigSource | undefined {
	const own = inFolder(effectiveDefinition(definition, variablesOf(source)).definition, source);
	return servers.find((each) => sameServer(each.definition, own))?.source;
}
