// @ts-check
/** Runs test/host, built by host.mjs, in the extension host of one real VS Code with the editor's own test runner. */
import { appendFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'node:util';
import { launchBrowser } from './browser.mjs';
import { freshCounts, readCounts, writeCounts } from './counts.mjs';
import { faultsOfExtension, uncaught } from './hostLog.mjs';
import { HOST_TESTS } from './hostTests.mjs';
import { inOldestEditor, results, root } from './paths.mjs';
import { main, Stop } from './process.mjs';
import { addTestExtension } from './testExtensions.mjs';
import { webToolchain } from './toolchain.mjs';
import { startWebHost } from './webHost.mjs';
import { emptyFolder } from './workspace.mjs';

const DEADLINE = 10 * 60_000;
/** Prefix of reporter lines from test/host/index.ts. */
const MOCHA = 'mocha│';
const logFile = join(results, 'host.log');
/** @type {import('./hostLog.mjs').LogLine[]} */
const lines = [];

await main(async () => {
	const counts = await freshCounts('host');
	/** What failed beside the tests. @type {string[]} */
	const faults = [];
	const code = await runTests(counts).catch((/** @type {Error} */ error) => {
		faults.push(error instanceof Stop ? error.message : (error.stack ?? error.message));
		return 1;
	});
	faults.push(...faultsOfExtension(lines).map((fault) => `The extension left an error behind: ${fault}`));
	for (const fault of faults) {
		console.error(fault);
	}
	const { passed, failed, failures } = await readCounts('host', faults.length === 0 ? code : 0);
	const beside = faults.map((why) => ({
		name: `the window of the ${inOldestEditor ? 'oldest' : 'newest'} editor`,
		why,
	}));
	const all = [...failures, ...beside];
	await writeCounts('host', { passed, failed: Math.max(failed, all.length), failures: all });
	return code === 0 && all.length === 0 ? 0 : 1;
});

/**
 * Runs the tests in a window. Resolves to their exit code once they have ended.
 * @param {string} counts the file for their counts
 */
async function runTests(counts) {
	const tools = await webToolchain();
	await rm(logFile, { force: true });
	const workspace = await emptyFolder();
	// The URL can specify only one development extension; the other is installed.
	const extensions = await emptyFolder();
	await addTestExtension('exampleExtension', extensions);
	const env = { MCP_ELICITATION_COUNTS: counts };
	const host = await startWebHost({ ...tools, extensions, automation: true, env, logFile });
	/** @type {import('playwright-core').Browser | undefined} */
	let browser;
	try {
		browser = await launchBrowser(tools.browser);
		const page = await browser.newPage();
		/** @type {Promise<number>} */
		const end = new Promise((resolve, reject) => {
			setTimeout(() => reject(new Error('The suite in the extension host did not end.')), DEADLINE).unref();
			page.once('crash', () => reject(new Error('The page of the workbench crashed.')));
			page.exposeFunction('codeAutomationLog', (/** @type {string} */ level, /** @type {unknown[]} */ args) => {
				const text = format(...args);
				lines.push({ level, text });
				print(level, text);
			});
			page.exposeFunction('codeAutomationExit', resolve);
		});
		page.on('pageerror', (error) => lines.push(uncaught(error)));
		const [code] = await Promise.all([
			end,
			// The default is too short for a machine that runs other suites beside it and has just fetched the editor.
			page.goto(`${host.url}/?${testQuery(host.port, workspace)}`, { timeout: DEADLINE }),
		]);
		return code;
	} finally {
		await browser?.close();
		await host.stop();
		await rm(workspace, { recursive: true, force: true });
		await rm(extensions, { recursive: true, force: true });
	}
}

/**
 * @param {number} port
 * @param {string} workspace
 */
function testQuery(port, workspace) {
	const remote = (/** @type {string} */ path) => `vscode-remote://localhost:${port}${path}`;
	const payload = [
		['extensionDevelopmentPath', remote(root)],
		['extensionTestsPath', remote(HOST_TESTS)],
	];
	return new URLSearchParams({ folder: workspace, payload: JSON.stringify(payload) });
}

/**
 * Mocha's lines are for people, everything else for the log.
 * @param {string} level
 * @param {string} text
 */
function print(level, text) {
	if (text.startsWith(MOCHA)) {
		console.log(text.slice(MOCHA.length));
	} else {
		appendFileSync(logFile, `[${level}] ${text}\n`);
	}
}
