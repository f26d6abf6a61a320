// @ts-check
/** `npm run pictures`: takes the screenshots of the READMEs in a real editor. */
import { join } from 'node:path';
import { root } from './paths.mjs';
import { main } from './process.mjs';
import { vitest } from './vitest.mjs';

await main(() => {
	process.env.DRAW_PICTURES = 'yes';
	// The same Latin and Chinese fonts on every machine.
	process.env.FONTCONFIG_FILE = join(root, 'test', 'e2e', 'pictures', 'fonts.conf');
	process.argv.push('test/e2e/pictures.test.ts');
	return vitest('pictures', 'test/e2e/vitest.config.mjs');
});
