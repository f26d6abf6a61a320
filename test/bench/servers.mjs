// @ts-check
/** 50 servers over stdio at once: how long it takes until all are connected, and what memory each costs, beside bare clients of the SDK. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { root } from '../harness/paths.mjs';
import { tell } from '../harness/process.mjs';
import { bundle, load, quiet } from './bundles.mjs';
import { median } from './report.mjs';

const SERVERS = 50;
/** The clients take turns, so that a machine that is busy for a while is so for both; the first turn only warms up. */
const TURNS = 4;
const KILOBYTE = 1024;

setFlagsFromString('--expose-gc');
/** @type {() => void} */
const collectGarbage = runInNewContext('gc');

const peer = join(root, 'test', 'bench', 'interviewer.mjs');
const names = Array.from({ length: SERVERS }, (_, at) => `server-${at}`);

/** @typedef {() => Promise<() => Promise<void>>} Connect connects all; resolves to what ends all */

/** @returns {Promise<import('./report.mjs').Row[]>} */
export default async function serverBenchmarks() {
	const folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-bench-'));
	try {
		await bundle(folder);
		/** @type {[string, Connect][]} */
		const subjects = [
			['product', product(folder)],
			['bare', bare],
		];
		/** @type {Record<string, { ms: number[], kb: number[] }>} */
		const measured = { product: { ms: [], kb: [] }, bare: { ms: [], kb: [] } };
		for (let turn = 0; turn < TURNS; turn++) {
			tell(`servers: turn ${turn + 1} of ${TURNS}`);
			for (const [name, connect] of subjects) {
				const { ms, kb } = await measure(connect);
				if (turn > 0) {
					measured[name]?.ms.push(ms);
					measured[name]?.kb.push(kb);
				}
			}
		}
		return rows(measured);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/**
 * @param {Record<string, { ms: number[], kb: number[] }>} measured
 * @returns {import('./report.mjs').Row[]}
 */
function rows(measured) {
	const of = (/** @type {string} */ name, /** @type {'ms' | 'kb'} */ what) => median(measured[name]?.[what] ?? []);
	const baselineName = 'bare SDK client';
	return [
		{
			name: `ms until ${SERVERS} stdio servers are connected`,
			value: of('product', 'ms'),
			baseline: of('bare', 'ms'),
			baselineName,
		},
		{
			name: `ms for each of ${SERVERS} servers`,
			value: of('product', 'ms') / SERVERS,
			baseline: of('bare', 'ms') / SERVERS,
			baselineName,
		},
		{
			name: `KB of memory for each of ${SERVERS} servers`,
			value: of('product', 'kb'),
			baseline: of('bare', 'kb'),
			baselineName,
		},
	];
}

/** @param {Connect} connect */
async function measure(connect) {
	const before = await memory();
	const began = performance.now();
	const end = await connect();
	const ms = performance.now() - began;
	const kb = ((await memory()) - before) / KILOBYTE / SERVERS;
	await end();
	return { ms, kb };
}

/** Bytes that are in use once nothing goes any more: handles of processes that have ended go a while later. */
async function memory() {
	let least = Number.POSITIVE_INFINITY;
	for (let calm = 0; calm < 5; calm++) {
		collectGarbage();
		const { heapUsed, external } = process.memoryUsage();
		if (heapUsed + external < least - 4 * KILOBYTE) {
			calm = 0;
		}
		least = Math.min(least, heapUsed + external);
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	return least;
}

/** @type {Connect} */
async function bare() {
	const clients = await Promise.all(
		names.map(async () => {
			const client = new Client({ name: 'bare', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } });
			await client.connect(new StdioClientTransport({ command: process.execPath, args: [peer, 'sessions'] }));
			await client.listTools();
			return client;
		}),
	);
	return async () => {
		await Promise.all(clients.map((client) => client.close()));
	};
}

/**
 * @param {string} folder
 * @returns {Connect}
 */
function product(folder) {
	return async () => {
		const { loadMcp, readServers, Registry, TraceLog, ValidatorPool, Visitor } = await load(folder);
		const { Connection, Reaper } = await loadMcp();
		const validator = new ValidatorPool(join(folder, 'validator.mjs'));
		const registry = new Registry(validator, () => Number.POSITIVE_INFINITY);
		const context = {
			registry,
			trace: new TraceLog(() => 10_000),
			reaper: new Reaper(join(folder, 'reaper.mjs')),
			signIn: new Visitor(),
			clientVersion: '1.0.0',
			log: () => quiet,
			callTimeout: () => 60,
			taskMode: () => /** @type {const} */ ('auto'),
			allowInsecureUrls: () => /** @type {const} */ ('loopback'),
			workspaceRoots: { list: () => [], onDidChange: () => ({ dispose() {} }) },
		};
		const definition = { command: process.execPath, args: [peer, 'sessions'], protocolVersion: '2025-11-25' };
		const { servers } = readServers(Object.fromEntries(names.map((name) => [name, definition])));
		const connections = servers.map((server) => new Connection(server, context));
		await Promise.all(connections.map((connection) => connection.start()));
		const missing = connections.filter(({ state, tools }) => state !== 'running' || tools.length === 0);
		if (missing.length > 0) {
			throw new Error(`${missing.length} of ${SERVERS} servers are not connected.`);
		}
		return async () => {
			await Promise.all(connections.map((connection) => connection.stop()));
			validator.dispose();
		};
	};
}
