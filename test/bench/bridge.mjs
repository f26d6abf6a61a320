// @ts-check
/** What the bridge to agent mode adds to a call: a client that comes over it, compared with a call without it on the same connection. */
import { setMaxListeners } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { tell } from '../harness/process.mjs';
import { bundle, connect, interviewer, load } from './bundles.mjs';
import { median, percentile } from './report.mjs';

/** @typedef {() => Promise<any>} Call one call of a tool that does nothing; resolves to its structured content */

/** They take turns, so that a machine that is busy for a while is so for both. */
const TURNS = 20;
const CALLS = 100;
const AT_ONCE = 20;

/**
 * Node drops what listens to the signal of a request only with its garbage, and warns of so many until then.
 * @param {string | URL} url
 * @param {RequestInit} [init]
 */
function patient(url, init) {
	if (init?.signal) {
		setMaxListeners(0, init.signal);
	}
	return fetch(url, init);
}

/** @returns {Promise<import('./report.mjs').Row[]>} */
export default async function bridgeBenchmarks() {
	const folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-bench-'));
	try {
		await bundle(folder);
		return await measure(folder);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/**
 * @param {string} folder
 * @returns {Promise<import('./report.mjs').Row[]>}
 */
async function measure(folder) {
	const { hostOf, loadBridge } = await load(folder);
	const { Bridge } = await loadBridge();
	const { connection, close } = await connect(folder, interviewer('sessions'));
	const bridge = new Bridge(hostOf(connection));
	await bridge.offer([connection.name]);
	const { url, headers } = /** @type {import('../../src/bridge/index.ts').Endpoint} */ (
		await bridge.endpoint(connection.name)
	);
	const client = new Client({ name: 'agent', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } });
	await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers }, fetch: patient }));
	const tool = { name: 'interview', arguments: { elicitations: 0, atOnce: 1 } };
	try {
		return await compare(
			async () => (await connection.callTool(tool.name, tool.arguments))['structuredContent'],
			async () => (await client.callTool(tool)).structuredContent,
		);
	} finally {
		await client.close();
		await bridge.close();
		await close();
	}
}

/**
 * @param {Call} direct
 * @param {Call} bridged
 * @returns {Promise<import('./report.mjs').Row[]>}
 */
async function compare(direct, bridged) {
	const alone = { direct: /** @type {number[]} */ ([]), bridged: /** @type {number[]} */ ([]) };
	const rates = { direct: /** @type {number[]} */ ([]), bridged: /** @type {number[]} */ ([]) };
	// The first turn has to warm up what all later ones share.
	for (let turn = 0; turn <= TURNS; turn++) {
		tell(`bridge: turn ${turn} of ${TURNS}`);
		for (const [way, call] of /** @type {const} */ ([
			['direct', direct],
			['bridged', bridged],
		])) {
			const times = await oneByOne(call);
			const rate = await allAtOnce(call);
			if (turn > 0) {
				alone[way].push(...times);
				rates[way].push(rate);
			}
		}
	}
	const baselineName = 'without the bridge';
	return [
		{
			name: 'call over the bridge, ms',
			value: median(alone.bridged),
			baseline: median(alone.direct),
			baselineName,
			goal: '≤ 5 more',
		},
		{
			name: 'call over the bridge, p95, ms',
			value: percentile(alone.bridged, 0.95),
			baseline: percentile(alone.direct, 0.95),
			baselineName,
		},
		{
			name: `calls per second over the bridge, ${AT_ONCE} at once`,
			value: median(rates.bridged),
			baseline: median(rates.direct),
			baselineName,
		},
	];
}

/** @param {Call} call */
async function oneByOne(call) {
	/** @type {number[]} */
	const times = [];
	while (times.length < CALLS) {
		const start = performance.now();
		check(await call());
		times.push(performance.now() - start);
	}
	return times;
}

/** @param {Call} call */
async function allAtOnce(call) {
	const start = performance.now();
	for (let called = 0; called < CALLS; called += AT_ONCE) {
		for (const result of await Promise.all(Array.from({ length: AT_ONCE }, call))) {
			check(result);
		}
	}
	return (1000 * CALLS) / (performance.now() - start);
}

/** @param {any} result */
function check(result) {
	if (result?.accepted !== 0) {
		throw new Error(`A call resulted in ${JSON.stringify(result)}.`);
	}
}
