// @ts-check
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { dist, root } from '../test/harness/paths.mjs';
import { main, run, Stop, tell } from '../test/harness/process.mjs';
import { billOfMaterials, notices, parts } from './billOfMaterials.mjs';
import { build, sourcesOf } from './build.mjs';
import { isPreRelease } from './release.mjs';

/** Files and folders to copy; `.vscodeignore` decides which of them are packaged. */
const SHIPPED = [
	'.vscodeignore',
	'CHANGELOG.md',
	'LICENSE',
	'README.md',
	'package.json',
	'package.nls.json',
	'package.nls.zh-cn.json',
	'l10n',
	'media',
	'schemas',
];

/** JSON files whose indentation would cost more than 1 KB of the package, even compressed. */
const DENSE = ['package.json', 'l10n/bundle.l10n.zh-cn.json'];

/** 1980-01-01, the earliest time in a zip file, so that packages are reproducible. */
const EPOCH = '315532800';

/** @typedef {{ vsix: string, bytes: number, outputs: import('./build.mjs').Outputs }} Package */

/**
 * Builds and packages the extension with its third-party licenses and bill of materials.
 * @param {string} [folder] where the .vsix goes
 * @param {string} [repository] public URL of the repository, for the pictures and links of the README
 * @returns {Promise<Package>}
 */
export async function packageExtension(folder = dist, repository = undefined) {
	const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
	const vsix = join(folder, `${manifest.name}-${manifest.version}.vsix`);
	const stage = await mkdtemp(join(tmpdir(), 'mcp-elicitation-package-'));
	try {
		await mkdir(folder, { recursive: true });
		// Not in dist, which a window of the checkout may be using.
		const outputs = await build({ production: true, dir: join(stage, 'dist') });
		await Promise.all(SHIPPED.map((name) => cp(join(root, name), join(stage, name), { recursive: true })));
		await Promise.all(DENSE.map((name) => withoutIndentation(join(stage, name))));
		const bundled = await parts(sourcesOf(outputs));
		await writeFile(join(stage, 'THIRD-PARTY-NOTICES.txt'), notices(bundled));
		await writeFile(join(stage, 'sbom.cdx.json'), await billOfMaterials(manifest, bundled));
		await writeFile(join(stage, 'package.json'), JSON.stringify(shippedManifest(manifest)));
		if (!repository) {
			await writeFile(join(stage, 'README.md'), asPackaged(await readFile(join(root, 'README.md'), 'utf8')));
		}
		await pack(stage, vsix, isPreRelease(manifest.version), repository);
		return { vsix, bytes: (await stat(vsix)).size, outputs };
	} finally {
		await rm(stage, { recursive: true, force: true });
	}
}

/** @param {string} file JSON */
async function withoutIndentation(file) {
	await writeFile(file, JSON.stringify(JSON.parse(await readFile(file, 'utf8'))));
}

/**
 * The manifest without what only this repository uses.
 * @param {Record<string, unknown>} manifest
 */
function shippedManifest({ scripts, dependencies, devDependencies, ...shipped }) {
	return shipped;
}

/**
 * Adapts a Markdown page to a package that doesn't know the URL of the repository: removes images and lines of links, and
 * turns other links to files into text.
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
 * @param {string | undefined} repository
 */
async function pack(stage, vsix, preRelease, repository) {
	const vsce = join(dirname(createRequire(import.meta.url).resolve('@vscode/vsce/package.json')), 'vsce');
	const links = repository
		? ['--baseContentUrl', `${repository}/blob/HEAD`, '--baseImagesUrl', `${repository}/raw/HEAD`]
		: ['--no-rewrite-relative-links'];
	// No dependencies: everything is bundled.
	const args = [
		'package',
		'--no-dependencies',
		// Until package.json has `repository` and a bug tracker.
		'--allow-missing-repository',
		...links,
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
		const { values } = parseArgs({ options: { repository: { type: 'string' } } });
		if (!values.repository) {
			tell('warning: without --repository=https://…, the README in the package has no pictures and no links');
		}
		const { vsix, bytes } = await packageExtension(dist, values.repository);
		tell(`packaged ${vsix}: ${(bytes / 1024).toFixed(1)} KB`);
		tell(
			`SHA-256 ${createHash('sha256')
				.update(await readFile(vsix))
				.digest('hex')}`,
		);
	});
}
