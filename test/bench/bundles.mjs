// @ts-check
/** The product without its editor, as it is shipped: its bundles, and what benchmarks need around them. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundlePrograms, NODE_ENTRIES } from '../../scripts/build.mjs';
import { root } from '../harness/paths.mjs';
import { tell } from '../harness/process.mjs';

/** @typedef {'sessions' | 'rounds'} Era of the protocol: the server's own requests, or rounds of a call */

/** A log that only tells of what goes wrong. */
export const quiet = {
	level: /** @type {const} */ ('info'),
	onDidChangeLevel: () => ({ dispose() {} }),
	debug: () => {},
	info: () => {},
	warn: tell,
	error: tell,
	stderr: tell,
};

/**
 * Builds the bundles, and what loads them.
 * @param {string} outdir
 */
export async function bundle(outdir) {
	const { reaper, validator } = NODE_ENTRIES;
	await bundlePrograms({ product: 'test/bench/product.ts', reaper, validator }, { dir: outdir });
}

/**
 * @param {string} folder where `bundle` has built
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
 * The product without its editor, connected to one server.
 * @param {string} folder where `bundle` has built
 * @param {import('../../src/elicitation/json.ts').JsonObject} definition of the server
 */
export async function connect(folder, definition) {
	const { loadMcp, readServers, Registry, TraceLog, ValidatorPool, Visitor } = await load(folder);
	const { Connection, Reaper } = await loadMcp();
	const validator = new ValidatorPool(join(folder, 'validator.mjs'));
	const registry = new Registry(validator, () => Number.POSITIVE_INFINITY);
	const trace = new TraceLog(() => 10_000);
	const { servers } = readServers({ interviewer: definition });
	const connection = new Connection(
		/** @type {import('../../src/config/definition.ts').ServerDefinition} */ (servers[0]),
		{
			registry,
			trace,
			reaper: new Reaper(join(folder, 'reaper.mjs')),
			signIn: new Visitor(),
			clientVersion: '1.0.0',
			log: () => quiet,
			callTimeout: () => 60,
			taskMode: () => 'auto',
			allowInsecureUrls: () => 'loopback',
			workspaceRoots: { list: () => [], onDidChange: () => ({ dispose() {} }) },
		},
	);
	await connection.start();
	const close = async () => {
		await connection.stop();
		validator.dispose();
	};
	return { connection, registry, trace, close };
}
