// @ts-check
/** Runs test/host inside the extension host of a real VS Code, through the editor's own mechanism for extension tests. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../esbuild.mjs';
import { launchBrowser } from './browser.mjs';
import { freshCounts } from './counts.mjs';
import { buildHostTests } from './hostTests.mjs';
import { results, root } from './paths.mjs';
import { main } from './process.mjs';
import { webToolchain } from './toolchain.mjs';
import { startWebHost } from './webHost.mjs';

const DEADLINE = 10 * 60_000;

await main(async () => {
	const tools = await webToolchain();
	await build();
	const tests = await buildHostTests();
	const workspace = await mkdtemp(join(tmpdir(), 'mcp-elicitation-workspace-'));
	const env = { MCP_ELICITATION_COUNTS: await freshCounts('host') };
	const [host, browser] = await Promise.all([
		startWebHost({ ...tools, env, logFile: join(results, 'host.log') }),
		launchBrowser(tools.browser),
	]);
	try {
		const page = await browser.newPage();
		/** @type {Promise<number>} */
		const end = new Promise((resolve, reject) => {
			setTimeout(() => reject(new Error('The suite in the extension host did not end.')), DEADLINE).unref();
			page.once('crash', () => reject(new Error('The page of the workbench crashed.')));
			page.exposeFunction('codeAutomationLog', (/** @type {string} */ type, /** @type {unknown[]} */ args) => print(type, args));
			page.exposeFunction('codeAutomationExit', resolve);
		});
		await page.goto(`${host.url}/?${testQuery(host.port, workspace, tests)}`);
		return await end;
	} finally {
		await browser.close();
		await host.stop();
		await rm(workspace, { recursive: true, force: true });
	}
});

/**
 * @param {number} port
 * @param {string} workspace
 * @param {string} tests
 */
function testQuery(port, workspace, tests) {
	const remote = (/** @type {string} */ path) => `vscode-remote://localhost:${port}${path}`;
	const payload = [
		['extensionDevelopmentPath', remote(root)],
		['extensionTestsPath', remote(tests)],
	];
	return new URLSearchParams({ folder: workspace, payload: JSON.stringify(payload) });
}

/**
 * What the extension host logs. Mocha's lines come as plain strings; the editor's own complaints stay out of the way.
 * @param {string} type
 * @param {unknown[]} args
 */
function print(type, args) {
	console.log(type, ...args);
}
