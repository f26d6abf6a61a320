// @ts-check
/**
 * Builds the extension, its package, and the test servers once for all suites of a run, and checks how big the package is and what a window
 * loads.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, sourcesOf } from '../../scripts/build.mjs';
import { packageExtension } from '../../scripts/package.mjs';
import { built, dist, root } from './paths.mjs';
import { main } from './process.mjs';
import { bundleTestServers } from './testServers.mjs';

const KILOBYTE = 1024;
/** Bytes. */
export const LIMITS = { package: 720 * KILOBYTE };

/** What is needed only later, and is not loaded when a window opens. */
const LATER = [
	/(^|\/)node_modules\/(@modelcontextprotocol|ajv|zod)\//,
	// But for what reads definitions.
	/^src\/(mcp\/(?!process\/)|bridge\/|demo\/)/,
	/^src\/validation\/(worker|compile)\.ts$/,
	/^src\/editor\/(debugging\/debugging|timeline\/timelineSurfaces)\.ts$/,
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

const AT_START = ['import-statement'];
const EVER = [...AT_START, 'dynamic-import'];

/**
 * The built files that a program loads.
 * @param {import('../../scripts/build.mjs').Outputs} outputs
 * @param {string} program its source
 * @param {readonly string[]} kinds of the imports that count
 */
function loadedBy(outputs, program, kinds) {
	const paths = new Set(Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === program));
	// A set also visits what is added meanwhile.
	for (const path of paths) {
		for (const { path: next, kind } of outputs[path]?.imports ?? []) {
			if (kinds.includes(kind)) {
				paths.add(next);
			}
		}
	}
	return Object.fromEntries(Object.entries(outputs).filter(([path]) => paths.has(path)));
}

/**
 * What is wrong with a package.
 * @param {Pick<import('../../scripts/package.mjs').Package, 'bytes' | 'outputs'>} made
 * @returns {string[]}
 */
export function problemsOf({ bytes, outputs }) {
	const atStart = loadedBy(outputs, 'src/extension.ts', AT_START);
	const [all, early] = [sourcesOf(outputs), sourcesOf(atStart)];
	const ajv = (/** @type {string} */ program) =>
		sourcesOf(loadedBy(outputs, program, EVER)).filter((source) => /node_modules\/ajv/.test(source));
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
		...ajv('src/extension.ts').map((source) => `${source} can be loaded in the extension host`),
		...(ajv('src/validation/worker.ts').length > 0 ? [] : ['the validator has no ajv']),
	];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	await main(async () => {
		await Promise.all([build(), bundleTestServers()]);
		const made = await packageExtension();
		const problems = problemsOf(made);
		const start = Object.values(loadedBy(made.outputs, 'src/extension.ts', AT_START));
		const bytesAtStart = start.reduce((sum, { bytes }) => sum + bytes, 0);
		const inKilobytes = (/** @type {number} */ size) => `${(size / KILOBYTE).toFixed(1)} KB`;
		console.log(
			`package: ${inKilobytes(made.bytes)}; loaded when a window opens: ${inKilobytes(bytesAtStart)} in ${start.length} files`,
		);
		for (const problem of problems) {
			console.error(`✘ ${problem}`);
		}
		return problems.length === 0 ? 0 : 1;
	});
}
