// @ts-check
/** A real VS Code as a web server: its own server process, extension host and workbench. */
import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, Stop } from './process.mjs';
import { killTree, killTreeNow } from './processTree.mjs';

/** Keeps the editor from talking to the network or showing anything that a test did not ask for. */
export const calmSettings = {
	'chat.disableAIFeatures': true,
	'chat.commandCenter.enabled': false,
	// On a busy machine, words that are typed now are suggested, and Enter takes the suggestion.
	'editor.wordBasedSuggestions': 'off',
	'extensions.autoCheckUpdates': false,
	'extensions.autoUpdate': false,
	'extensions.ignoreRecommendations': true,
	'git.enabled': false,
	// It would look for ports of all processes of this machine, and tell of them.
	'remote.autoForwardPorts': false,
	'telemetry.telemetryLevel': 'off',
	'update.mode': 'none',
	'workbench.enableExperiments': false,
	'workbench.secondarySideBar.defaultVisibility': 'hidden',
	'workbench.startupEditor': 'none',
	'workbench.tips.enabled': false,
	'workbench.welcomePage.walkthroughs.openOnInstall': false,
};

/**
 * @typedef {object} WebHostOptions
 * @property {string} node the Node that runs the server
 * @property {string} vscode the folder of the server
 * @property {string} logFile what the server and its extension hosts print
 * @property {string} [extensions] a folder of installed extensions
 * @property {readonly string[]} [builtins] the only extensions of the editor itself; all of them by default
 * @property {boolean} [trust] false: windows open in Restricted Mode
 * @property {boolean} [fresh] true: nothing is set, as on the first day
 * @property {boolean} [automation] true: windows run the extension tests that their address names, and show no toasts
 * @property {string} [language] the display language, e.g. zh-cn; English by default
 * @property {NodeJS.ProcessEnv} [env] added to the environment of the server and its extension hosts
 */

/**
 * Starts a server with data folders of its own.
 * @param {WebHostOptions} options
 */
export async function startWebHost(options) {
	const {
		node,
		vscode,
		logFile,
		extensions,
		builtins,
		trust = true,
		fresh = false,
		automation = false,
		language,
		env = {},
	} = options;
	const data = await mkdtemp(join(tmpdir(), 'mcp-elicitation-host-'));
	const machineSettings = join(data, 'server', 'data', 'Machine', 'settings.json');
	/** @param {Record<string, unknown>} settings settings of this machine, over the calm ones */
	const configure = (settings) =>
		writeFile(machineSettings, JSON.stringify(fresh ? settings : { ...calmSettings, ...settings }));
	const user = join(data, 'server', 'data', 'User');
	/**
	 * @param {object} content the person's own settings, which hold what no machine may set, or another file of theirs
	 * @param {string} [file]
	 */
	const personalise = (content, file = 'settings.json') => writeFile(join(user, file), JSON.stringify(content));
	/** Forgets the settings and everything that windows, which are closed now, have stored on the server. */
	const reset = async () => {
		await rm(user, { recursive: true, force: true, maxRetries: 5 });
		await mkdir(user, { recursive: true });
		await configure({});
	};
	await mkdir(join(machineSettings, '..'), { recursive: true });
	await mkdir(join(logFile, '..'), { recursive: true });
	await reset();
	if (language !== undefined) {
		await addLanguage(join(data, 'server', 'data'), language);
	}

	const loopback = await redirectToLoopback();
	const args = [
		...[join(vscode, 'out', 'server-main.js'), '--host', '127.0.0.1', '--port', '0'],
		...['--without-connection-token', '--accept-server-license-terms', '--telemetry-level', 'off'],
		...['--server-data-dir', join(data, 'server'), '--extensions-dir', extensions ?? join(data, 'extensions')],
		...(builtins === undefined ? [] : ['--builtin-extensions-dir', await linkBuiltins(vscode, builtins, data)]),
		...(automation ? ['--enable-smoke-test-driver'] : []),
		...(trust ? ['--disable-workspace-trust'] : []),
		...(language === undefined ? [] : ['--locale', language]),
	];
	const server = spawn(node, args, {
		stdio: ['ignore', 'pipe', 'pipe'],
		env: cleanEnv({ VSCODE_PROXY_URI: loopback.template, ...env }),
	});
	const log = createWriteStream(logFile, { flags: 'a' });
	server.stdout.pipe(log, { end: false });
	server.stderr.pipe(log, { end: false });
	let ended = false;
	const end = new Promise((resolve) => server.once('exit', resolve)).then(() => {
		ended = true;
	});
	const kill = () => {
		if (!ended && server.pid !== undefined) {
			killTreeNow(server.pid);
			rmSync(data, { recursive: true, force: true, maxRetries: 5 });
		}
	};
	process.once('exit', kill);

	const stop = async () => {
		process.off('exit', kill);
		if (!ended && server.pid !== undefined) {
			await killTree(server.pid);
		}
		await end;
		loopback.close();
		log.end();
		await rm(data, { recursive: true, force: true, maxRetries: 5 });
	};

	const port = await Promise.race([listening(server.stdout), end]);
	if (port === undefined) {
		await stop();
		throw new Stop(`The VS Code server did not start; its output is in ${logFile}.`);
	}
	return { url: `http://localhost:${port}`, port, configure, personalise, reset, stop };
}

