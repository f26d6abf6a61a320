// @ts-check
/** `npm run pictures` draws the pictures of the READMEs, in a real editor. */
import { join } from 'node:path';
import { root } from './paths.mjs';
import { main } from './process.mjs';
import { vitest } from './vitest.mjs';

await main(() => {
	process.env.DRAW_PICTURES = 'yes';
	// Latin and Chinese letters of one family, wherever the pictures are drawn.
	process.env.FONTCONFIG_FILE = join(root, 'test', 'e2e', 'pictures', 'fonts.conf');
	process.argv.push('test/e2e/pictures.test.ts', '--retry=0');
	return vitest('pictures', 'test/e2e/vitest.config.mjs');
});
