import type { RealWorldCase } from './case.ts';
import { choices } from './choices.ts';
import { contradictions, forms, names } from './forms.ts';
import { nullable, references } from './nullable.ts';
import { specified } from './specified.ts';
import { lists, structures } from './structures.ts';
import { bounds, formats, large } from './values.ts';

/** All cases, one theme after another. */
export const cases: readonly RealWorldCase[] = [
	...specified,
	...nullable,
	...references,
	...choices,
	...bounds,
	...formats,
	...large,
	...lists,
	...structures,
	...forms,
	...contradictions,
	...names,
];
