import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Bundles the real worker as in the product, into its own directory. */
export async function bundleWorker(): Promise<{ workerFile: string; remove: () => Promise<void> }> {
	const directory = await mkdtemp(join(tmpdir(), 'validator-'));
	const workerFile = join(directory, 'validator.cjs');
	await build({
		entryPoints: ['src/validation/worker.ts'],
		outfile: workerFile,
		bundle: true,
		platform: 'node',
		format: 'cjs',
		target: 'node18',
		// jsonc-parser can only be bundled as a module.
		mainFields: ['module', 'main'],
	});
	return { workerFile, remove: () => rm(directory, { recursive: true, force: true }) };
}
