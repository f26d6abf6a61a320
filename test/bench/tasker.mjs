// @ts-check
/**
 * An MCP server of 2025-11-25 whose tool `wait` runs as a task that never ends and is to be polled every second. `GET /` at its HTTP port answers
 * `{tasks, polls}`: how many there are, and how often they have been polled.
 * Usage: node tasker.mjs PORT_FILE
 */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

let tasks = 0;
let polls = 0;

/** @param {string} taskId */
const report = (taskId) => {
	const now = new Date().toISOString();
	return { taskId, status: 'working', createdAt: now, lastUpdatedAt: now, ttl: null, pollInterval: 1_000 };
};

/** @type {Record<string, (params: any) => object>} */
const methods = {
	initialize: () => ({
		protocolVersion: '2025-11-25',
		capabilities: { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } },
		serverInfo: { name: 'tasker', version: '1.0.0' },
	}),
	'tools/list': () => ({
		tools: [{ name: 'wait', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } }],
	}),
	'tools/call': () => ({ task: report(`task-${tasks++}`) }),
	'tasks/get': ({ taskId }) => {
		polls++;
		return report(taskId);
	},
};

createInterface({ input: process.stdin }).on('line', (line) => {
	const { id, method, params } = JSON.parse(line);
	const error = { code: -32601, message: 'Method not found' };
	const result = methods[method]?.(params);
	if (id !== undefined) {
		process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) })}\n`);
	}
});

const http = createServer((_request, response) => response.end(JSON.stringify({ tasks, polls })));
http.listen(0, '127.0.0.1', () => {
	const address = http.address();
	writeFileSync(String(process.argv[2]), String(typeof address === 'object' ? address?.port : ''));
});
process.stdin.on('end', () => process.exit(0));
