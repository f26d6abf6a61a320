// @ts-check
/** The packaged extension in a real editor, beside one that only opens empty panels and runs commands. */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { launchBrowser } from '../harness/browser.mjs';
import { packaged } from '../harness/packaged.mjs';
import { results, root } from '../harness/paths.mjs';
import { run, Stop } from '../harness/process.mjs';
import { webToolchain } from '../harness/toolchain.mjs';
import { installExtension, startWebHost } from '../harness/webHost.mjs';
import { inFolder } from './bundles.mjs';
import { until } from './report.mjs';

/**
 * Looks into the webviews of a page until one of them has what is wanted.
 * @template T
 * @param {import('playwright-core').Page} page
 * @param {string} wanted
 * @param {(frame: import('playwright-core').Frame) => Promise<T | undefined>} look
 * @returns {Promise<{ frame: import('playwright-core').Frame, found: T }>}
 */
export function inWebview(page, wanted, look) {
	return until(`a webview with ${wanted}`, async () => {
		for (const frame of page.frames().slice(1)) {
			// The frame may be detached meanwhile.
			const found = await look(frame).catch(() => undefined);
			if (found !== undefined) {
				return { frame, found };
			}
		}
		return undefined;
	});
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
 * @param {readonly string[]} others the other extensions, files of the folder `extensions`
 * @param {(editor: Editor) => Promise<T>} use
 */
export function withEditor(others, use) {
	return inFolder(async (folder) => {
		const tools = await webToolchain();
		const extensions = join(folder, 'extensions');
		await installExtension({ ...tools, vsix: await packaged(), extensions });
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
		}
	});
}

/**
 * Settings by which a server starts that is told what to do at a port.
 * @param {string} portFile where it writes the port
 */
export const told = (portFile) => ({
	'mcpElicitation.autoStart': true,
	'mcpElicitation.servers': {
		told: { command: process.execPath, args: [join(root, 'test/bench/told.mjs'), portFile] },
	},
});

/**
 * Measures in an editor in which a server runs.
 * @template T
 * @param {Record<string, unknown>} settings
 * @param {() => void} init runs in every frame of the page, before anything else
 * @param {(page: import('playwright-core').Page, panel: number, server: number) => Promise<T>} measure is given the ports of the
 * other extension and of the server
 */
export function inEditor(settings, init, measure) {
	return withEditor(['emptyPanel.cjs'], async ({ host, folder, newPage, panelPort }) => {
		const serverPort = join(folder, 'server.port');
		await host.configure({ ...told(serverPort), ...settings });
		const page = await newPage();
		await page.addInitScript(init);
		await page.goto(`${host.url}/?${new URLSearchParams({ folder })}`);
		return measure(page, await port(panelPort), await port(serverPort));
	});
}

/**
 * Packages one of the extensions beside which ours is measured.
 * @param {string} folder
 * @param {string} file
 */
async function packageOther(folder, file) {
	const name = file.replace(/\.[cm]js$/, '').toLowerCase();
	const stage = join(folder, name);
	await mkdir(stage);
	await copyFile(join(root, 'test/bench/extensions', file), join(stage, file));
	const manifest = {
		...{ name, displayName: name, description: 'A baseline of benchmarks.', version: '0.0.1', private: true },
		...{ publisher: 'mcp-elicitation-bench', engines: { vscode: '^1.105.0' }, main: `./${file}` },
		...{ extensionKind: ['workspace'], activationEvents: ['onStartupFinished'] },
	};
	await writeFile(join(stage, 'package.json'), JSON.stringify(manifest));
	const vsix = join(folder, `${name}.vsix`);
	const vsce = join(dirname(createRequire(import.meta.url).resolve('@vscode/vsce/package.json')), 'vsce');
	const options = ['--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', vsix];
	const { code, output } = await run(process.execPath, [vsce, 'package', ...options], { cwd: stage });
	if (code !== 0) {
		throw new Stop(`${file} could not be packaged:\n${output}`);
	}
	return vsix;
}

/**
 * Waits until a port is written into a file.
 * @param {string} file
 */
export function port(file) {
	return until(file, async () => Number(await readFile(file, 'utf8').catch(() => '')) || undefined);
}

/**
 * Asks a program at a port; with a body, tells it something.
 * @param {number} to
 * @param {string} path
 * @param {object} [body]
 */
export async function ask(to, path, body) {
	const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
	return (await fetch(`http://127.0.0.1:${to}${path}`, init)).json();
}
