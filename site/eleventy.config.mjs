// @ts-check
import { outputOf, relative } from './addresses.mjs';
import { pages } from './content.mjs';

/** @param {any} eleventy Eleventy's `UserConfig` */
export default function configure(eleventy) {
	eleventy.addGlobalData('pages', () => pages());
	eleventy.addFilter('from', relative);
	eleventy.addFilter('output', outputOf);
	eleventy.addPassthroughCopy({
		'site/style.css': 'style.css',
		'media/icon.png': 'icon.png',
		'media/readme/*.png': 'media/readme',
	});
	for (const watched of ['docs', 'README*.md']) {
		eleventy.addWatchTarget(watched);
	}
	return { dir: { input: 'site', output: 'dist/site' }, templateFormats: ['njk'] };
}
