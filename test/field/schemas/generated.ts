import type { Json } from '../../../src/elicitation/json.ts';
import type { Written } from './case.ts';

const many = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));
const properties = (count: number, make: (at: number) => Json) =>
	Object.fromEntries(many(count, (at) => [`p${at}`, make(at)]));
const one = (property: Json) => ({ type: 'object', properties: { p: property } });
const long = `a${'b'.repeat(300)}`;
const letters = '字'.repeat(50_000);

/** More than a user wants to see at once, and more than a file should hold. */
export const generated: readonly Written[] = [
	{
		name: 'a text of 50,000 characters',
		schema: one({ type: 'string' }),
		enter: { p: letters },
		content: { p: letters },
	},
	{
		name: 'a text that is far too long',
		schema: one({ type: 'string', maxLength: 1_000 }),
		enter: { p: 'x'.repeat(100_000) },
		problems: ['p: At most 1000 characters; you have 100,000.'],
	},
	{
		name: 'a text of 200 is a line',
		schema: one({ type: 'string', maxLength: 200 }),
		fields: [{ entry: 'line' }],
		enter: { p: 'x'.repeat(201) },
		problems: ['p: At most 200 characters; you have 201.'],
	},
	{
		name: 'a very long name',
		schema: { type: 'object', properties: { [long]: { type: 'string' } } },
		enter: { [long]: 'x' },
		content: { [long]: 'x' },
		findings: ['odd-name'],
		inEditor: true,
	},
	{
		name: 'ten choices are searched',
		schema: one({ type: 'string', enum: many(10, (at) => `option ${at}`) }),
		enter: { p: 'option 7' },
		content: { p: 'option 7' },
		inEditor: true,
	},
	{
		name: 'five thousand choices',
		schema: one({ type: 'string', enum: many(5_000, (at) => `option ${at}`) }),
		enter: { p: 'option 4999' },
		content: { p: 'option 4999' },
		inEditor: true,
	},
	{
		name: 'several among many',
		schema: one({ type: 'array', items: { type: 'string', enum: many(40, (at) => `tag-${at}`) } }),
		enter: { p: ['tag-39', 'tag-7'] },
		content: { p: ['tag-7', 'tag-39'] },
		inEditor: true,
	},
	{
		name: 'three hundred properties, one filled',
		schema: { type: 'object', properties: properties(300, () => ({ type: 'string' })) },
		enter: { p299: 'x' },
		content: { p299: 'x' },
	},
	{
		name: 'a hundred defaults',
		schema: { type: 'object', properties: properties(100, (at) => ({ type: 'integer', default: at })) },
		content: properties(100, (at) => at),
	},
];
