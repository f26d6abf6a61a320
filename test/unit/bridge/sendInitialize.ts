import { request } from 'node:http';

/** Sends `initialize` without a client. Resolves to the HTTP status. */
export function sendInitialize(url: string, headers: Record<string, string>): Promise<number> {
	const clientInfo = { name: 'stranger', version: '1' };
	const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
	return new Promise((resolve, reject) => {
		const asking = request(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
		});
		asking.once('error', reject).once('response', (response) => {
			response.resume();
			resolve(response.statusCode ?? 0);
		});
		asking.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }));
	});
}
