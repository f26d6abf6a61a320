// @ts-check
/**
 * Builds everything that the extension ships into dist/.
 *   node esbuild.mjs [--production] [--watch]
 */
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { pack } from './build/publicSuffixes.mjs';
import { sdkModules } from './build/sdkModules.mjs';

const root = dirname(fileURLToPath(import.meta.url));

/**
 * What is started by itself in the editor's Node: the extension, and its worker and processes. What they share, and what is
 * loaded on demand with `await import(…)`, become files of their own beside them.
 */
export const NODE_ENTRIES = {
	extension: 'src/extension.ts',
	reaper: 'src/mcp/process/reaper.ts',
	validator: 'src/validation/worker.ts',
	demo: 'src/demo/server.ts',
};

/**
 * The SDK's own checking of what servers send would run their schemas in the extension host. Only the worker may do that
 * (SECURITY: schemas and patterns), so the SDK gets a validator that believes everything, and no ajv.
 * @type {esbuild.Plugin}
 */
const tamedSdk = {
	name: 'tamed-sdk',
	setup({ onResolve, onLoad }) {
		onResolve({ filter: /^@modelcontextprotocol\/(client|server)\/_shims$/ }, ({ path }) => ({
			path,
			namespace: 'tamed-sdk',
		}));
		onLoad({ filter: /.*/, namespace: 'tamed-sdk' }, () => ({
			contents: `
				export const CORS_IS_POSSIBLE = false;
				export class DefaultJsonSchemaValidator {
					getValidator() {
						return (data) => ({ valid: true, data, errorMessage: undefined });
					}
				}`,
		}));
	},
};

/**
 * Every schema of zod can be turned into a JSON Schema, and none is: the SDK does that for tools that a server writes with zod.
 * @type {esbuild.Plugin}
 */
const plainZod = {
	name: 'plain-zod',
	setup({ onLoad }) {
		onLoad(
			{ filter: /[\\/]zod[\\/]v4[\\/]core[\\/](to-json-schema|json-schema-processors)\.js$/ },
			async ({ path }) => {
				const names = (await readFile(path, 'utf8')).matchAll(/^export (?:const|function) (\w+)/gm);
				return {
					contents: `
					const convert = () => { throw new Error('Schemas of zod are not converted here.'); };
					const create = () => convert;
					${[...names].map(([, name = '']) => `export { ${name.startsWith('create') ? 'create' : 'convert'} as ${name} };`).join('\n')}`,
				};
			},
		);
	},
};

/**
 * A quarter less of the largest list in the package.
 * @type {esbuild.Plugin}
 */
const packedSuffixes = {
	name: 'packed-suffixes',
	setup({ onLoad }) {
		onLoad({ filter: /[\\/]tldts[\\/].*[\\/]data[\\/]trie\.js$/ }, async ({ path }) => {
			const trie = await import(pathToFileURL(path).href);
			return {
				resolveDir: root,
				contents: `
					import { unpack } from './build/publicSuffixes.mjs';
					export const { ${Object.keys(trie).join(', ')} } = unpack(${JSON.stringify(pack(trie))});`,
			};
		});
	},
};

/** What the parts of others bring along and nobody here asks for stays out. */
const slimmed = [tamedSdk, sdkModules, plainZod, packedSuffixes];

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
 * In CommonJS, importing everything of a module means to copy it: hundreds of members of the editor's API, for every source file,
 * whenever a window opens. It is the API itself instead, which never changes.
 */
const IMPORT_OF_EDITOR = /\bimport ?\* ?as ([\w$]+) from ?"vscode";/g;

/**
 * Editors load extensions as CommonJS, but only modules can be split: each file is built as a module and then rewritten.
 * @type {esbuild.Plugin}
 */
const asCommonJs = {
	name: 'as-common-js',
	setup({ initialOptions, onEnd }) {
		onEnd(async ({ outputFiles = [] }) => {
			for (const { path, text } of outputFiles) {
				const { code } = await esbuild.transform(text.replace(IMPORT_OF_EDITOR, 'const $1 = require("vscode");'), {
					format: 'cjs',
					// For Node, each file would repeat its exports for modules that import it, and none does.
					platform: 'neutral',
					target: 'node18',
					minify: initialOptions.minify ?? false,
					sourcemap: initialOptions.sourcemap ? 'inline' : false,
					// import('./mcp.cjs') is written as a require, which every editor loads from a CommonJS extension.
					supported: { 'dynamic-import': false },
				});
				await mkdir(dirname(path), { recursive: true });
				await writeFile(path, code);
			}
		});
	},
};

/**
 * The programs for the editor's Node as modules, not written anywhere.
 * @param {boolean} production
 * @param {Record<string, string>} entryPoints name to source
 * @param {string} [outdir]
 * @returns {esbuild.BuildOptions}
 */
export function nodeModules(production, entryPoints, outdir = 'dist') {
	return {
		...common(production),
		sourcemap: production ? false : 'inline',
		entryPoints,
		outdir,
		outExtension: { '.js': '.cjs' },
		chunkNames: '[name]-[hash]',
		platform: 'node',
		target: 'node18',
		format: 'esm',
		splitting: true,
		// Of the parser of JSON only the modules can be bundled.
		mainFields: ['module', 'main'],
		// The SDK signs for clients with keys, and proves the possession of keys, with the help of jose; neither is asked of it.
		external: ['vscode', 'jose'],
		plugins: slimmed,
		write: false,
	};
}

/**
 * The programs for the editor's Node as they are shipped.
 * @param {Parameters<typeof nodeModules>} parameters
 * @returns {esbuild.BuildOptions}
 */
export function nodeBundles(...parameters) {
	return { ...nodeModules(...parameters), plugins: [...slimmed, asCommonJs] };
}

/** The pages: one script for all of them, a style sheet for each, and one that they share. */
const WEBVIEW_ENTRIES = [
	'src/webview/pages.ts',
	...['form', 'result', 'start', 'timeline', 'tokens', 'trials', 'url'].map((name) => `src/webview/${name}.css`),
];

/**
 * @param {boolean} production
 * @returns {esbuild.BuildOptions}
 */
function webviewBundles(production) {
	return {
		...common(production),
		entryPoints: WEBVIEW_ENTRIES,
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
	await removeOldFiles();
	const made = await Promise.all(bundles(production).map((options) => esbuild.build(options)));
	await publishTypes();
	return Object.assign({}, ...made.map(({ metafile }) => metafile?.outputs));
}

/** The names of shared files change with what is in them. */
async function removeOldFiles() {
	const dist = join(root, 'dist');
	const names = await readdir(dist).catch(() => []);
	const old = names.filter((name) => name.endsWith('.cjs') || name.endsWith('.cjs.map'));
	await Promise.all([...old, 'webview'].map((name) => rm(join(dist, name), { recursive: true, force: true })));
}

/** What other extensions know of this one. The file holds nothing but types, so it is its own declaration. */
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
