// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { darkOf } from '../test/harness/gallery.mjs';
import { root } from '../test/harness/paths.mjs';
import { outputOf } from './addresses.mjs';
import { plain, render, sizeOf } from './markdown.mjs';
import { texts } from './texts.mjs';

/** @typedef {'en' | 'zh-Hans'} Language */

/** @type {Record<Language, { name: string, readme: string, folder: string }>} */
const LANGUAGES = {
	en: { name: 'English', readme: 'README.md', folder: 'docs/' },
	'zh-Hans': { name: '简体中文', readme: 'README.zh-cn.md', folder: 'docs/zh-cn/' },
};

/** The first full stop of a text ends its first sentence. */
const SENTENCE = /^.*?(?:[.!?](?=\s|$)|[。！？])/su;

/**
 * The Markdown of a page, without its link to the other language, which the site has elsewhere, and without comments.
 * @param {string} path
 */
function read(path) {
	const text = readFileSync(join(root, path), 'utf8');
	return text.replace(/^\[(?:English|简体中文)\]\([^)]*\)\n+/m, '').replace(/^<!--.*?-->\n/gms, '');
}

/** @param {string} text Markdown */
const titleOf = (text) => plain(/^# (.*)$/m.exec(text)?.[1] ?? '');

/**
 * The first sentence of a page: of its first paragraph, or of its first list.
 * @param {string} text Markdown
 */
function descriptionOf(text) {
	const block = text.split(/\n{2,}/).find((each) => /^(?![#|!`<])/.test(each)) ?? '';
	const line = plain(block.replace(/^[-*] /, '').split(/\n(?:[-*]|\d+\.) /)[0] ?? '');
	return SENTENCE.exec(line)?.[0] ?? line;
}

/**
 * The sections of a README, by their headings of the second level.
 * @param {string} text Markdown
 */
function sectionsOf(text) {
	return text
		.split(/^## /m)
		.slice(1)
		.map((section) => {
			const [heading = '', ...lines] = section.split('\n');
			return { heading, body: lines.join('\n').trim() };
		});
}

/** An entry of a list, and the picture below it. */
const CAPABILITY = /^- (.*(?:\n .*)*)\n\n(!\[.*\]\(.*\))$/gm;

/** A picture of its own. The first one of a README is its tour, which the landing page shows large. */
const IMAGE = /^!\[.*\]\(.*\)$/m;

/** @param {string} markdown `![alternative text](path)` */
function imageOf(markdown) {
	const [, alt = '', src = ''] = /!\[(.*)\]\((.*)\)/.exec(markdown) ?? [];
	return { alt, src, dark: darkOf(src), ...sizeOf(src) };
}

/**
 * The parts of a landing page, which are parts of the README.
 * @param {string} readme
 */
function landingOf(readme) {
	const text = read(readme);
	const sections = sectionsOf(text);
	const [install, first] = sections;
	const capabilities = sections.find(({ body }) => body.match(CAPABILITY));
	if (!install || !first || !capabilities) {
		throw new Error(
			`${readme}: the landing page needs its sections about installation, first steps, and capabilities.`,
		);
	}
	const { html } = render(install.body, readme);
	const items = [...capabilities.body.matchAll(CAPABILITY)].map(([, item = '', image = '']) => ({
		html: render(item, readme).html,
		image: imageOf(image),
	}));
	return {
		tour: imageOf(IMAGE.exec(text)?.[0] ?? ''),
		install: { heading: install.heading, html },
		first: { heading: first.heading, html: render(first.body.replace(IMAGE, ''), readme).html },
		capabilities: {
			heading: capabilities.heading,
			items,
			rest: render(capabilities.body.replace(CAPABILITY, ''), readme).html,
		},
	};
}

/**
 * The pages of the documentation that a README links to, in the order of its section with the most of these links, which is its overview.
 * @param {string} readme
 */
function orderOf(readme) {
	const links = sectionsOf(read(readme)).map(({ body }) =>
		[...body.matchAll(/\]\((docs\/[^)#]*\.md)/g)].map(([, path = '']) => path),
	);
	return links.reduce((most, each) => (each.length > most.length ? each : most), []);
}

/**
 * The pages of the documentation in a language, in the order of its README.
 * @param {Language} language
 * @param {readonly string[]} order
 */
function documentationIn(language, order) {
	const { folder } = LANGUAGES[language];
	const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.md'));
	const position = (/** @type {string} */ source) => (order.includes(source) ? order.indexOf(source) : order.length);
	return names
		.map((name) => `${folder}${name}`)
		.sort((one, other) => position(one) - position(other))
		.map((source) => {
			const text = read(source);
			return { source, output: outputOf(source) ?? '', title: titleOf(text), description: descriptionOf(text) };
		});
}

/**
 * The same page in the other language.
 * @param {Language} language
 * @param {string} source
 */
function otherLanguage(language, source) {
	const other = language === 'en' ? 'zh-Hans' : 'en';
	const { name, readme, folder } = LANGUAGES[other];
	const isLanding = source === LANGUAGES[language].readme;
	return {
		language: other,
		name,
		output: outputOf(isLanding ? readme : source.replace(LANGUAGES[language].folder, folder)),
	};
}

/** Every page of the site. */
export function pages() {
	return /** @type {Language[]} */ (Object.keys(LANGUAGES)).flatMap((language) => {
		const { readme } = LANGUAGES[language];
		const landing = landingOf(readme);
		const documentation = documentationIn(language, orderOf(readme));
		const common = {
			language,
			texts: texts[language],
			documentation,
			home: outputOf(readme),
			repository: process.env.REPOSITORY_URL,
		};
		const text = read(readme);
		const other = otherLanguage(language, readme);
		const start = {
			...common,
			landing,
			other,
			output: outputOf(readme),
			title: titleOf(text),
			description: descriptionOf(text),
		};
		const rest = documentation.map((page) => ({
			...common,
			...page,
			...render(read(page.source), page.source),
			other: otherLanguage(language, page.source),
		}));
		return [start, ...rest];
	});
}
