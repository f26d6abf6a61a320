/** Switches a mutant on, and notes which mutants a test file reaches. Runs before each test file. */
import { appendFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

const active = Number(process.env['MUTANT'] ?? -1);
const log = process.env['MUTANTS_REACHED'];
const reached = new Set<number>();

Object.assign(globalThis, {
	__mutant: (id: number) => {
		reached.add(id);
		return id === active;
	},
});

if (log !== undefined) {
	afterAll(() => appendFileSync(log, `${JSON.stringify([expect.getState().testPath, [...reached]])}\n`));
}
