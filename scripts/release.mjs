// @ts-check
/**
 * What the release workflow asks before it publishes.
 *   node scripts/release.mjs v1.2.3           whether the tag can be released; `prerelease=true` or `prerelease=false`
 *   node scripts/release.mjs v1.2.3 --notes   what the changelog says of it
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../test/harness/paths.mjs';
import { main, Stop } from '../test/harness/process.mjs';

/**
 * Odd minor versions are pre-releases, as the Marketplace recommends. It doesn't support `1.2.3-beta`.
 * @param {string} version
 */
export function isPreRelease(version) {
	return Number(version.split('.')[1]) % 2 === 1;
}

/**
 * The section of a version in a Keep a Changelog file; `undefined` if there is none.
 * @param {string} changelog
 * @param {string} version
 */
export function notesOf(changelog, version) {
	const sections = changelog.split(/^## /m).slice(1);
	const section = sections.find((text) => text.startsWith(`[${version}] - `));
	return section
		?.slice(section.indexOf('\n'))
		.replace(/^\[[^\]]+\]: .*$/gm, '')
		.trim();
}

/**
 * @param {string} tag
 * @param {string} version what package.json says
 * @param {string} changelog
 * @returns {string} what the changelog says of it
 */
export function releasable(tag, version, changelog) {
	if (tag !== `v${version}`) {
		throw new Stop(`The tag ${tag} does not fit version ${version} in package.json.`);
	}
	const notes = notesOf(changelog, version);
	if (!notes) {
		throw new Stop(`CHANGELOG.md says nothing of ${version}: it needs a section "## [${version}] - YYYY-MM-DD".`);
	}
	return notes;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	await main(async () => {
		const [tag = '', ...flags] = process.argv.slice(2);
		const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
		const notes = releasable(tag, version, await readFile(join(root, 'CHANGELOG.md'), 'utf8'));
		console.log(flags.includes('--notes') ? notes : `prerelease=${isPreRelease(version)}`);
	});
}
