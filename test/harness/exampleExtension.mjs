// @ts-check
import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './paths.mjs';

const EXAMPLE = join(root, 'test/exampleExtension');

/**
 * Puts the extension that uses the API into a folder of extensions, before an editor has looked into it.
 * @param {string} extensions
 */
export async function addExampleExtension(extensions) {
	const { publisher, name, version } = JSON.parse(await readFile(join(EXAMPLE, 'package.json'), 'utf8'));
	await cp(EXAMPLE, join(extensions, `${publisher}.${name}-${version}`), { recursive: true });
	// The editor lists what it has installed there; without the list it looks for itself.
	await rm(join(extensions, 'extensions.json'), { force: true });
}
