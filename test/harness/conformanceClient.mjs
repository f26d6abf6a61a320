// @ts-check
/** `npm run conformance:client -- <server-url>`: runs only the client under test. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundlePrograms, NODE_ENTRIES } from '../../scripts/build.mjs';
import { results, root } from './paths.mjs';
import { main, run } from './process.mjs';

/**
 * Builds the code under test in its own folder: the product's parts like the release build, and the scripts.
 * @returns {Promise<{ client: string, bridge: string }>} the paths of the scripts
 */
export async function buildConformance() {
	// Not in dist, which other suites build anew meanwhile.
	const outdir = join(results, 'conformance', 'build');
	const { reaper, validator } = NODE_ENTRIES;
	const [client, bridge] = ['test/conformance/client.ts', 'test/conformance/bridge.ts'];
	await bundlePrograms({ client, bridge, reaper, validator }, outdir);
	return { client: join(outdir, 'client.mjs'), bridge: join(outdir, 'bridge.mjs') };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	await main(async () => {
		const { client } = await buildConformance();
		const { code } = await run(process.execPath, [client, ...process.argv.slice(2)], { cwd: root, show: true });
		return code;
	});
}
