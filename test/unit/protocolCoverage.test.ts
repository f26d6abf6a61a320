import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { coverageFile, protocolCoverage } from '../harness/protocolCoverage.mjs';

it('the page on protocol coverage is up to date (else: node test/harness/protocolCoverage.mjs)', async () => {
	expect(await readFile(coverageFile, 'utf8')).toBe(await protocolCoverage());
});
