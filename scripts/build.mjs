// @ts-check
/**
 * Builds what the extension ships into dist/: programs for Node, and pages with their styles.
 *   node scripts/build.mjs [--production] [--watch]
 */
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { dist, root } from '../test/harness/paths.mjs';

/** What runs in Node: the extension, its worker and its processes. What they share or load on demand becomes a file beside them. */
export const NODE_ENTRIES = {
	extension: 'src/extension.ts',
	reaper: 'src/mcp/process/reaper.ts',
	validator: 'src/validation/worker.ts',
	demo: 'src/demo/server.ts',
	recording: 'src/recordings/server.ts',
	clients: 'src/cli/clients.ts',
	recorder: 'src/tap/worker.ts',
};

const { extension, demo, ...others } = NODE_ENTRIES;

/**
 * What is built together shares files, and with each of them that a window loads, it opens later. The package has no room for a second SDK,
 * which the demo needs as well.
 */
const PROGRAMS = [{ extension, demo }, others];

/** A style sheet for each page, and two scripts: a form must not wait for the code of the timeline. */
const WEBVIEW_ENTRIES = [
	'src/webview/requests.ts',
	'src/webview/records.ts',
	'src/webview/common/base.css',
	...['form', 'result', 'start', 'timeline', 'trials', 'url'].map((name) => `src/webview/${name}/${name}.css`),
];

/** Built files by path, their sources and what they import. @typedef {esbuild.Metafile['outputs']} Outputs */
/** @typedef {esbuild.BuildOptions & { metafile: true }} Options */

/** @type {(production: boolean) => Options} */
const common = (production) => ({
	absWorkingDir: root,
	bundle: true,
	logLevel: 'warning',
	minify: production,
	charset: 'utf8',
	// The licenses are in THIRD-PARTY-NOTICES.txt.
	legalComments: 'none',
	metafile: true,
	define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
});

/**
 * Has nothing of jsonc-parser in what uses nothing of it: the package does not say that its modules do nothing by themselves.
 * @type {esbuild.Plugin}
 */
const withoutJsonc = {
	name: 'without jsonc',
	setup: ({ onResolve, resolve }) =>
		onResolve({ filter: /^jsonc-parser$/ }, async ({ path, pluginData, ...args }) =>
			pluginData ? undefined : { ...(await resolve(path, { ...args, pluginData: true })), sideEffects: false },
		),
};

/** @type {(entries: Record<string, string>, dir: string, production: boolean) => Options} */
const programs = (entries, dir, production) => ({
	...common(production),
	entryPoints: entries,
	outdir: dir,
	outExtension: { '.js': '.mjs' },
	platform: 'node',
	target: 'node20',
	format: 'esm',
	splitting: true,
	sourcemap: !production,
	// jsonc-parser can only be bundled as a module.
	mainFields: ['module', 'main'],
	plugins: [withoutJsonc],
	// Packages in CommonJS call `require` for the modules of Node, which ES modules do not have.
	banner: {
		js: "import{createRequire as $createRequire}from'node:module';const require=$createRequire(import.meta.url);",
	},
	alias: {
		tldts: './scripts/lazyTldts.mjs',
		// The SDK would run servers' schemas in the extension host with ajv; only the worker may (SECURITY.md).
		'@modelcontextprotocol/client/_shims': './scripts/sdkWithoutAjv.mjs',
		'@modelcontextprotocol/server/_shims': './scripts/sdkWithoutAjv.mjs',
	},
	// The SDK signs DPoP proofs and private key assertions with jose; sign-in by a person needs neither.
	external: ['vscode', 'jose'],
});

/** @type {(dir: string, production: boolean) => Options} */
export const pages = (dir, production) => ({
	...common(production),
	entryPoints: WEBVIEW_ENTRIES,
	entryNames: '[name]',
	outdir: join(dir, 'webview'),
	platform: 'browser',
	target: 'chrome128',
	format: 'iife',
	loader: { '.svg': 'text' },
	// A page is one file, see webviewPage.ts.
	sourcemap: production ? false : 'inline',
	plugins: [withoutJsonc, { name: 'texts', setup: ({ onEnd }) => onEnd(({ metafile }) => listTexts(metafile)) }],
});

/**
 * Bundles programs for Node as ES modules.
 * @param {Record<string, string>} entries name to source
 * @param {string} dir
 * @param {boolean} [production]
 * @returns {Promise<Outputs>}
 */
export async function bundlePrograms(entries, dir, production = true) {
	const { metafile } = await esbuild.build(programs(entries, dir, production));
	return metafile.outputs;
}

/**
 * Lists what each script of the pages says beside it: the editor gives a page these translations.
 * @param {esbuild.Metafile | undefined} metafile none after an error
 */
async function listTexts(metafile) {
	const scripts = Object.keys(metafile?.outputs ?? {}).filter((name) => name.endsWith('.js'));
	const texts = Object.keys(JSON.parse(await readFile(join(root, 'l10n/bundle.l10n.json'), 'utf8')));
	for (const script of scripts.map((name) => join(root, name))) {
		await writeFile(script.replace(/js$/, 'json'), JSON.stringify(textsIn(await readFile(script, 'utf8'), texts)));
	}
}

/**
 * Those of the texts that stand in a script as literals.
 * @param {string} script
 * @param {readonly string[]} texts
 */
export function textsIn(script, texts) {
	return texts.filter((text) => ['"', "'", '`'].some((quote) => script.includes(quote + text + quote)));
}

/**
 * Builds all that the extension ships.
 * @param {{ production?: boolean, dir?: string }} [options]
 * @returns {Promise<Outputs>}
 */
export async function build({ production = false, dir = dist } = {}) {
	// The names of shared files change with their content: old ones must not stay.
	await rm(dir, { recursive: true, force: true });
	const [{ metafile }, ...made] = await Promise.all([
		esbuild.build(pages(dir, production)),
		...PROGRAMS.map((entries) => bundlePrograms(entries, dir, production)),
	]);
	await publishTypes(dir);
	return Object.assign({}, ...made, metafile.outputs);
}

/**
 * The source files that contribute to what was built; paths from the checkout, with slashes.
 * @param {Outputs} outputs
 */
export function sourcesOf(outputs) {
	return Object.values(outputs).flatMap(({ inputs }) =>
		Object.entries(inputs).flatMap(([source, { bytesInOutput }]) => (bytesInOutput > 0 ? source : [])),
	);
}

/** What other extensions compile against. The file holds nothing but types, so it is its own declaration. */
async function publishTypes(dir = dist) {
	await mkdir(dir, { recursive: true });
	await copyFile(join(root, 'src/api.ts'), join(dir, 'api.d.ts'));
}

/** Builds after every change. It says so, for which `npm run dev` and the tasks of the editor wait. */
async function watch() {
	await publishTypes();
	for (const options of [...PROGRAMS.map((entries) => programs(entries, dist, false)), pages(dist, false)]) {
		const context = await esbuild.context({ ...options, logLevel: 'info' });
		await context.watch();
	}
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	try {
		await (process.argv.includes('--watch') ? watch() : build({ production: process.argv.includes('--production') }));
	} catch (error) {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	}
}