/**
 * A folder with some of the extensions that come with the editor. All of them take a quarter of the time that a window needs to open.
 * @param {string} vscode
 * @param {readonly string[]} names
 * @param {string} data
 */
async function linkBuiltins(vscode, names, data) {
	const folder = join(data, 'builtin');
	await mkdir(folder);
	const places = names.map((name) => ({ name, at: join(vscode, 'extensions', name) }));
	// The oldest editor does not have them all.
	for (const { name, at } of places.filter(({ at }) => existsSync(at))) {
		await symlink(at, join(folder, name), 'junction');
	}
	return folder;
}

/**
 * An editor takes a display language only with a language pack. This one is empty: the editor's own words stay English,
 * extensions speak the language.
 * @param {string} folder the data of the server
 * @param {string} language
 */
async function addLanguage(folder, language) {
	const translations = join(folder, 'translations.json');
	await writeFile(translations, JSON.stringify({ version: '1.0.0', contents: {} }));
	const extensions = [{ extensionIdentifier: { id: `test.${language}` }, version: '1.0.0' }];
	const pack = { hash: 'empty', label: language, extensions, translations: { vscode: translations } };
	await writeFile(join(folder, 'languagepacks.json'), JSON.stringify({ [language]: pack }));
}

/**
 * The web editor opens pages on loopback through a proxy of the product that hosts it. There is none here, and the template
 * must be a URL with the port in its path: this sends the browser on to the page itself.
 */
async function redirectToLoopback() {
	const server = createHttpServer((request, response) => {
		const [, port, rest] = /^\/(\d+)(\/.*)?$/.exec(request.url ?? '') ?? [];
		response.writeHead(
			port === undefined ? 404 : 302,
			port === undefined ? {} : { Location: `http://127.0.0.1:${port}${rest ?? '/'}` },
		);
		response.end();
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	return { template: `http://127.0.0.1:${port}/{{port}}/`, close: () => server.close() };
}

/**
 * Installs a packaged extension into a folder of extensions.
 * @param {{ node: string, vscode: string, vsix: string, extensions: string }} options
 */
export async function installExtension({ node, vscode, vsix, extensions }) {
	const data = await mkdtemp(join(tmpdir(), 'mcp-elicitation-install-'));
	const args = ['--install-extension', vsix, '--extensions-dir', extensions, '--server-data-dir', data];
	const { code, output } = await run(node, [join(vscode, 'out', 'server-main.js'), ...args], { env: cleanEnv({}) });
	await rm(data, { recursive: true, force: true });
	if (code !== 0 || !output.includes('successfully installed')) {
		throw new Stop(`VS Code refused to install ${vsix}:\n${output}`);
	}
}

/**
 * What this process inherited from an editor or a test runner must not reach the editor under test.
 * @param {NodeJS.ProcessEnv} added
 */
function cleanEnv(added) {
	const inherited = Object.entries(process.env).filter(
		([name]) => !/^(VSCODE_|ELECTRON_|VITEST|NODE_OPTIONS|NODE_ENV)/.test(name),
	);
	// No marketplace: nothing is looked up there.
	return { ...Object.fromEntries(inherited), EXTENSIONS_GALLERY: '{}', ...added };
}

/**
 * The port that a server says it listens on; never, where it ends without saying so.
 * @param {import('node:stream').Readable} stdout
 * @returns {Promise<number>}
 */
function listening(stdout) {
	return new Promise((resolve) => {
		let said = '';
		stdout.on('data', (chunk) => {
			said += chunk;
			const [, port] = /^Extension host agent listening on (\d+)$/m.exec(said) ?? [];
			if (port !== undefined) {
				resolve(Number(port));
			}
		});
	});
}
