// @ts-check
/** The packaged extension in a real editor, beside one that only opens empty panels and runs commands. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { launchBrowser } from '../harness/browser.mjs';
import { packageExtension } from '../harness/package.mjs';
import { results, root } from '../harness/paths.mjs';
import { run } from '../harness/process.mjs';
import { webToolchain } from '../harness/toolchain.mjs';
import { installExtension, startWebHost } from '../harness/webHost.mjs';

/**
 * Measures in an editor that is closed afterwards.
 * @template T
 * @param {string} server a program in this folder, which is told a file for the port at which it can be told what to do
 * @param {Record<string, unknown>} settings
 * @param {() => void} init runs in every frame of the page, before anything else
 * @param {(page: import('playwright-core').Page, panel: number, server: number) => Promise<T>} measure is given the ports of the
 * other extension and of the server
 */
export async function inEditor(server, settings, init, measure) {
	const folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-bench-'));
	const tools = await webToolchain();
	const extensions = join(folder, 'extensions');
	await installExtension({ ...tools, vsix: (await packageExtension()).vsix, extensions });
	await installExtension({ ...tools, vsix: await packageBaseline(folder), extensions });
	const ports = { panel: join(folder, 'panel.port'), server: join(folder, 'server.port') };
	const host = await startWebHost({
		...tools,
		extensions,
		logFile: join(results, 'bench.log'),
		env: { MCP_ELICITATION_BENCH_PANEL: ports.panel },
	});
	await host.configure({
		'mcpElicitation.autoStart': true,
		'mcpElicitation.servers': {
			[server]: { command: process.execPath, args: [join(root, 'test', 'bench', `${server}.mjs`), ports.server] },
		},
		...settings,
	});
	const browser = await launchBrowser(tools.browser);
	try {
		const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
		await page.addInitScript(init);
		await page.goto(`${host.url}/?${new URLSearchParams({ folder })}`);
		return await measure(page, await port(ports.panel), await port(ports.server));
	} finally {
		await browser.close();
		await host.stop();
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	}
}

/** @param {string} folder */
async function packageBaseline(folder) {
	const vsix = join(folder, 'empty-panel.vsix');
	const vsce = join(dirname(createRequire(import.meta.url).resolve('@vscode/vsce/package.json')), 'vsce');
	const options = ['--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', vsix];
	await run(process.execPath, [vsce, 'package', ...options], { cwd: join(root, 'test', 'bench', 'empty-panel') });
	return vsix;
}

/** @param {string} file */
async function port(file) {
	for (const patience = Date.now() + 30_000; Date.now() < patience; ) {
		const text = await readFile(file, 'utf8').catch(() => '');
		if (text !== '') {
			return Number(text);
		}
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	throw new Error(`${file} was not written within 30 s.`);
}

/**
 * @param {number} to
 * @param {string} path
 */
export async function get(to, path) {
	return (await fetch(`http://127.0.0.1:${to}${path}`)).json();
}

/**
 * @param {number} to
 * @param {object} body
 */
export async function post(to, body) {
	return (await fetch(`http://127.0.0.1:${to}/`, { method: 'POST', body: JSON.stringify(body) })).json();
}
