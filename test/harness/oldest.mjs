// @ts-check
/**
 * `npm run test:oldest`, after test:host: runs tests of the surfaces in the oldest supported editor. They cover everything from an empty
 * profile to a response, and every surface for elicitations, where missing editor features would show; without the night's tests, the
 * first of them alone.
 */
import { join } from 'node:path';
import { readCounts, writeCounts } from './counts.mjs';
import { nightly, root } from './paths.mjs';
import { main, run } from './process.mjs';

const BY_DAY = ['smoke'];
const BY_NIGHT = [...BY_DAY, 'url', 'form', 'firstDay', 'timeline'];

await main(async () => {
	const names = nightly ? BY_NIGHT : BY_DAY;
	const files = names.map((name) => `test/e2e/${name}.test.ts`);
	const env = { ...process.env, MCP_ELICITATION_EDITOR: 'oldest' };
	const { code } = await run(process.execPath, [join(root, 'test/harness/e2e.mjs'), ...files], {
		cwd: root,
		env,
		show: true,
	});
	await writeCounts('oldest', await readCounts('oldest/e2e', code));
	return code;
});
