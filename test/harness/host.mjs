// @ts-check
/**
 * `npm run test:host [editor…]`: runs test/host in the `newest` editor (default), in the `oldest`, or in both, side by side, which
 * is the default by night.
 */
import { join } from 'node:path';
import { build } from '../../scripts/build.mjs';
import { freshCounts, readCounts, writeCounts } from './counts.mjs';
import { buildHostTests } from './hostTests.mjs';
import { built, nightly, root } from './paths.mjs';
import { main, run, Stop } from './process.mjs';
import { EDITORS } from './toolchain.mjs';

await main(async () => {
	const byDefault = nightly ? ['newest', 'oldest'] : ['newest'];
	const editors = process.argv.length > 2 ? process.argv.slice(2) : byDefault;
	for (const editor of editors) {
		if (!Object.hasOwn(EDITORS, editor)) {
			throw new Stop(`There is no editor "${editor}", only: ${Object.keys(EDITORS).join(', ')}.`);
		}
	}
	await freshCounts('host');
	if (!built) {
		await build();
	}
	await buildHostTests();
	const found = await Promise.all(editors.map((editor, index) => testIn(editor, index === 0)));
	const sum = (/** @type {'passed' | 'failed'} */ key) => found.reduce((total, counts) => total + counts[key], 0);
	await writeCounts('host', {
		passed: sum('passed'),
		failed: sum('failed'),
		failures: found.flatMap(({ failures }) => failures),
	});
	return sum('failed') === 0 ? 0 : 1;
});

/**
 * @param {string} editor
 * @param {boolean} live shows what the tests print meanwhile, not in the end
 */
async function testIn(editor, live) {
	const script = join(root, 'test/harness/hostEditor.mjs');
	const env = { ...process.env, MCP_ELICITATION_EDITOR: editor };
	const { code, output } = await run(process.execPath, [script], { cwd: root, env, show: live });
	if (!live) {
		console.log(`\nIn the ${editor} editor:\n${output}`);
	}
	return readCounts(editor === 'oldest' ? 'oldest/host' : 'host', code);
}
