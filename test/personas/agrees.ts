import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { JsonObject } from '../../src/elicitation/json.ts';
import { PERSONAS, type Persona } from '../../src/elicitation/personas/persona.ts';
import { results } from '../harness/paths.mjs';

/** Keywords that a form may check: each with a property that has it, and an input that violates it. */
export const KEYWORDS: readonly (readonly [string, JsonObject, string])[] = [
	['pattern', { type: 'string', pattern: '^a$' }, 'b'],
	['minLength', { type: 'string', minLength: 3 }, 'b'],
	['maxLength', { type: 'string', maxLength: 1 }, 'bb'],
	['format', { type: 'string', format: 'email' }, 'b'],
	['minimum', { type: 'number', minimum: 3 }, '2'],
	['maximum', { type: 'number', maximum: 3 }, '4'],
	['exclusiveMinimum', { type: 'number', exclusiveMinimum: 3 }, '3'],
	['exclusiveMaximum', { type: 'number', exclusiveMaximum: 3 }, '3'],
	['multipleOf', { type: 'number', multipleOf: 2 }, '3'],
];

/** A property of every kind that has a control. */
export const KINDS: JsonObject = {
	text: { type: 'string' },
	number: { type: 'number' },
	boolean: { type: 'boolean' },
	choice: { type: 'string', enum: ['a', 'b'] },
	choices: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
};

/** Writes what a script has measured to `test-results/personas`, and fails if the persona says otherwise. */
export async function agrees(id: string, measured: Partial<Persona>): Promise<void> {
	const folder = join(results, 'personas');
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, `${id}.json`), `${JSON.stringify(measured, undefined, 2)}\n`);
	expect(PERSONAS.find((each) => each.id === id)).toMatchObject(measured);
}

/** A port for a client's own server. */
export async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	return typeof address === 'object' && address ? address.port : 0;
}
