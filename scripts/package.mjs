// @ts-check
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from '../esbuild.mjs';
import { dist, root } from '../test/harness/paths.mjs';
import { main, run, Stop, tell } from '../test/harness/process.mjs';
import { billOfMaterials, notices, parts } from './billOfMaterials.mjs';
import { bytesOf, loadedWith, sourcesOf } from './bundles.mjs';
import { isPreRelease } from './release.mjs';

/** Where what is shipped stands in the checkout; `.vscodeignore` tells what of it is. */
const SHIPPED = [
	'.vscodeignore',
	'CHANGELOG.md',
	'LICENSE',
	'README.md',
	'package.json',
	'package.nls.json',
	'package.nls.zh-cn.json',
	'dist',
	'l10n',
	'media',
	'schemas',
];

/** 1980-01-01, the first moment that a zip file can name: the same input gives the same bytes, whenever it is packed. */
const EPOCH = '315532800';

/** @typedef {{ vsix: string, bytes: number, bytesAtStart: number }} Package */

/**
 * Builds for production and packs the extension, with the licences and the list of everything that is bundled.
 * @param {string} [folder] where the .vsix goes
 * @returns {Promise<Package>}
 */
export async function packageExtension(folder = dist) {
	const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
	const vsix = join(folder, `${manifest.name}-${manifest.version}.vsix`);
	const outputs = await build({ production: true });
	const stage = await mkdtemp(join(tmpdir(), 'mcp-elicitation-package-'));
	try {
		await Promise.all(SHIPPED.map((name) => cp(join(root, name), join(stage, name), { recursive: true })));
		const bundled = await parts(sourcesOf(outputs));
		await writeFile(join(stage, 'THIRD-PARTY-NOTICES.txt'), notices(bundled));
		await writeFile(join(stage, 'sbom.cdx.json'), billOfMaterials(manifest, bundled));
		await writeFile(join(stage, 'README.md'), asPackaged(await readFile(join(root, 'README.md'), 'utf8')));
		await pack(stage, vsix, isPreRelease(manifest.version));
	} finally {
		await rm(stage, { recursive: true, force: true });
	}
	return { vsix, bytes: (await stat(vsix)).size, bytesAtStart: bytesOf(loadedWith(outputs, 'dist/extension.mjs')) };
}

/**
 * A page as it is shown outside the repository, which has no public address yet: without its pictures and lines of links, other links to its files as words.
 * @param {string} markdown
 */
export function asPackaged(markdown) {
	return markdown
		.replace(/^!?\[[^\]]*\]\((?!https:|#)[^)]*\)\n+/gm, '')
		.replace(/\[([^\]]+)\]\((?!https:|#)[^)]*\)/g, '$1');
}

/**
 * @param {string} stage
 * @param {string} vsix
 * @param {boolean} preRelease
 */
async function pack(stage, vsix, preRelease) {
	const vsce = join(dirname(createRequire(import.meta.url).resolve('@vscode/vsce/package.json')), 'vsce');
	// Everything is bundled; and where the repository lives is not part of the package, so links stay as they are.
	const args = [
		'package',
		'--no-dependencies',
		'--allow-missing-repository',
		'--no-rewrite-relative-links',
		...(preRelease ? ['--pre-release'] : []),
		'--out',
		vsix,
	];
	const env = { ...process.env, SOURCE_DATE_EPOCH: EPOCH, TZ: 'UTC', LC_ALL: 'C' };
	const { code, output } = await run(process.execPath, [vsce, ...args], { cwd: stage, env });
	if (code !== 0 || /warning/i.test(output)) {
		throw new Stop(`The extension could not be packaged cleanly:\n${output}`);
	}
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	await main(async () => {
		const { vsix, bytes, bytesAtStart } = await packageExtension();
		const inKilobytes = (/** @type {number} */ size) => `${(size / 1024).toFixed(1)} KB`;
		tell(`packaged ${vsix}: ${inKilobytes(bytes)}; loaded at start: ${inKilobytes(bytesAtStart)}`);
		tell(
			`SHA-256 ${createHash('sha256')
				.update(await readFile(vsix))
				.digest('hex')}`,
		);
	});
}
