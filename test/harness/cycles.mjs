// @ts-check
/** `npm run cycles [count=1000]`: opens and closes every surface this often in a real editor and checks for leaks. */
import { main } from './process.mjs';
import { vitest } from './vitest.mjs';

await main(() => {
	const [count = '1000'] = process.argv.splice(2);
	process.env.MCP_ELICITATION_CYCLES = count;
	process.argv.push('test/e2e/health/cycles.test.ts');
	return vitest('cycles', 'test/e2e/vitest.config.mjs');
});
