import { ProtocolError } from '@modelcontextprotocol/client';
import { type Json, own } from '../../elicitation/json.ts';

/**
 * What the official SDKs and their examples return for an unknown session, verbatim, before they process the request.
 * Some send plain text, some a JSON-RPC error.
 */
const UNKNOWN_SESSION = new Set([
	'Bad Request: No valid session ID provided',
	'Bad Request: Server not initialized',
	'Invalid or missing session ID',
]);

/**
 * True if a status means that the server no longer knows the session and didn't process the request, so that the call
 * can be sent again. That is status 404 (transports, session management). Status 400 could also come from a tool that
 * has run, so only known bodies without a request id count.
 * @param text the body
 */
export function isSessionUnknown(status: unknown, text: unknown): boolean {
	return status === 404 || (status === 400 && typeof text === 'string' && UNKNOWN_SESSION.has(messageIn(text)));
}

/**
 * The status and the body of the HTTP response that an error is about. The `data` of a JSON-RPC error is the server's own,
 * and may look the same: that of a tool which has run and forwards the status of another server.
 */
export function responseIn(error: unknown): { readonly status: unknown; readonly text: unknown } {
	const data = error instanceof ProtocolError ? undefined : own(error, 'data');
	return { status: own(data, 'status'), text: own(data, 'text') };
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
