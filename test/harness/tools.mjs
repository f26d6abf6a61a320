// @ts-check
/** Fetches what the suites share, before several of them, side by side, miss it at the same time: both editors and the browser. */
import { fileURLToPath } from 'node:url';
import { inOldestEditor } from './paths.mjs';
import { main, run } from './process.mjs';
import { webToolchain } from './toolchain.mjs';

await main(async () => {
	await webToolchain();
	if (inOldestEditor) {
		return 0;
	}
	const env = { ...process.env, MCP_ELICITATION_EDITOR: 'oldest' };
	const { code } = await run(process.execPath, [fileURLToPath(import.meta.url)], { env, show: true });
	return code;
});
