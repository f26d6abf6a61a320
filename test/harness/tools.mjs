// @ts-check
/**
 * Fetches what the suites share, before several of them, side by side, miss it at the same time.
 *   node test/harness/tools.mjs browser | editors
 */
import { fileURLToPath } from 'node:url';
import { inOldestEditor, nightly } from './paths.mjs';
import { main, run } from './process.mjs';
import { chromium, editorNode, vscodeServer } from './toolchain.mjs';

await main(async () => {
	if (process.argv[2] === 'browser') {
		await chromium();
		return 0;
	}
	const env = { ...process.env, MCP_ELICITATION_EDITOR: 'oldest' };
	const [{ code }] = await Promise.all([
		inOldestEditor || !nightly
			? { code: 0 }
			: run(process.execPath, [fileURLToPath(import.meta.url), 'editors'], { env, show: true }),
		editorNode(),
		vscodeServer(),
	]);
	return code;
});
