// @ts-check
/** Builds and packs the npm package of the command line; `npm run package:cli`. */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { dist, root } from '../test/harness/paths.mjs';
import { main, run, Stop, tell } from '../test/harness/process.mjs';
import { notices, parts } from './billOfMaterials.mjs';
import { bundlePrograms, NODE_ENTRIES, sourcesOf } from './build.mjs';

/** What the program is made of: itself, and what it runs in other processes and threads. */
const { reaper, recorder, validator } = NODE_ENTRIES;
const CLI_ENTRIES = { cli: 'src/cli/main.ts', recorder, reaper, validator };

/**
 * Builds the package into `cli` of a folder, and packs it beside it.
 * @param {string} [folder]
 * @param {string} [repository] public URL of the repository
 * @returns {Promise<{ folder: string, tarball: string, bytes: number }>} the built package, and the packed one
 */
export async function packageCli(folder = dist, repository = undefined) {
	const stage = join(folder, 'cli');
	await rm(stage, { recursive: true, force: true });
	await mkdir(stage, { recursive: true });
	const outputs = await bundlePrograms(CLI_ENTRIES, stage);
	await writeFile(join(stage, 'THIRD-PARTY-NOTICES.txt'), notices(await parts(sourcesOf(outputs)), 'package'));
	await cp(join(root, 'LICENSE'), join(stage, 'LICENSE'));
	await cp(join(root, 'src/cli/README.md'), join(stage, 'README.md'));
	const manifest = await manifestOf(repository);
	await writeFile(join(stage, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
	const { code, output } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: stage });
	const packed = code === 0 ? JSON.parse(output.slice(output.indexOf('['), output.lastIndexOf(']') + 1))[0] : undefined;
	if (packed === undefined) {
		throw new Stop(`The package could not be packed:\n${output}`);
	}
	return { folder: stage, tarball: join(folder, packed.filename), bytes: packed.size };
}

/**
 * The manifest of the package, with what it shares with that of the extension. There are no dependencies: everything is
 * bundled.
 * @param {string | undefined} repository
 */
async function manifestOf(repository) {
	const { name, version, license, engines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
	return {
		name,
		version,
		description: 'Runs recorded MCP calls, with their elicitations, against a server, without an editor.',
		keywords: ['mcp', 'model context protocol', 'elicitation', 'test'],
		license,
		type: 'module',
		bin: { [name]: 'cli.mjs' },
		engines: { node: engines.node },
		files: ['*.mjs', 'THIRD-PARTY-NOTICES.txt'],
		...(repository && { repository: { type: 'git', url: `git+${repository}.git` } }),
	};
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	await main(async () => {
		const { values } = parseArgs({ options: { repository: { type: 'string' } } });
		const { tarball, bytes } = await packageCli(dist, values.repository);
		tell(`packed ${tarball}: ${(bytes / 1024).toFixed(1)} KB`);
	});
}
