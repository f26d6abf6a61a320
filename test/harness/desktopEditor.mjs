// @ts-check
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { cache } from './paths.mjs';
import { tell } from './process.mjs';

const DOWNLOADS = 'https://update.code.visualstudio.com/api/releases/stable';
const PROBE_DEADLINE = 5000;

/**
 * The desktop VS Code that @vscode/test-electron downloads, or undefined where its place cannot be reached.
 * @returns {Promise<string | undefined>}
 */
export async function desktopEditor() {
	const reachable = await fetch(DOWNLOADS, { signal: AbortSignal.timeout(PROBE_DEADLINE) }).then(
		(answer) => answer.ok,
		() => false,
	);
	if (!reachable) {
		return undefined;
	}
	tell('fetching the desktop VS Code unless it is in the cache; about a minute, once');
	const path = await downloadAndUnzipVSCode({ version: 'stable', cachePath: cache });
	if (existsSync(path)) {
		return path;
	}
	// For macOS, recent releases have another name than @vscode/test-electron 2 expects.
	const [name = ''] = await readdir(dirname(path));
	return join(dirname(path), name);
}
