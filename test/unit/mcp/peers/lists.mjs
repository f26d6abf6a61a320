// @ts-check
/**
 * A test peer without an SDK over stdio with misbehaving lists of tools, prompts, resources, and templates.
 *
 *   node lists.mjs SCENARIO      2025-11-25
 *   node lists.mjs SCENARIO new  2026-07-28
 *
 * endless: every page has one entry and a next page · strange: the same, with response ids as strings ·
 * huge: one page of 12,000 · asks: every list returns an input request · missing: only the tools are implemented ·
 * broken: every list but tools fails · growing: the tool `grow` adds one of everything and sends list_changed · extra: only tools
 * are declared
 */
import { createInterface } from 'node:readline';

const [, , scenario = '', era] = process.argv;
let size = 1;

/** @param {object} message */
function send(message) {
	process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/** @type {Record<string, [string, (n: number) => object]>} */
const lists = {
	'tools/list': ['tools', (n) => ({ name: n === 0 ? 'grow' : `tool-${n}`, inputSchema: { type: 'object' } })],
	'prompts/list': ['prompts', (n) => ({ name: `prompt-${n}` })],
	'resources/list': ['resources', (n) => ({ uri: `test://${n}`, name: `resource-${n}` })],
	'resources/templates/list': [
		'resourceTemplates',
		(n) => ({ uriTemplate: `test://${n}/{id}`, name: `template-${n}` }),
	],
};

/** @param {number} length @param {(n: number) => object} entry @param {number} [from] */
const entries = (length, entry, from = 0) => Array.from({ length }, (_each, at) => entry(from + at));

/** @param {string} method @param {any} params */
function page(method, params) {
	const [key, entry] = lists[method] ?? ['', () => ({})];
	if (scenario === 'endless' || scenario === 'strange') {
		const at = Number(params?.cursor ?? 0);
		return { result: { [key]: entries(1, entry, at), nextCursor: String(at + 1) } };
	}
	if (scenario === 'asks') {
		const params = { message: 'Which list?', requestedSchema: { type: 'object', properties: {} } };
		return {
			result: { resultType: 'input_required', inputRequests: { q: { method: 'elicitation/create', params } } },
		};
	}
	if (key !== 'tools' && scenario === 'missing') {
		return { error: { code: -32601, message: 'Method not found' } };
	}
	if (key !== 'tools' && scenario === 'broken') {
		return { error: { code: -32603, message: 'The shelf has fallen down' } };
	}
	return { result: { [key]: entries(scenario === 'huge' ? 12_000 : size, entry) } };
}

const kinds = scenario === 'extra' ? ['tools'] : ['tools', 'prompts', 'resources'];
const capabilities = Object.fromEntries(kinds.map((kind) => [kind, { listChanged: true }]));
const serverInfo = { name: 'lists', version: '1' };
const complete = era === undefined ? {} : { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

createInterface({ input: process.stdin }).on('line', (line) => {
	const { id, method, params } = JSON.parse(line);
	if (method === 'initialize' && era === undefined) {
		send({ id, result: { protocolVersion: '2025-11-25', capabilities, serverInfo } });
	} else if (method === 'server/discover' && era !== undefined) {
		send({ id, result: { ...complete, supportedVersions: ['2026-07-28'], capabilities } });
	} else if (method === 'subscriptions/listen') {
		const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
		send({
			method: 'notifications/subscriptions/acknowledged',
			params: { _meta, notifications: params.notifications },
		});
	} else if (Object.hasOwn(lists, method)) {
		const { result, error } = page(method, params);
		send({
			id: scenario === 'strange' ? String(id) : id,
			...(error ? { error } : { result: { ...complete, ...result } }),
		});
	} else if (method === 'tools/call') {
		size++;
		for (const kind of kinds) {
			send({ method: `notifications/${kind}/list_changed` });
		}
		send({ id, result: { ...complete, content: [] } });
	} else if (id !== undefined) {
		send({ id, error: { code: -32601, message: 'Method not found' } });
	}
});
