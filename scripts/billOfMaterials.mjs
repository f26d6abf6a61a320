// @ts-check
/** Lists the bundled third-party parts: their licenses as text, and a CycloneDX bill of materials. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../test/harness/paths.mjs';
import { run, Stop } from '../test/harness/process.mjs';

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {string} [version]
 * @property {string} license an SPDX expression
 * @property {string} text its license and notices
 * @property {'library' | 'data'} type
 */

/** Parts inside packages that have a license of their own. */
const WITHIN = /** @type {Record<string, Part>} */ ({
	tldts: {
		name: 'Public Suffix List',
		license: 'MPL-2.0',
		type: 'data',
		text: [
			'Compiled into tldts. Its source is at https://publicsuffix.org/list/public_suffix_list.dat and is subject to the terms of',
			'the Mozilla Public License, v. 2.0, which is at https://mozilla.org/MPL/2.0/.',
		].join('\n'),
	},
});

/** The text of this license, which allows a link in its place (section 3(a)(1)(C)). */
const CC_BY_4 = /^Attribution 4\.0 International$.*Creative Commons may be contacted at creativecommons\.org\.$/ms;
const CC_BY_4_LINK = [
	'Copyright (c) Microsoft Corporation. The icons are used unchanged, under the Creative Commons Attribution 4.0 International',
	'Public License, which is at https://creativecommons.org/licenses/by/4.0/legalcode.',
].join('\n');

/**
 * The packages of the bundled sources and the parts inside them, by name.
 * @param {readonly string[]} sources paths as the bundler names them
 * @returns {Promise<Part[]>}
 */
export async function parts(sources) {
	const folders = sources.flatMap((source) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []);
	const libraries = await Promise.all([...new Set(folders)].map((folder) => library(join(root, folder))));
	return libraries
		.flatMap((part) => [part, WITHIN[part.name] ?? []].flat())
		.sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

/**
 * @param {string} folder
 * @returns {Promise<Part>}
 */
async function library(folder) {
	const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
	const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file)).sort();
	const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
	if (!license || texts.length === 0) {
		throw new Error(`${name} comes without a license and cannot be shipped.`);
	}
	const text = texts.map((text) => text.trim().replace(CC_BY_4, CC_BY_4_LINK)).join('\n\n');
	return { name, version, license, type: 'library', text };
}

/**
 * @param {readonly Part[]} all
 * @param {string} [whole] what contains them
 * @returns {string} the licenses; packages that share a text share its place
 */
export function notices(all, whole = 'extension') {
	/** @type {Map<string, string[]>} */
	const byText = new Map();
	for (const { name, version, license, text } of all) {
		const title = `${[name, version].filter(Boolean).join(' ')} (${license})`;
		byText.set(text, [...(byText.get(text) ?? []), title]);
	}
	const blocks = [...byText].map(([text, titles]) => `${titles.join('\n')}\n\n${text}\n`);
	return [`This ${whole} contains the following works of others.\n`, ...blocks].join(`\n${'-'.repeat(80)}\n\n`);
}

/**
 * npm's own bill of materials of what is installed (CycloneDX), without the packages that are not bundled, and without what
 * differs from run to run and from machine to machine.
 * @param {{ name: string, publisher: string }} manifest of the extension
 * @param {readonly Part[]} all
 * @returns {Promise<string>} JSON
 */
export async function billOfMaterials({ name, publisher }, all) {
	const args = [
		'sbom',
		'--sbom-format=cyclonedx',
		'--sbom-type=application',
		'--package-lock-only',
		'--loglevel=error',
	];
	const { code, output } = await run('npm', args, { cwd: root });
	if (code !== 0) {
		throw new Stop(`npm cannot list the packages:\n${output}`);
	}
	const { serialNumber, metadata, components, dependencies, ...bill } = JSON.parse(output);
	const { description, ...component } = metadata.component;
	const bundled = new Set(all.map(({ name, version }) => `${name}@${version}`));
	const data = all.filter(({ type }) => type === 'data');
	return JSON.stringify({
		...bill,
		metadata: { component: { ...component, name, publisher } },
		components: [
			...components.filter((/** @type {{ 'bom-ref': string }} */ each) => bundled.has(each['bom-ref'])),
			...data.map(({ type, name, license }) => ({ type, name, licenses: [{ license: { id: license } }] })),
		],
	});
}
