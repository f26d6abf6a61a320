/** Switches a mutant on, and notes which mutants a test file reaches. Runs before each test file. */
import { appendFileSync } from 'node:fs';
import { afterAll, expect, inject } from 'vitest';

declare module 'vitest' {
	interface ProvidedContext {
		mutant: number;
	}
}

const log = process.env['MUTANTS_REACHED'];
const active = inject('mutant');
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
