// @ts-check
/**
 * Builds everything that the extension ships into dist/.
 *   node esbuild.mjs [--production] [--watch]
 */
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));

/**
 * Keeps the MCP part, and the SDK with it, out of what runs when the window opens: the small entry loads it on first use.
 * @type {esbuild.Plugin}
 */
export const mcpOnDemand = {
	name: 'mcp-on-demand',
	setup({ onResolve }) {
		onResolve({ filter: /\/mcp\/[^/]+\.ts$/ }, ({ path, kind }) => {
			if (path.endsWith('/mcp/index.ts') && kind === 'dynamic-import') {
				return { path: './mcp.cjs', external: true };
			}
			return {
				errors: [
					{ text: `${path} is loaded on demand: import type from it, values with await import('…/mcp/index.ts')` },
				],
			};
		});
	},
};

/**
 * Lets the entry and the MCP part share one bundle of the judgement of URLs, which the entry loads when a page is asked for.
 * @type {esbuild.Plugin}
 */
export const urlSafetyOnDemand = {
	name: 'url-safety-on-demand',
	setup({ onResolve }) {
		onResolve({ filter: /\/url\/urlSafety\.ts$/ }, ({ kind }) =>
			kind === 'entry-point' ? undefined : { path: './urlSafety.cjs', external: true },
		);
	},
};

/**
 * Keeps the reading of configurations out of what runs when the window opens: the entry loads it when it gets to that.
 * @type {esbuild.Plugin}
 */
export const configOnDemand = {
	name: 'config-on-demand',
	setup({ onResolve }) {
		onResolve({ filter: /\/config\/[^/]+\.ts$/ }, ({ path, kind }) => {
			if (path.endsWith('/config/index.ts') && kind === 'dynamic-import') {
				return { path: './config.cjs', external: true };
			}
			return path.endsWith('/config/shape.ts')
				? undefined
				: {
						errors: [
							{ text: `${path} is loaded on demand: import type from it, values through src/editor/loadConfig.ts` },
						],
					};
		});
	},
};

/**
 * Keeps a part of the editor's room out of what runs when the window opens: the entry loads it when it is needed.
 * @param {string} name of the part and of its bundle
 * @param {RegExp} filter the one file that the entry loads of it
 * @returns {esbuild.Plugin}
 */
const partOnDemand = (name, filter) => ({
	name: `${name}-on-demand`,
	setup({ onResolve }) {
		onResolve({ filter }, ({ path, kind }) =>
			kind === 'dynamic-import'
				? { path: `./${name}.cjs`, external: true }
				: { errors: [{ text: `${path} is loaded on demand: import type from it, values with await import('…')` }] },
		);
	},
});

/** What the entry of the extension does not hold itself. */
export const partsOnDemand = [
	mcpOnDemand,
	urlSafetyOnDemand,
	configOnDemand,
	// By which a person is asked, before the first server is started.
	partOnDemand('asking', /\/asking\.ts$/),
	// Who answers in the person's place, right after the window has opened.
	partOnDemand('answering', /\/answering\.ts$/),
	// The timeline, when somebody looks at it.
	partOnDemand('timeline', /\/surfaces\.ts$/),
	// What authors of servers try them out with.
	partOnDemand('debugging', /\/debugging\.ts$/),
];

/**
 * The SDK's own checking of what servers send would run their schemas in the extension host. Only the worker may do that
 * (SECURITY: schemas and patterns), so the SDK gets a validator that believes everything, and no ajv.
 * @type {esbuild.Plugin}
 */
const tamedSdk = {
	name: 'tamed-sdk',
	setup({ onResolve, onLoad }) {
		onResolve({ filter: /^@modelcontextprotocol\/client\/_shims$/ }, ({ path }) => ({ path, namespace: 'tamed-sdk' }));
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
		define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
	};
}

/**
 * One bundle for the editor's Node.
 * @param {boolean} production
 * @param {string} source
 * @param {string} name
 * @param {esbuild.BuildOptions} [more]
 * @returns {esbuild.BuildOptions}
 */
export function nodeBundle(production, source, name, more = {}) {
	return {
		...common(production),
		entryPoints: { [name]: source },
		outdir: 'dist',
		outExtension: { '.js': '.cjs' },
		platform: 'node',
		target: 'node18',
		format: 'cjs',
		external: ['vscode'],
		// import('./mcp.cjs') is written as a require, which every editor loads from a CommonJS extension.
		supported: { 'dynamic-import': false },
		...more,
	};
}

/**
 * One page's script and, next to it, the style sheet that it imports.
 * @param {boolean} production
 * @param {string} source
 * @param {string} name
 * @returns {esbuild.BuildOptions}
 */
function webviewBundle(production, source, name) {
	return {
		...common(production),
		entryPoints: { [name]: source },
		outdir: 'dist/webview',
		platform: 'browser',
		target: 'chrome128',
		format: 'iife',
	};
}

/**
 * What runs in the editor's Node without the editor: everything but the entry.
 * @param {boolean} production
 */
export function nodeBundles(production) {
	return [
		nodeBundle(production, 'src/mcp/index.ts', 'mcp', { plugins: [tamedSdk, urlSafetyOnDemand] }),
		nodeBundle(production, 'src/elicitation/url/urlSafety.ts', 'urlSafety'),
		// Of its parser of JSON only the modules can be bundled.
		nodeBundle(production, 'src/config/index.ts', 'config', { mainFields: ['module', 'main'] }),
		nodeBundle(production, 'src/mcp/reaper.ts', 'reaper'),
		nodeBundle(production, 'src/validation/worker.ts', 'validator'),
		nodeBundle(production, 'src/demo/server.ts', 'demo', {
			alias: { '@modelcontextprotocol/server/_shims': './src/demo/shims.ts' },
		}),
	];
}

/** @param {boolean} production */
function bundles(production) {
	return [
		nodeBundle(production, 'src/extension.ts', 'extension', { plugins: partsOnDemand }),
		nodeBundle(production, 'src/editor/asking.ts', 'asking', { plugins: [mcpOnDemand, urlSafetyOnDemand] }),
		nodeBundle(production, 'src/editor/answering.ts', 'answering', { plugins: [mcpOnDemand, configOnDemand] }),
		nodeBundle(production, 'src/editor/timeline/surfaces.ts', 'timeline'),
		nodeBundle(production, 'src/editor/debugging.ts', 'debugging', {
			plugins: [mcpOnDemand, configOnDemand, urlSafetyOnDemand],
		}),
		...nodeBundles(production),
		webviewBundle(production, 'src/webview/form.ts', 'form'),
		webviewBundle(production, 'src/webview/result.ts', 'result'),
		webviewBundle(production, 'src/webview/timeline.ts', 'timeline'),
		webviewBundle(production, 'src/webview/trials.ts', 'trials'),
		webviewBundle(production, 'src/webview/url.ts', 'url'),
	];
}

/**
 * Builds all bundles.
 * @param {{ production?: boolean }} [options]
 */
export async function build({ production = false } = {}) {
	await Promise.all([...bundles(production).map((options) => esbuild.build(options)), publishTypes()]);
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
