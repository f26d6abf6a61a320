// @ts-check
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { built, root } from './paths.mjs';

/** Servers with an SDK. Bundled, they start in half of the time, and the tests start hundreds of them. */
const BUNDLED = ['sdk1.mjs', 'sdk2.mjs'];

/** For esbuild: bundled CommonJS packages call `require` for the modules of Node, which ES modules do not have. */
export const REQUIRE = {
	js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
};

const sources = join(root, 'test', 'servers');
const bundles = join(root, 'test-results', 'servers');

/**
 * The file of a program in test/servers.
 * @param {string} name
 */
export function testServer(name) {
	return join(BUNDLED.includes(name) ? bundles : sources, name);
}

/**
 * Bundles them for a run of vitest, and again when it repeats one, and makes a folder for what its processes build.
 * @param {Pick<import('vitest/node').TestProject, 'onTestsRerun' | 'provide'>} project
 */
export default async function setup(project) {
	await bundleTestServers();
	project.onTestsRerun(bundleTestServers);
	return provideFolder(project);
}

/**
 * Makes a folder for what the processes of a run build. Returns what deletes it.
 * @param {Pick<import('vitest/node').TestProject, 'provide'>} project
 */
export async function provideFolder(project) {
	const folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-run-'));
	project.provide('folderOfRun', folder);
	return () => rm(folder, { recursive: true, force: true });
}

/** Unless this run has done so: two suites may use them meanwhile. */
export async function bundleTestServers() {
	if (built) {
		return;
	}
	await build({
		absWorkingDir: sources,
		entryPoints: BUNDLED,
		outdir: bundles,
		outExtension: { '.js': '.mjs' },
		bundle: true,
		platform: 'node',
		format: 'esm',
		banner: REQUIRE,
		logLevel: 'warning',
	});
}
