// @ts-check
/**
 * The tools that are too big for the project's own dependencies: the editor's Node, a complete VS Code as a web server, a browser.
 * They come from the npm registry and from Debian, and are kept in a cache folder outside the checkout.
 */
import { createHash } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { cache, inOldestEditor, root } from './paths.mjs';
import { run, Stop, tell } from './process.mjs';

/**
 * The editors that the suites run in, as releases of code-server, of which 4.x.y carries VS Code 1.x.y, each with the Node that
 * its package demands.
 *
 * - `newest` is what `npm view code-server version` says. To raise it, write that here, and run `npm test`.
 * - `oldest` is what `engines.vscode` of package.json promises, which a unit test compares. Editors before 1.105 swallow Escape
 *   in their pickers, so that it could not cancel an elicitation (F14).
 */
export const EDITORS = {
	newest: { codeServer: '4.139.1', node: '24.21.0' },
	oldest: { codeServer: '4.105.1', node: '22.23.3' },
};

const { codeServer: CODE_SERVER, node: NODE } = EDITORS[inOldestEditor ? 'oldest' : 'newest'];
/** Server modules whose native part would need a compiler. Older editors have them without the `@vscode/` scope. */
const STUBS = ['spdlog', 'native-watchdog'];
const NPM_QUIET = ['--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=2', '--fetch-retry-mintimeout=1000'];
const NPM_INSTALL = ['install', '--omit=dev', '--ignore-scripts', ...NPM_QUIET];

/**
 * A folder of the cache, filled once. It is filled under another name and then renamed, so that a run which dies half-way
 * leaves nothing that looks complete, and two runs at once only do the same work twice.
 * @param {string} name
 * @param {(folder: string) => Promise<void>} fill
 */
async function cached(name, fill) {
	const folder = join(cache, name);
	if (existsSync(folder)) {
		return folder;
	}
	await mkdir(cache, { recursive: true });
	const draft = await mkdtemp(join(cache, `.${name}-`));
	try {
		await fill(draft);
		await rename(draft, folder);
	} catch (error) {
		await rm(draft, { recursive: true, force: true });
		if (!existsSync(folder)) {
			throw error;
		}
	}
	return folder;
}

/**
 * Runs a step that needs the network.
 * @param {string} what
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} [cwd]
 */
async function must(what, command, args, cwd) {
	const { code, output } = await run(command, args, {
		...(cwd === undefined ? {} : { cwd }),
		// Prevents prompts of Debian packages.
		env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
	});
	const source = { npm: 'the npm registry', 'apt-get': 'a Debian mirror' }[command] ?? 'the network';
	if (code !== 0) {
		const reason = output.split('\n').find((line) => /error|^E:/i.test(line)) ?? `exit code ${code}`;
		throw new Stop(
			`${what} is not in ${cache} and could not be fetched (${reason.replace(/^npm error |^E: /, '').trim()}); run this once with ${source} in reach.`,
		);
	}
	return output;
}

/**
 * Unpacks one package of the npm registry, without its dependencies and without running its scripts.
 * @param {string} spec
 * @param {string} folder
 */
async function unpack(spec, folder) {
	await must(spec, 'npm', ['pack', spec, '--pack-destination', folder, ...NPM_QUIET], folder);
	const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
	if (archive === undefined) {
		throw new Stop(`${spec} could not be fetched: the registry gave no archive.`);
	}
	await must(spec, 'tar', ['-xzf', archive, '--strip-components=1'], folder);
	await rm(join(folder, archive));
}

/**
 * A program of the npm registry with its dependencies, installed without running their scripts. Resolves to its folder.
 * @param {string} name
 * @param {string} version
 */
export async function npmProgram(name, version) {
	const folder = await cached(`${name.replace(/[@/]+/g, '-')}-${version}`, async (draft) => {
		tell(`fetching ${name} ${version} from the npm registry`);
		await must(name, 'npm', [...NPM_INSTALL, '--prefix', draft, `${name}@${version}`], draft);
	});
	return join(folder, 'node_modules', name);
}

