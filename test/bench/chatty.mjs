// @ts-check
/**
 * An MCP server that talks when its HTTP port is told to: `POST /` with `{count}` answers once so many log messages are written.
 * Usage: node chatty.mjs PORT_FILE
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

/** So many messages are written at a time. */
const PIECE = 1000;

const server = new Server({ name: 'chatty', version: '1.0.0' }, { capabilities: { logging: {} } });
let said = 0;

const http = createServer(async (request, response) => {
	const { count } = /** @type {{ count: number }} */ (await json(request));
	for (let left = count; left > 0; left -= PIECE) {
		const lines = Array.from({ length: Math.min(PIECE, left) }, () => {
			const params = { level: 'info', logger: 'bench', data: `message ${said++} of a server that says a lot` };
			return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params });
		});
		if (!process.stdout.write(`${lines.join('\n')}\n`)) {
			await once(process.stdout, 'drain');
		}
	}
	response.end('{}');
});

await server.connect(new StdioServerTransport());
server.oninitialized = () =>
	http.listen(0, '127.0.0.1', () => {
		const address = http.address();
		writeFileSync(String(process.argv[2]), String(typeof address === 'object' ? address?.port : ''));
	});
process.stdin.on('end', () => process.exit(0));
