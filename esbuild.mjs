// @ts-check
/**
 * Builds everything that the extension ships into dist/.
 *   node esbuild.mjs [--production] [--watch]
 */
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';

const root = import.meta.dirname;

/** What runs in Node: the extension, its worker and its processes. What they share, or load on demand, becomes a file beside them. */
export const NODE_ENTRIES = {
	extension: 'src/extension.ts',
	reaper: 'src/mcp/process/reaper.ts',
	validator: 'src/validation/worker.ts',
	demo: 'src/demo/server.ts',
	recording: 'src/recordings/server.ts',
};

/** A style sheet for each page, and two scripts: a form must not wait for the code of the timeline. */
const WEBVIEW_ENTRIES = [
	'src/webview/requests.ts',
	'src/webview/records.ts',
	'src/webview/common/tokens.css',
	...['form', 'result', 'start', 'timeline', 'trials', 'url'].map((name) => `src/webview/${name}/${name}.css`),
];

/** Bundled CommonJS packages call `require` for the modules of Node, which ES modules do not have: they import them. @type {esbuild.Plugin} */
export const importBuiltins = {
	name: 'import-builtins',
	setup({ onResolve, onLoad }) {
		onResolve({ filter: /./ }, ({ path, kind }) =>
			kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'builtin' } : undefined,
		);
		onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
			contents: `export * from ${JSON.stringify(path)};`,
		}));
	},
};

/**
 * @param {boolean} production
 * @returns {esbuild.BuildOptions}
 */
function common(production) {
	return {
		absWorkingDir: root,
		bundle: true,
		logLevel: 'warning',
		minify: production,
		sourcemap: !production,
		legalComments: 'none',
		metafile: true,
		define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
	};
}

/**
 * The programs for Node, as ES modules.
 * @param {boolean} production
 * @param {Record<string, string>} entryPoints name to source
 * @param {string} [outdir]
 * @returns {esbuild.BuildOptions & { metafile: true }}
 */
export function nodeBundles(production, entryPoints, outdir = 'dist') {
	return {
		...common(production),
		metafile: true,
		entryPoints,
		outdir,
		outExtension: { '.js': '.mjs' },
		chunkNames: '[name]-[hash]',
		plugins: [importBuiltins],
		platform: 'node',
		target: 'node20',
		format: 'esm',
		splitting: true,
		// jsonc-parser can only be bundled as a module.
		mainFields: ['module', 'main'],
		// The SDK would run servers' schemas in the extension host with ajv; only the worker may (SECURITY.md).
		alias: {
			'@modelcontextprotocol/client/_shims': './scripts/sdkWithoutAjv.mjs',
			'@modelcontextprotocol/server/_shims': './scripts/sdkWithoutAjv.mjs',
		},
		// The SDK signs DPoP proofs and private key assertions with jose; sign-in by a person needs neither.
		external: ['vscode', 'jose'],
	};
}

/**
 * @param {boolean} production
 * @returns {esbuild.BuildOptions & { metafile: true }}
 */
export function webviewBundles(production) {
	return {
		...common(production),
		metafile: true,
		// A page is one file, see webviewPage.ts.
		sourcemap: production ? false : 'inline',
		entryPoints: WEBVIEW_ENTRIES,
		entryNames: '[name]',
		loader: { '.svg': 'text' },
		outdir: 'dist/webview',
		platform: 'browser',
		target: 'chrome128',
		format: 'iife',
	};
}

/** @param {boolean} production */
function bundles(production) {
	return [nodeBundles(production, NODE_ENTRIES), webviewBundles(production)];
}

/**
 * Builds all bundles.
 * @param {{ production?: boolean }} [options]
 * @returns {Promise<esbuild.Metafile['outputs']>} what was made, of what
 */
export async function build({ production = false } = {}) {
	// The names of shared files change with their content: old ones must not be shipped.
	await rm(join(root, 'dist'), { recursive: true, force: true });
	const made = await Promise.all(bundles(production).map((options) => esbuild.build(options)));
	await publishTypes();
	return Object.assign({}, ...made.map(({ metafile }) => metafile.outputs));
}

/** What other extensions compile against. The file holds nothing but types, so it is its own declaration. */
async function publishTypes() {
	await mkdir(join(root, 'dist'), { recursive: true });
	await copyFile(join(root, 'src/api.ts'), join(root, 'dist/api.d.ts'));
}

async function watch() {
	await publishTypes();
	for (const options of bundles(false)) {
		const context = await esbuild.context({ ...options, logLevel: 'info' });
		await context.watch();
	}
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	try {
		await (process.argv.includes('--watch') ? watch() : build({ production: process.argv.includes('--production') }));
	} catch {
		// esbuild has said why.
		process.exitCode = 1;
	}
}
