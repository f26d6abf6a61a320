// @ts-check
/** `npm run soak [minutes=30]`: runs scripted traffic in a real editor, whose memory use must stay within bounds. */
import { main } from './process.mjs';
import { vitest } from './vitest.mjs';

await main(() => {
	const [minutes = '30'] = process.argv.splice(2);
	process.env.MCP_ELICITATION_SOAK_MINUTES = minutes;
	return vitest('soak', 'test/soak/vitest.config.mjs');
});
