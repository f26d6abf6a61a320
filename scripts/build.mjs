// @ts-check
/**
 * Builds everything that the extension ships into dist/: programs for Node with Rolldown, pages and their styles with esbuild.
 *   node scripts/build.mjs [--production] [--watch]
 */
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { rolldown, watch as watchPrograms } from 'rolldown';
import { dist, root } from '../test/harness/paths.mjs';
import { outputsOfPages, outputsOfPrograms, textsIn } from './bundles.mjs';

/** What runs in Node: the extension, its worker and its processes. What is loaded on demand becomes a file beside them. */
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

/** @param {boolean} production */
const define = (production) => ({ 'process.env.NODE_ENV': production ? '"production"' : '"development"' });

/**
 * @param {Record<string, string>} input name to source
 * @param {boolean} production
 * @returns {import('rolldown').InputOptions}
 */
function programs(input, production) {
	return {
		cwd: root,
		input,
		platform: 'node',
		resolve: {
			// jsonc-parser can only be bundled as a module.
			mainFields: ['module', 'main'],
			// The SDK would run servers' schemas in the extension host with ajv; only the worker may (SECURITY.md).
			alias: {
				'@modelcontextprotocol/client/_shims': join(root, 'scripts/sdkWithoutAjv.mjs'),
				'@modelcontextprotocol/server/_shims': join(root, 'scripts/sdkWithoutAjv.mjs'),
			},
		},
		// The SDK signs DPoP proofs and private key assertions with jose; sign-in by a person needs neither.
		external: ['vscode', 'jose'],
		transform: { target: 'node20', define: define(production) },
		// Otherwise, the list of public suffixes is repeated wherever it is used.
		optimization: { inlineConst: false },
		// Modules of an entry can be moved to a file that it shares.
		preserveEntrySignatures: 'allow-extension',
	};
}

/**
 * @param {readonly string[]} entries
 * @param {string} dir
 * @param {boolean} production
 * @returns {import('rolldown').OutputOptions}
 */
function files(entries, dir, production) {
	return {
		dir,
		format: 'esm',
		entryFileNames: '[name].mjs',
		chunkFileNames: '[name]-[hash].mjs',
		minify: production,
		sourcemap: !production,
		comments: { legal: false, annotation: !production, jsdoc: !production },
		codeSplitting: {
			includeDependenciesRecursively: false,
			groups: [{ name: startFiles(entries), debugName: 'start' }],
		},
	};
}

/**
 * Names the file of what the first program imports: one file for the modules that other programs have, too, and one for all
 * others. Each file costs time when a window opens, and left to itself a bundler makes dozens of them.
 * @param {readonly string[]} entries
 * @returns {import('rolldown').CodeSplittingNameFunction}
 */
function startFiles([first = '', ...others]) {
	/** @param {import('rolldown').ChunkingContext} bundle */
	const modules = (bundle) => {
		const importsOf = (/** @type {string} */ id) => bundle.getModuleInfo(id)?.importedIds ?? [];
		const onDemand = (/** @type {string} */ id) => bundle.getModuleInfo(id)?.dynamicallyImportedIds ?? [];
		return {
			// Not the entry itself: what it loads would wait for it, and it may wait for what it loads.
			atStart: closure(importsOf(resolve(root, first)), importsOf),
			ofOthers: closure(
				others.map((other) => resolve(root, other)),
				(id) => [...importsOf(id), ...onDemand(id)],
			),
		};
	};
	/** @type {ReturnType<typeof modules> | undefined} */
	let found;
	return (id, bundle) => {
		found ??= modules(bundle);
		return found.atStart.has(id) ? (found.ofOthers.has(id) ? 'shared' : 'start') : null;
	};
}

/**
 * @param {readonly string[]} from
 * @param {(id: string) => readonly string[]} next
 */
function closure(from, next) {
	const found = new Set(from);
	// A set also visits what is added meanwhile.
	for (const id of found) {
		for (const each of next(id)) {
			found.add(each);
		}
	}
	return found;
}

