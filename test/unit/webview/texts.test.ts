import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { pages, textsIn } from '../../../scripts/build.mjs';
import { Source } from '../../checks/source.ts';

it('a script has all that its pages say in the list of its texts', async () => {
	const { outputFiles = [] } = await build({ ...pages('out', true), plugins: [], write: false });
	const scripts = outputFiles.filter(({ path }) => path.endsWith('.js')).map(({ text }) => text);
	const sources = readdirSync('src/webview', { recursive: true, encoding: 'utf8' })
		.map((file) => join('src/webview', file))
		.filter((file) => /(?<!\.d)\.tsx?$/.test(file));
	const said = sources.flatMap((file) => new Source(file, readFileSync(file, 'utf8')).said().texts);
	const texts = said.map(({ text }) => text);
	expect(texts.length).toBeGreaterThan(200);
	const listed = new Set(scripts.flatMap((script) => textsIn(script, texts)));
	expect(texts.filter((text) => !listed.has(text))).toEqual([]);
});
