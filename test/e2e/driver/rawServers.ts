import { type HttpOptions, RawHttpServer } from '../../rawServer/http.ts';
import type { RawServer, RawServerOptions, Wire } from '../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../rawServer/stdio.ts';
import type { Editor } from './editor.ts';
import { callTool } from './flows.ts';
import type { Definition } from './servers.ts';

/** A server that sends the messages that the test writes, without an SDK. */
export type { RawServer };

const opened: RawServer[] = [];

/** Opens a raw server. It is closed at the end of the file. */
export async function openRawServer(transport: 'stdio', options?: RawServerOptions): Promise<RawStdioServer>;
export async function openRawServer(transport: 'http', options?: HttpOptions): Promise<RawHttpServer>;
export async function openRawServer(transport: 'stdio' | 'http', options?: HttpOptions): Promise<RawServer> {
	const server = await (transport === 'stdio' ? RawStdioServer.open(options) : RawHttpServer.open(options));
	opened.push(server);
	return server;
}

export async function closeRawServers(): Promise<void> {
	await Promise.all(opened.splice(0).map((server) => server.close()));
}

/** The definitions of raw servers by configured name. */
export function definitionsOf(
	rawServers: Readonly<Record<string, Pick<RawServer, 'definition'>>>,
): Record<string, Definition> {
	return Object.fromEntries(Object.entries(rawServers).map(([name, { definition }]) => [name, definition]));
}

/** Calls the tool `act` of a raw server from the UI. Resolves to the request once the server has received it. */
export async function callRawServer<Name extends string>(
	editor: Editor,
	rawServers: Readonly<Record<Name, RawServer>>,
	server: Name,
): Promise<Wire> {
	await callTool(editor, { server, tool: 'act' });
	return rawServers[server].expect('tools/call');
}
