import type { Socket } from 'node:net';
import { INVALID_REQUEST, PARSE_ERROR } from '../elicitation/errorCodes.ts';
import { isObject, type JsonObject, own } from '../elicitation/json.ts';
import { parsedJson, writeJson } from '../elicitation/jsonText.ts';
import { isTooDeep } from '../elicitation/nesting.ts';
import { LineReader } from '../mcp/process/lineReader.ts';
import { BridgeSession, isInitializeRequest, wireError } from './bridgeSession.ts';
import type { BridgeHost } from './host.ts';

/** Max length of a message of a client (characters). */
const MAX_MESSAGE = 16 * 1024 * 1024;

/** A client as it names itself in its `initialize` request; texts of its own. */
export interface ClientInfo {
	readonly name: string;
	readonly version: string;
}

/**
 * Serves one client that speaks in lines of JSON, until either end closes the socket. Its calls end with it.
 * @param admit resolves to what the client may use, or rejects with the user-facing reason why it may use nothing
 */
export function serveLines(socket: Socket, server: string, admit: (client: ClientInfo) => Promise<BridgeHost>): void {
	let session: Promise<BridgeSession | undefined> | undefined;
	const send = (message: object) => void socket.write(`${writeJson(message)}\n`);
	const refuse = (id: unknown, code: number, message: string) =>
		send({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });

	const begin = async (message: JsonObject): Promise<BridgeSession | undefined> => {
		try {
			const host = await admit(clientOf(message));
			const connection = await host.connect(server);
			return new BridgeSession(host, server, connection, { send: async (each) => send(each), ended: () => {} });
		} catch (error) {
			send({ jsonrpc: '2.0', id: own(message, 'id') ?? null, error: wireError(error) });
			return undefined;
		}
	};
	const receive = async (message: JsonObject): Promise<void> => {
		if (isInitializeRequest(message)) {
			// A client that was refused may try again.
			if (await session) {
				refuse(own(message, 'id'), INVALID_REQUEST, 'The session is initialized already.');
				return;
			}
			session = begin(message);
		}
		const begun = await session;
		if (begun && !socket.destroyed) {
			begun.receive(message);
		} else if (!session && own(message, 'id') !== undefined && own(message, 'method') !== undefined) {
			refuse(own(message, 'id'), INVALID_REQUEST, 'A session begins with an "initialize" request.');
		}
	};
	new LineReader(socket, {
		maxLength: MAX_MESSAGE,
		onLine: (line) => {
			const message = parsedJson(line);
			if (isObject(message) && !isTooDeep(message)) {
				void receive(message);
			} else if (line.trim() !== '') {
				refuse(null, PARSE_ERROR, 'A line is no JSON object.');
			}
		},
		onTooLong: () => refuse(null, INVALID_REQUEST, `A message has more than ${MAX_MESSAGE} characters.`),
	});
	socket.once('close', async () => (await session)?.close());
}

function clientOf(initialize: JsonObject): ClientInfo {
	const info = own(own(initialize, 'params'), 'clientInfo');
	const [name, version] = ['name', 'version'].map((key) => own(info, key));
	return { name: typeof name === 'string' ? name : '', version: typeof version === 'string' ? version : '' };
}
