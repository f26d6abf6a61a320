// @ts-check
/** Fetches what the suites share, before several of them, side by side, miss it at the same time: both editors and the browser. */
import { fileURLToPath } from 'node:url';
import { inOldestEditor } from './paths.mjs';
import { main, run } from './process.mjs';
import { chromium, webToolchain } from './toolchain.mjs';

await main(async () => {
	if (inOldestEditor) {
		await webToolchain();
		return 0;
	}
	// Both editors run in it: it is installed once.
	await chromium();
	const env = { ...process.env, MCP_ELICITATION_EDITOR: 'oldest' };
	const [{ code }] = await Promise.all([
		run(process.execPath, [fileURLToPath(import.meta.url)], { env, show: true }),
		webToolchain(),
	]);
	return code;
});
