// @ts-check
/** `npm run conformance:client -- <server-url>`: the client under test by itself. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { NODE_ENTRIES, nodeBundles } from '../../esbuild.mjs';
import { dist, root } from './paths.mjs';
import { main, run } from './process.mjs';

/**
 * Builds the client under test in a folder of its own: the product's parts as they are shipped, under the script.
 * @returns {Promise<string>} the path of the script
 */
export async function buildConformanceClient() {
	const outdir = join(dist, 'test', 'conformance');
	const { reaper, validator } = NODE_ENTRIES;
	await esbuild.build(nodeBundles(true, { client: 'test/conformance/client.ts', reaper, validator }, outdir));
	return join(outdir, 'client.cjs');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	await main(async () => {
		const client = await buildConformanceClient();
		const { code } = await run(process.execPath, [client, ...process.argv.slice(2)], { cwd: root, show: true });
		return code;
	});
}
