// @ts-check
/** Where the pictures of the documentation are kept. `test/e2e/pictures` draws them, and `site` shows them. */
import { join } from 'node:path';
import { root } from './paths.mjs';

/**
 * The picture of a scene in a language, and beside it the text of what it shows.
 * @param {string} name
 * @param {'en' | 'zh-cn'} language
 */
export function filesOf(name, language) {
	const path = join(root, 'media', 'readme', language === 'en' ? name : `${name}.${language}`);
	return { picture: `${path}.png`, text: `${path}.txt` };
}

/**
 * The same picture in a dark theme. The one that moves has none.
 * @param {string} picture
 */
export function darkOf(picture) {
	return picture.replace(/\.png$/, '.dark.png');
}
