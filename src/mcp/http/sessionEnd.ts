import { type Json, own } from '../../elicitation/json.ts';

/**
 * What the official SDKs and their examples say, word for word, before they have looked at a request whose session they do not
 * know: some in plain text, some in an error of JSON-RPC.
 */
const UNKNOWN_SESSION = new Set([
	'Bad Request: No valid session ID provided',
	'Bad Request: Server not initialized',
	'Invalid or missing session ID',
]);

/**
 * Whether a refusal means that the server no longer knows the session, and so has done nothing about the request: calls are
 * sent once more then. That is status 404 (transports, session management). A status of 400 may as well be the answer of a tool that
 * has run, whatever words are in it: only known ones count, and only without the id of a request, which nobody has read who
 * refuses it for its session.
 * @param text the body
 */
export function isSessionUnknown(status: unknown, text: unknown): boolean {
	return status === 404 || (status === 400 && typeof text === 'string' && UNKNOWN_SESSION.has(messageIn(text)));
}

function messageIn(text: string): string {
	let body: Json;
	try {
		body = JSON.parse(text);
	} catch {
		return text.trim();
	}
	const message = own(own(body, 'error'), 'message');
	return (own(body, 'id') ?? null) === null && typeof message === 'string' ? message : '';
}
