import type { Readable, Writable } from 'node:stream';
import { serveHttp } from './http.ts';
import { openRecording } from './openRecording.ts';
import { type Served, serveStdio } from './stdio.ts';

export type ServeOptions = {
	/** Which server of the recording; may be omitted if there is only one. */
	readonly server?: string | undefined;
} & (
	| {
			readonly transport: 'stdio';
			/** Standard input and output unless given. */
			readonly input?: Readable;
			readonly output?: Writable;
	  }
	| {
			readonly transport: 'http';
			/** Any free port unless given. It is only reachable from this machine. */
			readonly port?: number;
	  }
);

export interface ServedRecording extends Served {
	/** The recorded server. */
	readonly server: string;
	/** Number of lines of the recording that hold no message. */
	readonly unreadable: number;
	/** True if the recording ends in the middle of a line. */
	readonly cutOff: boolean;
	/** The endpoint; undefined over stdio. */
	readonly url?: string;
}

/**
 * Serves a recording: a mock server that does what the recorded server did.
 * @param file an exported timeline, as JSON Lines
 * @throws Error that can be shown to the user, if there is nothing to serve or the server has to be chosen; or of the
 * operating system, if the port is taken
 */
export async function serveRecording(file: Uint8Array, options: ServeOptions): Promise<ServedRecording> {
	const { server, unreadable, cutOff } = openRecording(file, options.server);
	const served =
		options.transport === 'http'
			? await serveHttp(server, options.port ?? 0)
			: serveStdio(server, options.input, options.output);
	return { server: server.name, unreadable, cutOff, ...served };
}
