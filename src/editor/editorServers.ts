import * as vscode from 'vscode';
import type { ServerDefinition } from '../config/definition.ts';
import { SHAPES, type Shape } from '../config/shape.ts';
import type { Config } from './loadConfig.ts';
import { fileIn, type Place } from './places.ts';
import { textOf } from './textOf.ts';
import type { UserSettings } from './userSettings.ts';
import { variablesOf } from './variables.ts';

/** A server that the editor itself runs for its chats. */
export interface EditorServer {
	readonly place: Place;
	readonly definition: ServerDefinition;
}

/** Where the editor looks for servers of its own: in each workspace folder, beside the person's settings, and on the remote machine. */
export function editorPlaces({ local, remote }: UserSettings): Place[] {
	const { isTrusted, workspaceFolders: folders = [] } = vscode.workspace;
	const shape: Shape = SHAPES.mcpJson;
	const files = [
		...(local ? [vscode.Uri.joinPath(local, '..', 'mcp.json')] : []),
		...(remote ? [vscode.Uri.joinPath(remote, '..', '..', 'User', 'mcp.json')] : []),
	];
	const own = files.map((file): Place => ({ kind: 'user', uri: String(file), folder: folders[0], shape, file }));
	return [...(isTrusted ? folders.map((folder) => fileIn(folder, 'mcpJson')) : []), ...own];
}

/** What these places define, as far as it can be read: what is wrong there, the editor says. */
export async function readEditorServers(config: Config, places: readonly Place[]): Promise<EditorServer[]> {
	const found = await Promise.all(
		places.map(async (place) => {
			const { text } = await textOf(place.file);
			const servers = text === undefined ? [] : config.readText(text, place.shape).servers;
			return servers.map((definition) => ({ place, definition }));
		}),
	);
	return found.flat();
}

/** Where the editor has the same server as this one, under whatever name. */
export function editorPlaceOf(
	{ effectiveDefinition, sameServer }: Config,
	{ place, definition }: EditorServer,
	servers: readonly EditorServer[],
): Place | undefined {
	const resolved = (each: EditorServer) => effectiveDefinition(each.definition, variablesOf(each.place)).definition;
	const own = resolved({ place, definition });
	return servers.find((each) => sameServer(resolved(each), own))?.place;
}
