// @ts-check
import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './paths.mjs';

/**
 * Copies one of the test extensions into a folder of extensions, before an editor scans it.
 * @param {'exampleExtension' | 'languageModel' | 'probe' | 'reloader'} name
 * @param {string} extensions
 */
export async function addTestExtension(name, extensions) {
	const folder = join(root, 'test', name);
	const { publisher, name: id, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
	await cp(folder, join(extensions, `${publisher}.${id}-${version}`), { recursive: true });
	// The editor caches the installed extensions in this file. Without it, the folder is scanned.
	await rm(join(extensions, 'extensions.json'), { force: true });
}
