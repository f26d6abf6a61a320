// @ts-check
/** Hooks by which Node 20 imports TypeScript, and JSON as bundlers do. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
	const [, kind] = /\.(ts|json)$/.exec(url) ?? [];
	if (kind === undefined || url.includes('/node_modules/')) {
		return next(url, context);
	}
	const text = await readFile(fileURLToPath(url), 'utf8');
	const source = kind === 'json' ? `export default ${text}` : (await transform(text, { loader: 'ts' })).code;
	return { format: 'module', source, shortCircuit: true };
}
