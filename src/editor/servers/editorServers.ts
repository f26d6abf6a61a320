import * as vscode from 'vscode';
import type { ServerDefinition } from '../../config/definition.ts';
import { SHAPES, type Shape } from '../../config/shape.ts';
import type { Config } from '../common/loadConfig.ts';
import { textOf } from '../common/textOf.ts';
import type { UserSettings } from '../common/userSettings.ts';
import { type ConfigSource, fileIn } from './configSource.ts';
import { variablesOf } from './variables.ts';

/** A server that the editor itself runs for its chats. */
interface EditorServer {
	readonly place: ConfigSource;
	/** With the values of its variables. */
	readonly definition: ServerDefinition;
}

/** Where the editor looks for servers of its own: in each workspace folder, beside the user's settings, and on the remote machine. */
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

/** What these places define, as far as it can be read: what is wrong there, the editor says. */
export async function readEditorServers(config: Config, places: readonly ConfigSource[]): Promise<EditorServer[]> {
	const found = await Promise.all(
		places.map(async (place) => {
			const { text } = await textOf(place.file);
			const servers = text === undefined ? [] : config.readText(text, place.shape).servers;
			const values = variablesOf(place);
			return servers.map((each) => ({ place, definition: config.effectiveDefinition(each, values).definition }));
		}),
	);
	return found.flat();
}

/**
 * Where the editor has the same server as this one, under whatever name.
 * @param source where its definition stands, with the values of its variables
 */
export function editorPlaceOf(
	{ effectiveDefinition, sameServer }: Config,
	source: ConfigSource,
	definition: ServerDefinition,
	servers: readonly EditorServer[],
): ConfigSource | undefined {
	const own = effectiveDefinition(definition, variablesOf(source)).definition;
	return servers.find((each) => sameServer(each.definition, own))?.place;
}
