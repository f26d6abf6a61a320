import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../harness/paths.mjs';
import { readmeNames, withTables } from '../../harness/readmeTables.mjs';

const read = (name: string) => readFileSync(join(root, name), 'utf8');

it.each(readmeNames)(
	'the tables of %s say what the manifest says (node test/harness/readmeTables.mjs)',
	async (name) => {
		expect(await withTables(name)).toBe(read(name));
	},
);

it('the READMEs have the same sections, examples and rows in both languages', () => {
	const [english = [], chinese = []] = readmeNames.map((name) =>
		read(name)
			.split('\n')
			.flatMap((line) => /^(#+|```|- |\||!\[)/.exec(line)?.[1] ?? []),
	);
	expect(chinese).toEqual(english);
});
