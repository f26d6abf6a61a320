// @ts-check
/** Runs test/host inside a desktop VS Code. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { build } from '../../scripts/build.mjs';
import { freshCounts } from './counts.mjs';
import { desktopEditor } from './desktopEditor.mjs';
import { buildHostTests, HOST_TESTS } from './hostTests.mjs';
import { root } from './paths.mjs';
import { main, Stop } from './process.mjs';
import { emptyFolder } from './workspace.mjs';

await main(async () => {
	const vscodeExecutablePath = await desktopEditor();
	if (vscodeExecutablePath === undefined) {
		throw new Stop(
			'The desktop VS Code cannot be downloaded here, so nothing was tested; `npm run test:host` runs the same suite in the web server.',
		);
	}
	await build();
	await buildHostTests();
	const workspace = await emptyFolder();
	const profile = await emptyFolder();
	try {
		return await runTests({
			vscodeExecutablePath,
			extensionDevelopmentPath: [root, join(root, 'test', 'exampleExtension')],
			extensionTestsPath: HOST_TESTS,
			extensionTestsEnv: { MCP_ELICITATION_COUNTS: await freshCounts('desktop') },
			// A profile of its own: consent that an earlier run gave would be remembered.
			launchArgs: [workspace, '--disable-extensions', '--disable-workspace-trust', `--user-data-dir=${profile}`],
		});
	} finally {
		await Promise.all([workspace, profile].map((folder) => rm(folder, { recursive: true, force: true })));
	}
});
