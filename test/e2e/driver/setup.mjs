// @ts-check
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packaged } from '../../harness/packaged.mjs';
import { results } from '../../harness/paths.mjs';
import { Stop } from '../../harness/process.mjs';
import { bundleTestServers } from '../../harness/testServers.mjs';
import { webToolchain } from '../../harness/toolchain.mjs';
import { installExtension } from '../../harness/webHost.mjs';

/**
 * Runs once: fetches the tools, builds the package, the demo and the test servers, and installs the package as a user would.
 * @param {import('vitest/node').TestProject} project
 */
export default async function setup(project) {
	try {
		const tools = await webToolchain();
		const [vsix] = await Promise.all([packaged(), bundleTestServers()]);
		const extensions = await mkdtemp(join(tmpdir(), 'mcp-elicitation-extensions-'));
		await installExtension({ ...tools, vsix, extensions });
		project.provide('editor', { ...tools, extensions, results: join(results, 'e2e') });
		return () => rm(extensions, { recursive: true, force: true });
	} catch (error) {
		if (error instanceof Stop) {
			// The message is enough; no stack trace.
			console.error(error.message);
			process.exit(1);
		}
		throw error;
	}
}
