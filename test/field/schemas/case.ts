import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../../src/elicitation/json.ts';
import { generated } from './generated.ts';

/** What a user does to one field; see `cases.schema.json`. What is not mentioned is left alone. */
export type Act = string | readonly string[] | null;

/** A case as it stands in a file, which `cases.schema.json` describes. */
export interface Written {
	readonly name: string;
	readonly schema?: Json;
	readonly params?: JsonObject;
	readonly fields?: readonly Readonly<Record<string, unknown>>[];
	readonly enter?: Readonly<Record<string, Act>>;
	readonly content?: Json;
	readonly problems?: readonly string[];
	readonly blocked?: string;
	readonly notes?: readonly string[];
	readonly findings?: readonly string[];
	readonly inEditor?: true;
}

/** One request of a server, what a user does with it, and what has to come of it. */
export interface RealWorldCase extends Omit<Written, 'schema'> {
	/** The shape that is meant. */
	readonly row: string;
	/** The params of `elicitation/create`, as the server sends them. */
	readonly params: JsonObject;
	readonly enter: Readonly<Record<string, Act>>;
	readonly findings: readonly string[];
}

function read({ schema, ...written }: Written, row: string): RealWorldCase {
	const params = written.params ?? { message: written.name, requestedSchema: schema ?? null };
	return { enter: {}, findings: [], ...written, row, params };
}

const folder = import.meta.dirname;

/** The files of cases, one for each shape. */
export const FILES = readdirSync(folder).filter((file) => file.endsWith('.json') && file !== 'cases.schema.json');

const shapes: readonly { readonly shape: string; readonly cases: readonly Written[] }[] = [
	...FILES.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8'))),
	{ shape: 'large', cases: generated },
];

/** What real servers send besides what the specification shows, by the shape that is meant; `specified` is what it does show. */
export const ROWS: readonly string[] = shapes.map(({ shape }) => shape);

/** All cases, one shape after another. */
export const cases: readonly RealWorldCase[] = shapes.flatMap((each) =>
	each.cases.map((written) => read(written, each.shape)),
);
