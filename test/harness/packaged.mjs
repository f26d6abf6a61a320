// @ts-check
/**
 * Builds the extension, its package, and the test servers once for all suites of a run, and checks how big the package is and what a window
 * loads.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from '../../scripts/build.mjs';
import { bytesOf, loadedWith, reachableFrom, sourcesOf } from '../../scripts/bundles.mjs';
import { packageExtension } from '../../scripts/package.mjs';
import { built, dist, root } from './paths.mjs';
import { main } from './process.mjs';
import { bundleTestServers } from './testServers.mjs';

const KILOBYTE = 1024;
/** Bytes. */
export const LIMITS = { package: 700 * KILOBYTE };

/** What is needed only later, and is not loaded when a window opens. */
const LATER = [
	/(^|\/)node_modules\/(@modelcontextprotocol|ajv|zod)\//,
	// But for what reads definitions.
	/^src\/(mcp\/(?!process\/)|bridge\/|demo\/)/,
	/^src\/validation\/(worker|compile)\.ts$/,
	/^src\/editor\/(debugging\/debugging|timeline\/surfaces)\.ts$/,
];

/** The path of the package, which is built now unless this run has done so. */
export async function packaged() {
	if (built) {
		const { name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
		return join(dist, `${name}-${version}.vsix`);
	}
	await build();
	return (await packageExtension()).vsix;
}

/**
 * What is wrong with a package.
 * @param {Pick<import('../../scripts/package.mjs').Package, 'bytes' | 'outputs'>} made
 * @returns {string[]}
 */
export function problemsOf({ bytes, outputs }) {
	const atStart = loadedWith(outputs, 'extension.mjs');
	const [all, early] = [sourcesOf(outputs), sourcesOf(atStart)];
	const ajv = (/** @type {string} */ entry) =>
		sourcesOf(reachableFrom(outputs, entry)).filter((source) => /node_modules\/ajv/.test(source));
	return [
		...(bytes > LIMITS.package ? [`the package has ${bytes} bytes, more than ${LIMITS.package}: make it smaller`] : []),
		...early
			.filter((source) => LATER.some((later) => later.test(source)))
			.map((source) => `${source} is loaded when a window opens: import it where it is needed`),
		...LATER.filter((later) => !all.some((source) => later.test(source))).map(
			(later) => `${later} in test/harness/packaged.mjs fits no file that is built`,
		),
		...(early.includes('src/extension.ts') ? [] : ['src/extension.ts is not loaded when a window opens']),
		// Schemas of servers are validated in the worker only (SECURITY.md).
		...ajv('extension.mjs').map((source) => `${source} can be loaded in the extension host`),
		...(ajv('validator.mjs').length > 0 ? [] : ['the validator has no ajv']),
	];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	await main(async () => {
		await Promise.all([build(), bundleTestServers()]);
		const made = await packageExtension();
		const problems = problemsOf(made);
		const start = bytesOf(loadedWith(made.outputs, 'extension.mjs'));
		const inKilobytes = (/** @type {number} */ size) => `${(size / KILOBYTE).toFixed(1)} KB`;
		console.log(`package: ${inKilobytes(made.bytes)}; loaded when a window opens: ${inKilobytes(start)}`);
		for (const problem of problems) {
			console.error(`✘ ${problem}`);
		}
		return problems.length === 0 ? 0 : 1;
	});
}
