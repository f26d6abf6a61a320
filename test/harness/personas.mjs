// @ts-check
/**
 * `npm run personas`: runs the clients that can run here, writes what they do to `test-results/personas`, and fails where
 * `src/elicitation/personas/personas.json` says otherwise.
 */
import { main } from './process.mjs';
import { vitest } from './vitest.mjs';

await main(async () => {
	process.env['MCP_ELICITATION_NIGHTLY'] = '1';
	process.argv.push('test/unit/elicitation/personas');
	const sdks = await vitest('unit', 'test/vitest.config.mjs');
	process.argv.splice(-1, 1, 'test/personas');
	return (await vitest('e2e', 'test/e2e/vitest.config.mjs')) || sdks;
});
