// @ts-check
/**
 * An MCP server that asks when its HTTP port is told to: `POST /` with the params of `elicitation/create` answers at once with
 * `{t0}`, the time right before the request was written; `GET /answer` waits for the answer of the last one.
 * Usage: node asker.mjs PORT_FILE
 */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';

const server = new Server({ name: 'asker', version: '1.0.0' }, { capabilities: {} });
/** @type {Promise<unknown>} */
let answer = Promise.resolve(null);

const http = createServer(async (request, response) => {
	if (request.method === 'GET') {
		response.end(JSON.stringify(await answer));
		return;
	}
	const params = JSON.parse(await text(request));
	const t0 = Date.now();
	answer = server
		.request({ method: 'elicitation/create', params }, ElicitResultSchema, { timeout: 600_000 })
		.catch((error) => ({ error: String(error) }));
	response.end(JSON.stringify({ t0 }));
});

await server.connect(new StdioServerTransport());
server.oninitialized = () =>
	http.listen(0, '127.0.0.1', () => {
		const address = http.address();
		writeFileSync(String(process.argv[2]), String(typeof address === 'object' ? address?.port : ''));
	});
process.stdin.on('end', () => process.exit(0));
