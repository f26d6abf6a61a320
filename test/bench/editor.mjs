// @ts-check
/** The packaged extension in a real editor, beside one that only opens empty panels and runs commands. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageExtension } from '../../scripts/package.mjs';
import { launchBrowser } from '../harness/browser.mjs';
import { results, root } from '../harness/paths.mjs';
import { run } from '../harness/process.mjs';
import { webToolchain } from '../harness/toolchain.mjs';
import { installExtension, startWebHost } from '../harness/webHost.mjs';

/**
 * Looks into the webviews of a page until one of them has what is wanted.
 * @template T
 * @param {import('playwright-core').Page} page
 * @param {string} wanted
 * @param {(frame: import('playwright-core').Frame) => Promise<T | undefined>} look
 * @returns {Promise<{ frame: import('playwright-core').Frame, found: T }>}
 */
export async function inWebview(page, wanted, look) {
	for (const patience = Date.now() + 30_000; Date.now() < patience; ) {
		for (const frame of page.frames().slice(1)) {
			// The frame may be detached meanwhile.
			const found = await look(frame).catch(() => undefined);
			if (found !== undefined) {
				return { frame, found };
			}
		}
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	throw new Error(`No webview with ${wanted} within 30 s.`);
}

/**
 * An editor with the packaged extension and others of this folder, closed afterwards.
 * @typedef {object} Editor
 * @property {Awaited<ReturnType<typeof startWebHost>>} host
 * @property {string} folder an empty one that windows can open
 * @property {() => Promise<import('playwright-core').Page>} newPage
 * @property {string} panelPort where the empty panel's extension of the newest window writes the port at which it listens
 */

/**
 * @template T
 * @param {readonly string[]} others the folders of the other extensions
 * @param {(editor: Editor) => Promise<T>} use
 */
export async function withEditor(others, use) {
	const folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-bench-'));
	const tools = await webToolchain();
	const extensions = join(folder, 'extensions');
	await installExtension({ ...tools, vsix: (await packageExtension()).vsix, extensions });
	for (const other of others) {
		await installExtension({ ...tools, vsix: await packageOther(folder, other), extensions });
	}
	const panelPort = join(folder, 'panel.port');
	const env = { MCP_ELICITATION_BENCH_PANEL: panelPort };
	const host = await startWebHost({ ...tools, extensions, logFile: join(results, 'bench.log'), env });
	const browser = await launchBrowser(tools.browser);
	const newPage = async () => (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
	try {
		return await use({ host, folder, newPage, panelPort });
	} finally {
		await browser.close();
		await host.stop();
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	}
}

/**
 * Measures in an editor in which a server runs.
 * @template T
 * @param {string} server a program in this folder, which is told a file for the port at which it can be told what to do
 * @param {Record<string, unknown>} settings
 * @param {() => void} init runs in every frame of the page, before anything else
 * @param {(page: import('playwright-core').Page, panel: number, server: number) => Promise<T>} measure is given the ports of the
 * other extension and of the server
 */
export function inEditor(server, settings, init, measure) {
	return withEditor(['empty-panel'], async ({ host, folder, newPage, panelPort }) => {
		const serverPort = join(folder, 'server.port');
		await host.configure({
			'mcpElicitation.autoStart': true,
			'mcpElicitation.servers': {
				[server]: { command: process.execPath, args: [join(root, 'test', 'bench', `${server}.mjs`), serverPort] },
			},
			...settings,
		});
		const page = await newPage();
		await page.addInitScript(init);
		await page.goto(`${host.url}/?${new URLSearchParams({ folder })}`);
		return measure(page, await port(panelPort), await port(serverPort));
	});
}

/**
 * @param {string} folder
 * @param {string} name
 */
async function packageOther(folder, name) {
	const vsix = join(folder, `${name}.vsix`);
	const vsce = join(dirname(createRequire(import.meta.url).resolve('@vscode/vsce/package.json')), 'vsce');
	const options = ['--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', vsix];
	await run(process.execPath, [vsce, 'package', ...options], { cwd: join(root, 'test', 'bench', name) });
	return vsix;
}

/**
 * Waits until a port is written into a file.
 * @param {string} file
 */
export async function port(file) {
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
