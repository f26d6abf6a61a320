import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../../../../src/elicitation/json.ts';

const REVISION = '2026-07-28';

const inputSchema = {
	type: 'object',
	properties: {
		region: { type: 'string', 'x-mcp-header': 'Region' },
		to: { type: 'object', properties: { loud: { type: 'boolean', 'x-mcp-header': 'Loud' } } },
	},
};

/** A server without sessions that refuses calls of its tool unless two arguments are in headers, too. */
export async function mirroring(): Promise<{ readonly url: string; stop(): void }> {
	const http = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) {
			chunks.push(chunk as Buffer);
		}
		const { id, method, params = {} } = JSON.parse(Buffer.concat(chunks).toString());
		const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
		const { region, to } = params.arguments ?? {};
		const mirrored = `=?base64?${Buffer.from(String(region)).toString('base64')}?=`;
		const { 'mcp-param-region': given, 'mcp-param-loud': loud } = request.headers;
		const results: Record<string, JsonObject> = {
			'server/discover': {
				supportedVersions: [REVISION],
				capabilities: { tools: {} },
				serverInfo: { name: 'm', version: '1' },
			},
			'tools/list': { tools: [{ name: 'go', inputSchema }] },
			...(given === mirrored &&
				loud === String(to?.loud) && { 'tools/call': { content: [{ type: 'text', text: 'Done' }] } }),
		};
		const result = results[method];
		const error = { code: method === 'tools/call' ? -32020 : -32601, message: 'No.' };
		response.writeHead(result ? 200 : 400, { 'Content-Type': 'application/json' });
		response.end(
			JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result: { ...complete, ...result } } : { error }) }),
		);
	});
	await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
		stop: () => {
			http.close();
			http.closeAllConnections();
		},
	};
}
