// @ts-check
/** The product without its editor, as it is shipped: its bundles, what benchmarks need around them, and a bare client of the SDK beside it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { bundlePrograms, NODE_ENTRIES } from '../../scripts/build.mjs';
import { root } from '../harness/paths.mjs';
import { tell } from '../harness/process.mjs';

/** @typedef {'sessions' | 'rounds'} Era of the protocol: the server's own requests, or rounds of a call */

/** A log that only tells of what goes wrong. */
const quiet = {
	level: /** @type {const} */ ('info'),
	onDidChangeLevel: () => ({ dispose() {} }),
	debug: () => {},
	info: () => {},
	warn: tell,
	error: tell,
	stderr: tell,
};

/**
 * Lends a folder.
 * @template T
 * @param {(folder: string) => Promise<T>} use
 */
export async function inFolder(use) {
	const folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-bench-'));
	try {
		return await use(folder);
	} finally {
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	}
}

/**
 * The same with the bundles in it.
 * @template T
 * @param {(folder: string) => Promise<T>} use
 */
export function withBundles(use) {
	return inFolder(async (folder) => {
		const { reaper, validator } = NODE_ENTRIES;
		await bundlePrograms({ product: 'test/bench/product.ts', reaper, validator }, folder);
		return use(folder);
	});
}

/**
 * @param {string} folder of the bundles
 * @returns {Promise<typeof import('./product.ts')>}
 */
export function load(folder) {
	return import(pathToFileURL(join(folder, 'product.mjs')).href);
}

/**
 * How the server is started that does nothing but ask.
 * @param {Era} era
 */
export function interviewer(era) {
	return {
		command: process.execPath,
		args: [join(root, 'test', 'bench', 'interviewer.mjs'), era],
		protocolVersion: era === 'sessions' ? '2025-11-25' : '2026-07-28',
	};
}

/**
 * The product without its editor, connected to servers.
 * @param {string} folder of the bundles
 * @param {Record<string, import('../../src/elicitation/json.ts').Json>} definitions
 * @param {number} [perMinute] max elicitations of a server
 */
export async function connect(folder, definitions, perMinute = Number.POSITIVE_INFINITY) {
	const { loadMcp, readServers, Registry, TraceLog, ValidatorPool, Visitor } = await load(folder);
	const { Connection, Reaper } = await loadMcp();
	const validator = new ValidatorPool(join(folder, 'validator.mjs'));
	const registry = new Registry(validator, () => perMinute);
	const trace = new TraceLog(() => 10_000);
	const context = {
		registry,
		trace,
		reaper: new Reaper(join(folder, 'reaper.mjs')),
		signIn: new Visitor(),
		clientVersion: '1.0.0',
		log: () => quiet,
		callTimeout: () => 60,
		taskMode: () => /** @type {const} */ ('auto'),
		allowInsecureUrls: () => /** @type {const} */ ('loopback'),
		workspaceRoots: { list: () => [], onDidChange: () => ({ dispose() {} }) },
	};
	const connections = readServers(definitions).servers.map((server) => new Connection(server, context));
	await Promise.all(connections.map((connection) => connection.start()));
	const missing = connections.filter(({ state, tools }) => state !== 'running' || tools.length === 0);
	if (connections.length === 0 || missing.length > 0) {
		throw new Error(`${missing.length} of ${connections.length} servers are not connected.`);
	}
	const close = async () => {
		await Promise.all(connections.map((connection) => connection.stop()));
		validator.dispose();
	};
	return { connections, registry, trace, close };
}

/**
 * A bare client of the SDK, connected to a server.
 * @param {Era} era
 * @param {{ command: string, args: string[] }} server
 * @param {(message: string) => { action: 'accept', content: Record<string, string | number> }} [respond]
 */
export async function bareClient(era, server, respond) {
	const client = new Client(
		{ name: 'bare', version: '1.0.0' },
		{
			capabilities: respond ? { elicitation: { form: {} } } : {},
			versionNegotiation: { mode: era === 'sessions' ? 'legacy' : { pin: '2026-07-28' } },
		},
	);
	if (respond) {
		client.setRequestHandler('elicitation/create', ({ params }) => respond(params.message));
	}
	await client.connect(new StdioClientTransport(server));
	return client;
}
