// @ts-check
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from '../../esbuild.mjs';
import { dist, root } from './paths.mjs';
import { main, run, Stop, tell } from './process.mjs';

/**
 * Builds for production and packs the extension.
 * @returns {Promise<string>} the path of the .vsix
 */
export async function packageExtension() {
	const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
	const vsix = join(dist, `mcp-elicitation-${version}.vsix`);
	const vsce = join(dirname(createRequire(import.meta.url).resolve('@vscode/vsce/package.json')), 'vsce');
	await build({ production: true });
	// Everything is bundled; and where the repository lives is not part of the package, so links stay as they are.
	const args = [
		'package',
		'--no-dependencies',
		'--allow-missing-repository',
		'--no-rewrite-relative-links',
		'--out',
		vsix,
	];
	const { code, output } = await run(process.execPath, [vsce, ...args], { cwd: root });
	if (code !== 0 || /warning/i.test(output)) {
		throw new Stop(`The extension could not be packaged cleanly:\n${output}`);
	}
	return vsix;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	await main(async () => tell(`packaged ${await packageExtension()}`));
}
