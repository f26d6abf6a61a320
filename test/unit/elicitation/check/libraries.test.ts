import { readFile } from 'node:fs/promises';
import { Client as Client2, InMemoryTransport as InMemoryTransport2 } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { inputRequired } from '@modelcontextprotocol/server';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { LIBRARIES, type Library } from '../../../../src/elicitation/check/libraries.ts';
import { isObject, type Json, type JsonObject } from '../../../../src/elicitation/json.ts';
import { cases } from '../../../field/schemas/case.ts';
import { applyEdits } from './applyEdits.ts';

/** Passes a schema through a library. Undefined if the library rejects it. */
type Passage = (schema: JsonObject) => Promise<Json | undefined>;

/** A minimal server that sends an elicitation once the client has connected. */
interface Wire {
	onmessage?: ((message: never) => void) | undefined;
	send(message: never): Promise<void>;
	start(): Promise<void>;
}

type Message = { readonly id?: number; readonly method?: string; readonly error?: unknown };

/**
 * Asks a client, through its own transport and validation, one elicitation after another. `connect` connects it, with an application
 * that tells the schema that it sees.
 */
async function clientPassage(ours: Wire, connect: (see: (params: object) => void) => Promise<void>): Promise<Passage> {
	const asked = new Map<number, (accepted: boolean) => void>();
	let seen: Json | undefined;
	const send = (message: object) => ours.send({ jsonrpc: '2.0', ...message } as never);
	ours.onmessage = (({ id = 0, method, error }: Message) => {
		if (method === 'initialize') {
			const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } };
			void send({ id, result });
		} else {
			asked.get(id)?.(error === undefined);
		}
	}) as never;
	await ours.start();
	await connect((params) => {
		seen = 'requestedSchema' in params ? (params.requestedSchema as Json) : undefined;
	});
	return async (requestedSchema) => {
		const id = 1_000 + asked.size;
		const answered = new Promise<boolean>((resolve) => asked.set(id, resolve));
		await send({ id, method: 'elicitation/create', params: { message: 'm', requestedSchema } });
		return (await answered) ? seen : undefined;
	};
}

const capabilities = { elicitation: { form: {} } };
const info = { name: 'c', version: '1' };

const PASSAGES: Readonly<Partial<Record<Library['id'], () => Promise<Passage>>>> = {
	sdk1: async () => {
		const [ours, theirs] = InMemoryTransport.createLinkedPair();
		const client = new Client(info, { capabilities });
		return clientPassage(ours as Wire, (see) => {
			client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
				see(params);
				return { action: 'decline' };
			});
			return client.connect(theirs);
		});
	},
	client2: async () => {
		const [ours, theirs] = InMemoryTransport2.createLinkedPair();
		const client = new Client2(info, { capabilities });
		return clientPassage(ours as Wire, (see) => {
			client.setRequestHandler('elicitation/create', ({ params }) => {
				see(params);
				return { action: 'decline' };
			});
			return client.connect(theirs);
		});
	},
	server2: async () => async (schema) => {
		const json = { input: () => schema, output: () => schema };
		const validate = (value: unknown) => ({ value });
		const requestedSchema = { '~standard': { version: 1, vendor: 'any', validate, jsonSchema: json } };
		try {
			const { params } = inputRequired.elicit({ message: 'm', requestedSchema } as never) as {
				params: { requestedSchema: Json };
			};
			return params.requestedSchema;
		} catch {
			return undefined;
		}
	},
};

/** Schemas of all kinds that servers are known to send, and schemas with a single special feature. */
const SCHEMAS: readonly (readonly [name: string, schema: JsonObject])[] = [
	...cases.flatMap(({ row, name, params }) => {
		const schema = params.requestedSchema ?? params.schema;
		return isObject(schema) ? [[`${row}: ${name}`, schema] as const] : [];
	}),
	['a root of another type', { type: 'array', properties: {} }],
	[
		'entries of a list with more than a title',
		property({ type: 'string', oneOf: [{ const: 'a', title: 'A', description: 'D' }] }),
	],
	['names of options that are no texts', property({ type: 'string', enum: ['a'], enumNames: [1] })],
	['a default that is no text', property({ type: 'string', enum: ['a'], default: 1 })],
	['an extension', property({ type: 'string', 'x-order': 1, $comment: 'c', examples: ['e'] })],
	['an empty title', property({ type: 'string', title: '' })],
];

function property(schema: JsonObject): JsonObject {
	return { type: 'object', properties: { p: schema } };
}

describe.each(LIBRARIES.filter(({ id }) => PASSAGES[id]))('$name $version ($side)', (library) => {
	let passage: Passage | undefined;
	beforeAll(async () => {
		passage = await PASSAGES[library.id]?.();
	});

	it('is the version that is installed here', async () => {
		const manifest = await readFile(`node_modules/${library.name}/package.json`, 'utf8');
		expect(JSON.parse(manifest).version).toBe(library.version);
	});

	it.each(SCHEMAS)('%s', async (_, schema) => {
		const { refused, dropped } = library.read(schema);
		const seen = await passage?.(schema);
		if (refused.length > 0) {
			expect(seen).toBeUndefined();
			return;
		}
		if (library.side === 'server') {
			expect(seen).toBeDefined();
			return;
		}
		expect(seen).toEqual(
			applyEdits(
				schema,
				dropped.map((remove) => ({ remove })),
			),
		);
	});
});

/**
 * What the Python libraries did with the schemas, recorded with the given versions: `Context.elicit` with a model of
 * the schema, and a client that receives it.
 */
const recorded: Readonly<Record<string, { version: string; refuses: string[]; takes: string[] }>> = JSON.parse(
	await readFile('test/fixtures/python-libraries.json', 'utf8'),
);

describe.each(LIBRARIES.filter(({ id }) => recorded[id]))(
	'$name $version ($side) in Python',
	({ id, version, read }) => {
		it('is the version that was recorded', () => {
			expect(recorded[id]?.version).toBe(version);
		});

		it('rejects what the table lists, and nothing else', () => {
			const known = new Set([...(recorded[id]?.refuses ?? []), ...(recorded[id]?.takes ?? [])]);
			const schemas = SCHEMAS.filter(([name]) => known.has(name));
			expect(schemas.length).toBeGreaterThan(200);
			const refused = schemas.flatMap(([name, schema]) => (read(schema).refused.length > 0 ? [name] : []));
			expect(refused.sort()).toEqual([...(recorded[id]?.refuses ?? [])].sort());
		});
	},
);

it('the file of the libraries is as its schema says', async () => {
	const [data, schema] = await Promise.all(
		['libraries', 'libraries.schema'].map(async (name) =>
			JSON.parse(await readFile(`src/elicitation/check/${name}.json`, 'utf8')),
		),
	);
	const ajv = new Ajv2020({ allErrors: true });
	expect(ajv.validate(schema, data), ajv.errorsText()).toBe(true);
});

it('every library is tested', () => {
	expect(LIBRARIES.filter(({ id }) => !PASSAGES[id] && !recorded[id])).toEqual([]);
});