/** The Node for the VS Code server: this one if the major version matches, otherwise one from the npm registry. */
export async function editorNode() {
	if (process.versions.node.split('.')[0] === NODE.split('.')[0]) {
		return process.execPath;
	}
	const platform = process.platform === 'win32' ? 'win' : process.platform;
	const folder = await cached(`node-${NODE}`, (draft) => {
		tell(`fetching Node ${NODE} from the npm registry`);
		return unpack(`node-${platform}-${process.arch}@${NODE}`, draft);
	});
	return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/**
 * Some releases take a module from its repository. The registry has the same version of it, already compiled.
 * @param {string} folder
 */
async function takeFromRegistry(folder) {
	const files = ['package.json', 'npm-shrinkwrap.json'].map((name) => join(folder, name));
	const [manifest, lock] = await Promise.all(files.map(async (file) => JSON.parse(await readFile(file, 'utf8'))));
	for (const [path, module] of Object.entries(lock.packages)) {
		if (module.resolved?.startsWith('git+')) {
			const name = path.replace(/^node_modules\//, '');
			delete module.resolved;
			delete module.integrity;
			for (const { dependencies } of [manifest, lock.packages['']]) {
				dependencies[name] = module.version;
			}
		}
	}
	await Promise.all(files.map((file, index) => writeFile(file, JSON.stringify([manifest, lock][index]))));
}

/** The folder of a complete VS Code server with its workbench, from code-server. */
export async function vscodeServer() {
	const stubs = await Promise.all(STUBS.map((name) => readFile(join(root, 'test/harness/stubs', `${name}.cjs`))));
	const mark = createHash('sha256').update(Buffer.concat(stubs)).digest('hex').slice(0, 8);
	const folder = await cached(`code-server-${CODE_SERVER}-${mark}`, async (draft) => {
		tell(`fetching VS Code (code-server ${CODE_SERVER}) from the npm registry; about a minute, once`);
		await unpack(`code-server@${CODE_SERVER}`, draft);
		await takeFromRegistry(join(draft, 'lib/vscode'));
		for (const part of ['lib/vscode', 'lib/vscode/extensions']) {
			await must('VS Code', 'npm', NPM_INSTALL, join(draft, part));
		}
		for (const [index, name] of STUBS.entries()) {
			const modules = join(draft, 'lib/vscode/node_modules');
			const module = [join(modules, '@vscode', name), join(modules, name)].find((folder) => existsSync(folder));
			if (module === undefined) {
				throw new Stop(`code-server ${CODE_SERVER} has no module ${name}: the harness does not know how it works.`);
			}
			await writeFile(join(module, 'index.js'), stubs[index] ?? '');
		}
	});
	return join(folder, 'lib', 'vscode');
}

/** @param {string} file */
async function executable(file) {
	try {
		await access(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

/** @param {readonly string[]} names */
async function onPath(names) {
	const folders = (process.env.PATH ?? '').split(delimiter);
	for (const file of names.flatMap((name) => folders.map((folder) => join(folder, name)))) {
		if (await executable(file)) {
			return file;
		}
	}
	return undefined;
}

/** The headless shell comes first: it draws no window of its own, and takes a quarter less processor time. */
const SHELL = 'chromium-headless-shell';
const BROWSERS = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The path of Chromium: from CHROMIUM_PATH, installed, or downloaded now. */
export async function chromium() {
	const named = process.env.CHROMIUM_PATH;
	if (named) {
		if (!(await executable(named))) {
			throw new Stop(`CHROMIUM_PATH names ${named}, which is not a program.`);
		}
		return named;
	}
	return (await onPath(BROWSERS)) ?? (await debianChromium()) ?? (await playwrightChromium());
}

async function debianChromium() {
	if (process.getuid?.() !== 0 || !(await onPath(['apt-get']))) {
		return undefined;
	}
	tell(`no Chromium found (${BROWSERS.join(', ')}; CHROMIUM_PATH would name one)`);
	const wait = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=2'];
	await must('Chromium', 'apt-get', ['update', '-q', ...wait]);
	// Older releases of Debian do not have the shell.
	const { code } = await run('apt-cache', ['show', SHELL]);
	const packages = [code === 0 ? SHELL : 'chromium', 'fonts-noto-cjk'];
	tell(`so: apt-get update && apt-get install ${packages.join(' ')}; about a minute, once`);
	await must('Chromium', 'apt-get', ['install', '-y', '-q', '--no-install-recommends', ...wait, ...packages]);
	return onPath(BROWSERS);
}

async function playwrightChromium() {
	process.env.PLAYWRIGHT_BROWSERS_PATH ??= join(cache, 'browsers');
	const playwright = await import('playwright-core');
	const path = playwright.chromium.executablePath();
	if (!existsSync(path)) {
		tell(`no Chromium found (${BROWSERS.join(', ')}; CHROMIUM_PATH would name one)`);
		tell(`so: playwright installs its own into ${process.env.PLAYWRIGHT_BROWSERS_PATH}; about a minute, once`);
		const cli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js');
		await must('Chromium', process.execPath, [cli, 'install', 'chromium']);
	}
	return path;
}

/** Everything that a suite in the web host needs. */
export async function webToolchain() {
	const browser = await chromium();
	const [node, vscode] = await Promise.all([editorNode(), vscodeServer()]);
	return { browser, node, vscode };
}
