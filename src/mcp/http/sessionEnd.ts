import { ProtocolError } from '@modelcontextprotocol/client';
import { type Json, own } from '../../elicitation/json.ts';

/**
 * How the errors of the official SDKs and their examples begin for a session or a revision that they don't know, which they
 * send before they process the request: as plain text, or as a JSON-RPC error.
 */
const UNKNOWN_SESSION = [
	'Bad Request: No valid session ID provided',
	'Bad Request: Missing session ID',
	'Bad Request: Mcp-Session-Id header is required',
	'Bad Request: Server not initialized',
	'Bad Request: Unsupported protocol version: ',
	'Invalid or missing session ID',
];

/** The ids of errors about no request in particular; that of the SDK for Python is the last one. */
const NO_REQUEST: readonly Json[] = [null, 'server-error'];

/**
 * True if a status means that the server no longer knows the session and didn't process the request, so that the call
 * can be sent again. That is status 404 (transports, session management). Status 400 could also come from a tool that
 * has run, so only known bodies without a request id count.
 * @param text the body
 */
export function isSessionUnknown(status: unknown, text: unknown): boolean {
	if (status === 400 && typeof text === 'string') {
		const message = messageIn(text);
		return UNKNOWN_SESSION.some((start) => message.startsWith(start));
	}
	return status === 404;
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
	return NO_REQUEST.includes(own(body, 'id') ?? null) && typeof message === 'string' ? message : '';
}
