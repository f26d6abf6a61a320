import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../harness/paths.mjs';
import { pages, withTables } from '../../harness/settingsTables.mjs';

it.each(pages)('the tables of %s say what the manifest says (node test/harness/settingsTables.mjs)', async (name) => {
	expect(await withTables(name)).toBe(readFileSync(join(root, name), 'utf8'));
});
