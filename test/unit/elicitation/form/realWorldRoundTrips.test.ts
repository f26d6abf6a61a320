import { readFileSync } from 'node:fs';
import { ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { specTypeSchemas } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { Form } from '../../../../src/elicitation/form/form.ts';
import { type Input, initialInputs, toInputs } from '../../../../src/elicitation/form/inputs.ts';
import { isObject, type Json, type JsonObject } from '../../../../src/elicitation/json.ts';
import type { Connection } from '../../../../src/mcp/index.ts';
import { cases, ROWS } from '../../../field/schemas/case.ts';
import { entered } from '../../../field/schemas/person.ts';
import { nightly, runs } from '../../../nightly.ts';
import { stdio, type TestClient, testClients, testServer } from '../../mcp/testClient.ts';
import { Bench } from '../../validation/validationBench.ts';

const bench = new Bench();
const world = testClients();

interface Answerable {
	readonly name: string;
	readonly params: JsonObject;
	/** The inputs when the form is accepted. */
	readonly inputs: (form: Form) => readonly Input[];
	/** The exact result. */
	readonly expected: string;
}

const realWorld: readonly Answerable[] = cases.flatMap(({ row, name, params, enter, content }) =>
	content === undefined
		? []
		: [
				{
					name: `${row}: ${name}`,
					params,
					inputs: ({ fields }) => entered(fields, initialInputs(fields), enter),
					expected: JSON.stringify({ action: 'accept', content }),
				},
			],
);

/** Those that are sent through servers: by day some of each shape. */
const sent = nightly
	? realWorld
	: ROWS.flatMap((row) => realWorld.filter(({ name }) => name.startsWith(`${row}: `)).slice(0, 2));

interface Reference {
	readonly id: string;
	readonly revisions: readonly string[];
	readonly sequence?: readonly JsonObject[];
	readonly params?: JsonObject;
	readonly answers?: readonly JsonObject[];
	readonly answer?: JsonObject;
}

const file = new URL('../../../fixtures/reference-elicitations.json', import.meta.url);
const references = (JSON.parse(readFileSync(file, 'utf8')) as { cases: Reference[] }).cases;

/** The reference requests of a revision with their inputs. */
function referencesOf(revision: string): Answerable[] {
	return references
		.filter(({ revisions }) => revisions.includes(revision))
		.flatMap(({ id, params = {}, answer = {}, sequence = [params], answers = [answer] }) =>
			sequence.map((each, at) => ({ id: `${id} ${at}`, params: each, answer: answers[at] ?? {} })),
		)
		.filter(({ params }) => params.mode !== 'url')
		.map(({ id, params, answer }) => ({
			name: id,
			params,
			inputs: ({ fields }) => toInputs(fields, answer.content ?? null).inputs,
			expected: JSON.stringify(answer),
		}));
}

/** Sends an elicitation through a server, responds as the user would, and returns exactly what the server received. */
async function received(here: TestClient, connection: Connection, { params, inputs }: Answerable): Promise<unknown> {
	const calling = connection.callTool('ask', { params });
	const [elicitation] = await here.asked();
	const { request } = elicitation;
	if (request.mode !== 'form') {
		throw new Error('This is no form.');
	}
	const form = new Form(request.requestedSchema, bench);
	const { content, problems } = await form.review(inputs(form));
	expect(problems).toEqual([]);
	await here.registry.accept(elicitation, content);
	const result = (await calling) as { content: readonly { text: string }[] };
	return result.content[0]?.text;
}

describe.each([
	['2025-06-18', 'sdk1.mjs'],
	['2025-11-25', 'sdk1.mjs'],
	['2026-07-28', 'sdk2.mjs'],
])('revision %s, a server on %s', (protocolVersion, server) => {
	it('receives every accepted answer to the letter (F13)', async () => {
		const here = world();
		const connection = await here.connect(stdio('server', testServer(server), [], { protocolVersion }));
		const answers = [...sent, ...referencesOf(protocolVersion)];
		expect(answers.length).toBeGreaterThan(runs(100, 40));
		const results: [string, unknown][] = [];
		for (const each of answers) {
			results.push([each.name, await received(here, connection, each)]);
		}
		expect(results).toEqual(answers.map(({ name, expected }) => [name, expected]));
	});
});

/** Content that the specification allows: strings, numbers, booleans and lists of strings. */
function isFlat(content: Json): boolean {
	const flat = (value: Json) =>
		['string', 'number', 'boolean'].includes(typeof value) ||
		(Array.isArray(value) && value.every((item) => typeof item === 'string'));
	return isObject(content) && Object.values(content).every(flat);
}

/*
 * Servers that use the SDK's `elicitInput` let the SDK parse the response. Both SDKs reject content that is not flat:
 * `null`, numbers in lists, objects. No client can give such a server what it asked for; the servers above read the raw
 * result instead. Both SDKs silently drop a property named `__proto__`.
 */
describe.each([
	['1.x', (answer: unknown) => ElicitResultSchema.safeParse(answer).data],
	[
		'2.x',
		(answer: unknown) => {
			const result = specTypeSchemas.ElicitResult['~standard'].validate(answer);
			return 'value' in result ? result.value : undefined;
		},
	],
] as const)("the SDK %s's own reading of an answer", (_version, read) => {
	const all = realWorld.map(({ name, expected }) => ({
		name,
		answer: JSON.parse(expected) as { content: JsonObject },
	}));
	const flat = all.filter(({ answer }) => isFlat(answer.content));

	it('takes what is flat as it is, but for __proto__', () => {
		const safe = flat.filter(({ answer }) => !Object.hasOwn(answer.content, '__proto__'));
		expect(safe.length).toBeGreaterThan(30);
		expect(safe.map(({ answer }) => JSON.stringify(read(answer)))).toEqual(
			safe.map(({ answer }) => JSON.stringify(answer)),
		);
		expect(JSON.stringify(read(JSON.parse('{"action":"accept","content":{"__proto__":"x","a":1}}')))).toBe(
			'{"action":"accept","content":{"a":1}}',
		);
	});

	it('refuses what is not', () => {
		const nested = all.filter(({ answer }) => !isFlat(answer.content));
		expect(nested.length).toBeGreaterThan(10);
		expect(nested.filter(({ answer }) => read(answer) !== undefined).map(({ name }) => name)).toEqual([]);
	});
});
