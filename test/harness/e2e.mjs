// @ts-check
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { results } from './paths.mjs';
import { main } from './process.mjs';
import { vitest } from './vitest.mjs';

await main(async () => {
	// Once for both attempts: screenshots of the first tell why it failed.
	await rm(join(results, 'e2e'), { recursive: true, force: true });
	return vitest('e2e', 'test/e2e/vitest.config.mjs');
});
