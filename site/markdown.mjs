// Not checked for types: markdown-it comes without its own.
import { closeSync, openSync, readSync } from 'node:fs';
import { join, posix } from 'node:path';
import MarkdownIt from 'markdown-it';
import { root } from '../test/harness/paths.mjs';
import { addressOf } from './addresses.mjs';

/** @typedef {import('markdown-it').Token} Token */
/** @typedef {{ id: string, text: string }} Heading */
/** @typedef {{ source: string, headings: Heading[] }} Environment where the Markdown comes from, and its headings of the second level */

const markdown = new MarkdownIt({ html: true });

/**
 * @param {string} text
 * @param {string} source path in the repository
 * @returns {{ html: string, headings: Heading[] }}
 */
export function render(text, source) {
	/** @type {Environment} */
	const environment = { source, headings: [] };
	return { html: markdown.render(text, environment), headings: environment.headings };
}

/**
 * The text of a line of Markdown, without its marks.
 * @param {string} text
 */
export function plain(text) {
	return textOf(markdown.parseInline(text, { source: '' })[0]);
}

/** @param {Token | undefined} inline */
function textOf(inline) {
	return (inline?.children ?? [])
		.map(({ type, content }) => (type === 'softbreak' ? ' ' : type === 'text' || type === 'code_inline' ? content : ''))
		.join('');
}

/**
 * The width and height of a PNG file, in pixels.
 * @param {string} file path in the repository
 */
export function sizeOf(file) {
	const header = Buffer.alloc(24);
	const descriptor = openSync(join(root, file), 'r');
	readSync(descriptor, header);
	closeSync(descriptor);
	return { width: header.readUInt32BE(16), height: header.readUInt32BE(20) };
}

// The ids that GitHub gives to headings, which links in the documents use.
markdown.core.ruler.push('headings', ({ tokens, env }) => {
	const taken = new Map();
	for (const [index, token] of tokens.entries()) {
		if (token.type !== 'heading_open') {
			continue;
		}
		const text = textOf(tokens[index + 1]);
		const slug = text
			.toLowerCase()
			.replace(/[^\p{L}\p{N}_ -]/gu, '')
			.replaceAll(' ', '-');
		const count = taken.get(slug) ?? 0;
		taken.set(slug, count + 1);
		const id = count ? `${slug}-${count}` : slug;
		token.attrSet('id', id);
		if (token.tag === 'h2') {
			env.headings?.push({ id, text });
		}
	}
});

markdown.core.ruler.push('addresses', ({ tokens, env }) => {
	for (const { children } of tokens) {
		let hidden = false;
		for (const token of children ?? []) {
			if (token.type === 'link_open') {
				const address = addressOf(String(token.attrGet('href')), env.source);
				hidden = address === undefined;
				token.attrSet('href', address ?? '');
				token.hidden = hidden;
			} else if (token.type === 'link_close') {
				token.hidden = hidden;
			}
		}
	}
});

/** A picture in the theme of the reader, as GitHub shows it. */
const PICTURE =
	/^<picture>\n\s*<source media="([^"]*)" srcset="([^"]*)">\n\s*<img alt="([^"]*)" src="([^"]*)">\n<\/picture>\n?$/;

// Nothing else is HTML.
markdown.renderer.rules.html_block = (tokens, index, _options, { source }) => {
	const html = tokens[index]?.content ?? '';
	const [, media, dark = '', alt, light = ''] = PICTURE.exec(html) ?? [];
	if (media === undefined) {
		throw new Error(`${source}: HTML that is no picture: ${html}`);
	}
	const { width, height } = sizeOf(posix.join(posix.dirname(source), light));
	const [inDark, inLight] = [dark, light].map((path) => addressOf(path, source));
	return `<picture><source media="${media}" srcset="${inDark}"><img src="${inLight}" alt="${alt}" width="${width}" height="${height}" loading="lazy"></picture>\n`;
};
markdown.renderer.rules.html_inline = (tokens, index) => markdown.utils.escapeHtml(tokens[index]?.content ?? '');

// What is wider than the page scrolls by itself, also by keyboard.
markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
markdown.renderer.rules.table_close = () => '</table></div>\n';
markdown.renderer.rules.fence = (tokens, index) =>
	`<pre tabindex="0"><code>${markdown.utils.escapeHtml(tokens[index]?.content ?? '')}</code></pre>\n`;

// Long names may break after a slash or a dot, but not before their extension.
markdown.renderer.rules.code_inline = (tokens, index) => {
	const code = markdown.utils.escapeHtml(tokens[index]?.content ?? '');
	return `<code>${code.replace(/(?<=\w\/)(?=\w)|(?<=\w\.)(?=\w{4})/g, '<wbr>')}</code>`;
};
