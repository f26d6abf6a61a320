import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { coverageFile, protocolCoverage, untestedFaults } from '../../harness/protocolCoverage.mjs';

it('the page on protocol coverage is up to date (else: node test/harness/protocolCoverage.mjs)', async () => {
	expect(await readFile(coverageFile, 'utf8')).toBe(await protocolCoverage());
});

it('every fault is tested on the wire, and in an editor where a user sees something of it', async () => {
	expect(await untestedFaults()).toEqual([]);
});
