// @ts-check
/**
 * A server that sends much and takes little, without an SDK: `node flood.mjs`. Prints its port. The path of the URL says what it does:
 * `taken`, `refused`, and `hanging` are what it does with responses; `lists` has pages of 60 MB. POST `/flood` sends requests; GET `/count`
 * tells what it has seen.
 */
import { createServer } from 'node:http';

const [PAGES, PAGE] = [100, 60 * 1024 * 1024];
const schema = { type: 'object', properties: { name: { type: 'string' } } };
const tool = { name: 'act', inputSchema: { type: 'object' } };

/** @type {import('node:http').ServerResponse | undefined} */
let stream;
let responses = 0;
let most = 0;

const server = createServer(async (request, response) => {
	const [path = '', what = ''] = (request.url ?? '').slice(1).split('/');
	if (path === 'count') {
		response.end(JSON.stringify({ responses, most }));
		return;
	}
	if (request.method === 'GET') {
		stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
		stream.flushHeaders();
		return;
	}
	if (request.method !== 'POST') {
		response.end();
		return;
	}
	/** @type {Buffer[]} */
	const chunks = [];
	for await (const chunk of request) {
		chunks.push(chunk);
	}
	if (path === 'flood') {
		[responses, most] = [0, 0];
		flood(what, Number(chunks.toString()));
		response.end();
		return;
	}
	const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
	if (method === undefined) {
		responses++;
		server.getConnections((_, count) => {
			most = Math.max(most, count);
		});
		if (path !== 'hanging') {
			response.writeHead(path === 'refused' ? 500 : 202).end();
		}
	} else if (id === undefined) {
		response.writeHead(202).end();
	} else {
		const result = resultOf(path, method, params);
		response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'flood' });
		response.end(JSON.stringify({ jsonrpc: '2.0', id, ...result }));
	}
});

/** @param {string} method @param {number} count */
function flood(method, count) {
	for (let at = 0; at < count; at++) {
		const params = { message: `Number ${at}`, requestedSchema: schema };
		const asked = { jsonrpc: '2.0', id: at, method, ...(method === 'ping' ? {} : { params }) };
		stream?.write(`data: ${JSON.stringify(asked)}\n\n`);
	}
}

/** @param {string} path @param {string} method @param {{ cursor?: string }} params */
function resultOf(path, method, params) {
	switch (method) {
		case 'initialize':
			return {
				result: {
					protocolVersion: '2025-11-25',
					capabilities: { tools: {} },
					serverInfo: { name: 'flood', version: '1.0.0' },
				},
			};
		case 'tools/list': {
			const page = Number(params?.cursor ?? 0);
			const big = { ...tool, name: `big ${page}`, description: 'x'.repeat(path === 'lists' ? PAGE : 0) };
			const isLast = path !== 'lists' || page === PAGES - 1;
			return { result: { tools: page === 0 ? [tool, big] : [big], ...(!isLast && { nextCursor: String(page + 1) }) } };
		}
		case 'tools/call':
			return { result: { content: [] } };
		default:
			return { error: { code: -32601, message: 'Method not found' } };
	}
}

server.listen(0, '127.0.0.1', () => {
	const address = /** @type {import('node:net').AddressInfo} */ (server.address());
	console.log(address.port);
});
