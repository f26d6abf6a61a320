// @ts-check
/** `npm run cycles [count=1000]`: every surface is opened and closed so often in a real editor, which must leave nothing behind. */
import { main } from './process.mjs';
import { vitest } from './vitest.mjs';

await main(() => {
	const [count = '1000'] = process.argv.splice(2);
	process.env.MCP_ELICITATION_CYCLES = count;
	process.argv.push('test/e2e/health/cycles.test.ts');
	return vitest('cycles', 'test/e2e/vitest.config.mjs');
});
