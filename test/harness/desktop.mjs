// @ts-check
/** Runs test/host inside a desktop VS Code. */
import { rm } from 'node:fs/promises';
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
	try {
		return await runTests({
			vscodeExecutablePath,
			extensionDevelopmentPath: root,
			extensionTestsPath: HOST_TESTS,
			extensionTestsEnv: { MCP_ELICITATION_COUNTS: await freshCounts('desktop') },
			launchArgs: [workspace, '--disable-extensions', '--disable-workspace-trust'],
		});
	} finally {
		await rm(workspace, { recursive: true, force: true });
	}
});