/**
 * Bundles programs for Node as ES modules.
 * @param {Record<string, string>} input name to source, the one whose start counts first
 * @param {{ dir?: string, production?: boolean }} [options] without a folder, nothing is written
 * @returns {Promise<import('./bundles.mjs').Outputs>} what was made, of what
 */
export async function bundlePrograms(input, { dir, production = true } = {}) {
	const bundle = await rolldown(programs(input, production));
	try {
		const options = files(Object.values(input), dir ?? dist, production);
		const { output } = await (dir === undefined ? bundle.generate(options) : bundle.write(options));
		return outputsOfPrograms(output);
	} finally {
		await bundle.close();
	}
}

/**
 * @param {boolean} production
 * @param {string} dir
 * @returns {esbuild.BuildOptions & { metafile: true }}
 */
export function pages(production, dir) {
	return {
		absWorkingDir: root,
		bundle: true,
		logLevel: 'warning',
		minify: production,
		// A page is one file, see webviewPage.ts.
		sourcemap: production ? false : 'inline',
		legalComments: 'none',
		metafile: true,
		define: define(production),
		entryPoints: WEBVIEW_ENTRIES,
		entryNames: '[name]',
		loader: { '.svg': 'text' },
		outdir: join(dir, 'webview'),
		platform: 'browser',
		target: 'chrome128',
		format: 'iife',
		// Texts stand in a script as they are written.
		charset: 'utf8',
		plugins: [{ name: 'texts', setup: ({ onEnd }) => onEnd(({ metafile }) => listTexts(metafile)) }],
	};
}

/**
 * Lists what each script of the pages says beside it: the editor sends a page these translations.
 * @param {esbuild.Metafile | undefined} metafile none after an error
 */
async function listTexts(metafile) {
	const scripts = Object.keys(metafile?.outputs ?? {}).filter((name) => name.endsWith('.js'));
	const texts = Object.keys(JSON.parse(await readFile(join(root, 'l10n/bundle.l10n.json'), 'utf8')));
	for (const script of scripts.map((name) => join(root, name))) {
		const said = textsIn(await readFile(script, 'utf8'), texts);
		await writeFile(script.replace(/js$/, 'json'), JSON.stringify(said));
	}
}

/**
 * Builds all bundles.
 * @param {{ production?: boolean, dir?: string }} [options]
 * @returns {Promise<import('./bundles.mjs').Outputs>} what was made, of what
 */
export async function build({ production = false, dir = dist } = {}) {
	// The names of shared files change with their content: old ones must not stay.
	await rm(dir, { recursive: true, force: true });
	const [made, { metafile }] = await Promise.all([
		bundlePrograms(NODE_ENTRIES, { dir, production }),
		esbuild.build(pages(production, dir)),
	]);
	await publishTypes(dir);
	return { ...made, ...outputsOfPages(metafile) };
}

/** What other extensions compile against. The file holds nothing but types, so it is its own declaration. */
async function publishTypes(dir = dist) {
	await mkdir(dir, { recursive: true });
	await copyFile(join(root, 'src/api.ts'), join(dir, 'api.d.ts'));
}

/** Builds after every change, and says so in the words of esbuild, of which `npm run dev` waits for the shorter ones. */
async function watch() {
	await publishTypes();
	const context = await esbuild.context({ ...pages(false, dist), logLevel: 'info' });
	await context.watch();
	const output = files(Object.values(NODE_ENTRIES), dist, false);
	let more = ', watching for changes...';
	watchPrograms({ ...programs(NODE_ENTRIES, false), output }).on('event', async (event) => {
		if (event.code === 'BUNDLE_START') {
			console.error('[watch] build started');
		} else if (event.code === 'BUNDLE_END') {
			console.error(`[watch] build finished${more}`);
			more = '';
		} else if (event.code === 'ERROR') {
			console.error(event.error.message);
		}
		if ('result' in event) {
			await event.result.close();
		}
	});
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	try {
		await (process.argv.includes('--watch') ? watch() : build({ production: process.argv.includes('--production') }));
	} catch (error) {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	}
}
