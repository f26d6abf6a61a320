// @ts-check
import { posix } from 'node:path';

/**
 * Where a file of the repository is in the site, or undefined if it isn't there. Paths are relative to the repository and to the site.
 * @param {string} source
 */
export function outputOf(source) {
	if (source === 'README.md' || source === 'README.zh-cn.md') {
		return source === 'README.md' ? 'index.html' : 'zh-cn/index.html';
	}
	if (/^docs\/(?:zh-cn\/)?[^/]+\.md$/.test(source)) {
		return source.replace(/\.md$/, '.html');
	}
	return source.startsWith('media/readme/') ? source : undefined;
}

/**
 * The relative address of one file of the site in another, so that the site works in any folder.
 * @param {string} to
 * @param {string} from
 */
export function relative(to, from) {
	return posix.relative(posix.dirname(from), to);
}

/**
 * What a link of a Markdown file becomes in the site, or undefined if there is nothing to link to: files that only the repository
 * has need its address, which `REPOSITORY_URL` names.
 * @param {string} href
 * @param {string} source the Markdown file
 */
export function addressOf(href, source) {
	if (/^(?:https:|#)/.test(href)) {
		return href;
	}
	const [path = '', fragment] = decodeURI(href).split('#');
	const target = posix.join(posix.dirname(source), path);
	const output = outputOf(target);
	const repository = process.env.REPOSITORY_URL;
	const address = output
		? relative(output, outputOf(source) ?? '')
		: repository && encodeURI(`${repository}/blob/HEAD/${target}`);
	return address && (fragment ? `${address}#${encodeURIComponent(fragment)}` : address);
}
