import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { relative, sep } from 'node:path';
import { own } from '../elicitation/json.ts';
import { parsedJson } from '../elicitation/jsonText.ts';
import { firstLine, PATIENCE } from './firstLine.ts';
import { type Hello, type OpenWindow, openWindows } from './openWindows.ts';

/** What is looked for. */
export interface Wanted extends Pick<Hello, 'server' | 'folder' | 'program'> {
	/** True if only a window with this folder, or one above it, will do. */
	readonly onlyHere: boolean;
}

/**
 * Connects to the window that offers a server; what it says next waits until the socket is resumed. Resolves to undefined if no window
 * offers it, and rejects with the reason that one gives for refusing.
 */
export async function linkTo(wanted: Wanted): Promise<Socket | undefined> {
	const offering = (await openWindows()).filter(({ servers }) => servers.includes(wanted.server));
	const isHere = (window: OpenWindow) => window.folders.some((folder) => contains(folder, wanted.folder));
	const here = offering.filter(isHere);
	const others = wanted.onlyHere ? [] : offering.filter((window) => !isHere(window));
	for (const window of [...here, ...others]) {
		const socket = await greet(window, wanted);
		if (socket) {
			return socket;
		}
	}
	return undefined;
}

function contains(folder: string, inner: string): boolean {
	const path = relative(folder, inner);
	return path !== '..' && !path.startsWith(`..${sep}`) && !/^[a-z]:/i.test(path);
}

/** Undefined if the window is gone. */
async function greet(
	{ address, secret }: OpenWindow,
	{ server, folder, program }: Wanted,
): Promise<Socket | undefined> {
	const socket = connect(address);
	try {
		await once(socket, 'connect', { signal: AbortSignal.timeout(PATIENCE) });
	} catch {
		socket.destroy();
		return undefined;
	}
	socket.on('error', () => {});
	const hello: Hello = { version: 1, purpose: 'connect', secret, server, folder, program };
	socket.write(`${JSON.stringify(hello)}\n`);
	const reply = await firstLine(socket);
	const error = own(parsedJson(reply ?? ''), 'error');
	if (reply === undefined || typeof error === 'string') {
		socket.destroy();
	}
	if (typeof error === 'string') {
		throw new Error(error);
	}
	return reply === undefined ? undefined : socket;
}
