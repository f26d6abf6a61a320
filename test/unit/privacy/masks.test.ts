import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutSecrets } from '../../../src/cli/errors.ts';
import { saveAnswer } from '../../../src/editor/responders/scripts/saveAnswer.ts';
import { ServerLogs } from '../../../src/editor/servers/serverLogs.ts';
import { Details } from '../../../src/editor/timeline/details.ts';
import { exportTimeline } from '../../../src/editor/timeline/exportTimeline.ts';
import { copy } from '../../../src/editor/timeline/lines.ts';
import { sensitiveFields } from '../../../src/elicitation/findings/findings.ts';
import { fieldsOf } from '../../../src/elicitation/form/readFields.ts';
import { type Json, type JsonObject, own } from '../../../src/elicitation/json.ts';
import { localizable } from '../../../src/elicitation/sentence.ts';
import { Failure, redactFailure } from '../../../src/mcp/wire/failure.ts';
import { Masks } from '../../../src/privacy/masks.ts';
import { REDACTED } from '../../../src/privacy/secrets.ts';
import { copyParts } from '../../../src/timelineProtocol.ts';
import { recordCase } from '../../../src/trace/case/record.ts';
import { scenarioFile } from '../../../src/trace/case/scenario.ts';
import { comparable } from '../../../src/trace/comparable.ts';
import type { Direction } from '../../../src/trace/log.ts';
import { Outline } from '../../../src/trace/outline.ts';
import { Timeline } from '../../../src/trace/timeline.ts';
import { runs, variants } from '../../nightly.ts';
import { testCommands } from '../editor/testCommands.ts';
import { fakeVscode, Uri } from '../editor/vscode.ts';
import { World } from '../elicitation/world.ts';
import { ENCODERS } from './encoders.ts';
import { linesOf, logOf, maskedLog, toJsonLines } from './maskedLog.ts';

/** An editor that records every text it receives. */
const vscode = {
	given: [] as string[],
	keep: async (...texts: unknown[]) => void vscode.given.push(...texts.map(String)),
	target: '',
};

fakeVscode({
	env: { clipboard: { writeText: vscode.keep } },
	workspace: {
		workspaceFolders: [{ uri: Uri.file('/folder'), name: 'folder' }],
		asRelativePath: String,
		fs: {
			writeFile: (_: unknown, bytes: Uint8Array) => vscode.keep(Buffer.from(bytes).toString()),
			stat: () => Promise.reject(new Error('No such file')),
		},
	},
	window: {
		createOutputChannel: () => ({ info: vscode.keep, warn: vscode.keep, error: vscode.keep }),
		showSaveDialog: async () => Uri.file(vscode.target),
		showTextDocument: async () => {},
		showInformationMessage: vscode.keep,
		showWarningMessage: vscode.keep,
		showErrorMessage: vscode.keep,
	},
});

/** A window in which a tool with these arguments sends an elicitation, which gets a response, and echoes everything. */
function window(args: Shape, asked: Shape, inRounds: boolean, spell = (secret: string) => secret) {
	const { registry } = new World();
	const trace = maskedLog(() => 1_000);
	const inputSchema = args.schema;
	const params: Json = { message: 'Who?', requestedSchema: asked.schema };
	trace.add({
		server: 's',
		direction: 'received',
		message: { id: 0, result: { tools: [{ name: 'act', inputSchema }] } },
	});
	const call = registry.beginCall('s', 'tool', 'act', args.value);
	const add = (direction: 'sent' | 'received', message: object) => trace.add({ server: 's', direction, call, message });
	const request = (more: object) => ({
		id: 1,
		method: 'tools/call',
		params: { name: 'act', arguments: args.value, ...more },
	});
	add('sent', request({}));
	call.rounds = 1;
	const pending = { method: 'elicitation/create', params };
	add(
		'received',
		inRounds
			? { id: 1, result: { resultType: 'input_required', inputRequests: { it: pending }, requestState: 'x' } }
			: { id: 7, ...pending },
	);
	const elicitation = registry.add(
		{ mode: 'form', message: 'Who?', requestedSchema: asked.schema },
		{
			...{ server: 's', connection: 'c', calls: [call], params },
			intake: inRounds ? 'inputRequired' : 'request',
			revision: inRounds ? '2026-07-28' : '2025-11-25',
		},
	);
	elicitation.accept(asked.value);
	const answer = { action: 'accept', content: asked.value };
	if (inRounds) {
		call.rounds = 2;
		add('sent', { ...request({ inputResponses: { it: answer } }), id: 2 });
	} else {
		add('sent', { id: 7, result: answer });
	}
	const echo = [...args.secrets, ...asked.secrets].map(spell).join(' and ');
	const result = {
		content: [{ type: 'text', text: `You said ${echo}.` }],
		structuredContent: { echo, [echo]: [echo] },
	};
	add('received', { id: inRounds ? 2 : 1, result });
	registry.endCall(call, 'succeeded', result);
	return { registry, trace, call, elicitation, echo, timeline: new Timeline(registry, trace) };
}

type Window = ReturnType<typeof window>;

/** Everything that leaves the window, by user action, through the real code paths into the fake editor. */
async function everythingThatLeaves({ registry, trace, call, elicitation, timeline, echo }: Window) {
	const left: [way: string, written: string][] = [];
	const by = async (way: string, act: () => unknown) => {
		vscode.given.length = 0;
		await act();
		left.push([way, vscode.given.join('\n')]);
	};
	const outline = new Outline(timeline);
	outline.foldAll(true);
	outline.refresh();
	const details = new Details(timeline, testCommands());
	for (const { line } of outline.rows(0, outline.size)) {
		for (const part of copyParts) {
			await by(`copies ${part} of a ${line.kind}`, () => copy(timeline, details, line, part));
		}
	}
	for (const name of ['timeline.jsonl', 'timeline.html']) {
		vscode.target = name;
		await by(`exports ${name}`, () => exportTimeline(timeline, undefined));
	}
	await by('saves a script', () =>
		saveAnswer(trace, { reload: async () => {}, all: [] } as never, {} as never, false, elicitation),
	);
	const recorded = recordCase({
		...{ call, elicitations: registry.elicitations, trace, revision: '2025-11-25', capabilities: {} },
		server: () => ({ type: 'stdio', command: 'x', args: [], cwd: '.', env: {} }),
	});
	await by('reads a log', () => {
		const log = new ServerLogs(trace.privacy).for('s');
		for (const write of [log.info, log.warn, log.error, log.stderr]) {
			write(echo);
		}
	});
	return [
		...left,
		['compares', JSON.stringify(comparable(call, registry.elicitations, trace))],
		[
			'reads an error',
			redactFailure(new Failure('s', localizable('It said {0}', echo), localizable('Nothing')), trace.privacy).message,
		],
		['exports a scenario', 'recorded' in recorded ? scenarioFile(recorded.recorded, '..') : ''],
		['exports all', toJsonLines(trace)],
	] as const;
}

interface Shape {
	readonly schema: JsonObject;
	readonly value: JsonObject;
	/** The masked values in it. */
	readonly secrets: readonly string[];
}

interface Leaf {
	readonly node: JsonObject;
	readonly value: Json;
	readonly secrets: readonly string[];
	/** Required definitions at the root of the document. */
	readonly definitions?: JsonObject;
}

let count = 0;
const unique = () => `S3NT1NEL${(count++).toString(36)}x${Math.random().toString(36).slice(2, 10)}`;

const text = fc.integer({ min: 0, max: 9 }).map((length) => unique() + 'long'.repeat(length > 7 ? 30_000 : length));

const masked: fc.Arbitrary<Leaf> = fc.tuple(fc.constantFrom('password', 'writeOnly', 'default'), text).map(
	([how, value]): Leaf => ({
		node: {
			type: 'string',
			...(how === 'password' ? { format: 'password' } : { writeOnly: true }),
			...(how === 'default' && { default: 'S3NT1NEL of the server', examples: ['S3NT1NEL of the server'] }),
		},
		value,
		secrets: [value],
	}),
);

const wrap = (leaf: fc.Arbitrary<Leaf>): fc.Arbitrary<Leaf> =>
	fc
		.tuple(
			leaf,
			fc.constantFrom('none', 'ref', 'allOf', 'anyOf', 'oneOf', 'refInAllOf', 'then', 'object', 'items', 'tuple'),
		)
		.chain(([inner, how]) => fc.tuple(fc.constant(inner), fc.constant(how), names))
		.map(([inner, how, name]) => wrapped(inner, how, name));

const names = fc.constantFrom('a', 'door', '__proto__', 'constructor', 'toString', 'x/y~z', 'properties', 'items', 'π');

function wrapped(inner: Leaf, how: string, name: string): Leaf {
	const { node, value, secrets, definitions = {} } = inner;
	const key = `d${count++}`;
	switch (how) {
		case 'ref':
			return { ...inner, node: { $ref: `#/$defs/${key}` }, definitions: { ...definitions, [key]: node } };
		case 'refInAllOf':
			return {
				...inner,
				node: { allOf: [{ title: 'It' }, { $ref: `#/$defs/${key}` }] },
				definitions: { ...definitions, [key]: node },
			};
		case 'allOf':
			return { ...inner, node: { allOf: [{ description: 'x' }, node] } };
		case 'anyOf':
		case 'oneOf':
			return { ...inner, node: { [how]: [node, { type: 'null' }] } };
		case 'then':
			return {
				...inner,
				node: owned([
					['if', {}],
					['then', node],
				]),
			};
		case 'object':
			return {
				...inner,
				node: { type: 'object', properties: owned([[name, node]]) },
				value: owned([
					[name, value],
					['other', 'kept'],
				]),
			};
		case 'items':
			return { ...inner, node: { type: 'array', items: node }, value: [value, value] };
		case 'tuple':
			return { ...inner, node: { prefixItems: [{ type: 'string' }, node] }, value: ['kept', value], secrets };
		default:
			return inner;
	}
}

function owned(entries: readonly (readonly [string, Json])[]): JsonObject {
	const object = {};
	for (const [name, value] of entries) {
		Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
	}
	return object;
}

const node = wrap(wrap(wrap(masked)));

const shape: fc.Arbitrary<Shape> = fc
	.record({
		leaves: fc.array(fc.tuple(names, node), { minLength: 1, maxLength: 4 }),
		padding: fc.constantFrom(0, 0, 3, 3, 990),
		// One form in ten is so large that it is truncated in the log.
		heavy: fc.boolean(),
		root: fc.constantFrom('plain', 'allOf', 'ref', 'branches'),
		named: fc.option(fc.constantFrom('password', 'apiKey', 'cardPin number')),
	})
	.map(({ leaves, padding, heavy, root, named }) => {
		const distinct = [...new Map(leaves)];
		const fillers = Array.from({ length: padding }, (_, index): [string, JsonObject] => [
			`filler${index}`,
			{ type: 'string', description: 'x'.repeat(heavy ? 1_000 : 1) },
		]);
		const secret = named ? unique() : '';
		const properties = owned([
			...fillers,
			...distinct.map(([name, leaf]): [string, Json] => [name, leaf.node]),
			...(named ? [[named, { type: 'string' }] as [string, Json]] : []),
		]);
		const object: JsonObject = { type: 'object', properties };
		const $defs = owned([
			['Root', object],
			...distinct.flatMap(([, { definitions = {} }]) => Object.entries(definitions)),
		]);
		const schema = {
			plain: { ...object, $defs },
			allOf: { type: 'object', allOf: [object], $defs },
			ref: { $ref: '#/$defs/Root', $defs },
			branches: { type: 'object', anyOf: [{ type: 'object', properties: {} }, object], $defs },
		}[root] as JsonObject;
		const value = owned([
			...distinct.map(([name, leaf]): [string, Json] => [name, leaf.value]),
			...(named ? [[named, secret] as [string, Json]] : []),
			...fillers.map(([name]): [string, Json] => [name, 'kept']),
		]);
		return { schema, value, secrets: [...distinct.flatMap(([, { secrets }]) => secrets), ...(named ? [secret] : [])] };
	});

/** Where a text has leaked, with what is around it; undefined if it has not. */
function around(leaked: string, written: string): string | undefined {
	const at = written.indexOf(leaked);
	return at < 0 ? undefined : written.slice(Math.max(0, at - 60), at + leaked.length + 20);
}

/** A form or a tool with this schema and this input. */
const entered = (schema: JsonObject, value: JsonObject): Shape => ({ schema, value, secrets: [] });
const nothing = entered({ type: 'object', properties: {} }, {});
const password = { type: 'string', format: 'password' };
const filler = (weight: number) => (_: unknown, index: number) => [
	`filler${index}`,
	{ description: 'x'.repeat(weight) },
];

const CASES: readonly (readonly [where: string, schema: JsonObject, value: JsonObject])[] = [
	['behind a reference', { properties: { a: { $ref: '#/$defs/S' } }, $defs: { S: password } }, { a: 'planted' }],
	['in a root allOf', { allOf: [{ properties: { a: { type: 'string', writeOnly: true } } }] }, { a: 'planted' }],
	['in a root reference', { $ref: '#/$defs/S', $defs: { S: { properties: { a: password } } } }, { a: 'planted' }],
	['in a branch', { oneOf: [{ properties: {} }, { properties: { a: password } }] }, { a: 'planted' }],
	['in an object', { properties: { a: { type: 'object', properties: { b: password } } } }, { a: { b: 'planted' } }],
	['in a list', { properties: { a: { type: 'array', items: password } } }, { a: ['planted', 'planted'] }],
	['under any name', { properties: { a: { additionalProperties: password } } }, { a: { z: 'planted' } }],
	['under a pattern', { properties: { a: { patternProperties: { '^(z+)+$': password } } } }, { a: { z: 'planted' } }],
	[
		'in a schema that holds itself',
		{ properties: { next: { $ref: '#' }, a: password } },
		{ next: { next: { next: { a: 'planted' } } } },
	],
	['behind a reference to elsewhere', { properties: { a: { $ref: 'https://x.example/s.json' } } }, { a: 'planted' }],
	[
		'behind references in a circle',
		{ properties: { a: { $ref: '#/properties/a' } }, anyOf: [{ properties: { a: password } }] },
		{ a: 'planted' },
	],
	['where it does not belong', { properties: { a: { properties: { b: password } } } }, { a: 'planted' }],
	['by its title', { properties: { a: { type: 'string', title: 'Your API key' } } }, { a: 'planted' }],
	[
		'by its name, in an object',
		{ properties: { a: { properties: { apiKey: { type: 'string' } } } } },
		{ a: { apiKey: 'planted' } },
	],
	[
		'under __proto__',
		JSON.parse('{"properties":{"__proto__":{"format":"password"}}}'),
		JSON.parse('{"__proto__":"planted"}'),
	],
	['under constructor', { properties: { constructor: password } }, { constructor: 'planted' } as never],
	[
		'beside 990 others',
		{ properties: { ...Object.fromEntries(Array.from({ length: 990 }, filler(1))), a: password } },
		{ a: 'planted' },
	],
	[
		'in a message that is too large to be kept whole',
		{ properties: { ...Object.fromEntries(Array.from({ length: 990 }, filler(1_500))), a: password } },
		{ a: 'planted' },
	],
	['in a text that is too large to be kept whole', { properties: { a: password } }, { a: 'planted'.repeat(200_000) }],
	[
		'in what is proposed',
		{ properties: { a: { $ref: '#/$defs/S', default: 'planted' } }, $defs: { S: password } },
		{ a: 'other' },
	],
	[
		'in what is proposed for the whole',
		{ default: { a: 'planted' }, examples: [{ a: 'planted' }], properties: { a: password } },
		{ a: 'other' },
	],
];

/** Secrets that encoders spell differently, and how much of one says something. */
const SPELLED = [
	'Grün&Blau!7/"ö"',
	"pässwort+1's <a\\b>%",
	'S3cret!2024(x)~*',
	'密码 😀 in "quotes"',
	'48392011550066',
];
const PART = 8;

const withoutEntities = (html: string) =>
	html.replace(
		/&(?:amp|lt|gt|quot|#39);/g,
		(entity) => ({ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' })[entity] ?? "'",
	);

describe('what is masked', () => {
	it.each(CASES)('%s leaves the window in no form, as an answer', async (_, schema, value) => {
		for (const inRounds of [false, true]) {
			for (const [way, written] of await everythingThatLeaves(window(nothing, entered(schema, value), inRounds))) {
				expect([way, around('planted', written)]).toEqual([way, undefined]);
			}
		}
	});

	it.each(CASES)('%s leaves the window in no form, as an argument', async (_, schema, value) => {
		for (const [way, written] of await everythingThatLeaves(window(entered(schema, value), nothing, false))) {
			expect([way, around('planted', written)]).toEqual([way, undefined]);
		}
	});

	describe.each(Object.entries(ENCODERS))('and repeated as by %s', (_, encode) => {
		/** What is left of a text that is hidden: hardly a part of it, in none of the ways in which sinks write it. */
		const leaks = (written: string, secret: string) =>
			[encode(secret), JSON.stringify(encode(secret)).slice(1, -1), secret].flatMap((text) =>
				Array.from({ length: Math.max(0, text.length - PART) }, (__, at) => text.slice(at, at + PART)).filter(
					(part) => /[\p{L}\p{N}]/u.test(part) && (written.includes(part) || withoutEntities(written).includes(part)),
				),
			);

		it.each(variants(...SPELLED))('leaves the window in no spelling: %s', async (secret) => {
			const asked = { ...entered({ properties: { a: password } }, { a: secret }), secrets: [secret] };
			const left = await everythingThatLeaves(window(nothing, asked, false, encode));
			expect(left.map(([way, written]) => [way, leaks(written, secret)])).toEqual(left.map(([way]) => [way, []]));
		});

		it.each(SPELLED)('is in no log, export, or error as a secret of the configuration: %s', (secret) => {
			const trace = maskedLog(() => 1_000);
			trace.privacy.configured.add([secret]);
			const said = `is ${encode(secret)} now`;
			trace.add({ server: 's', direction: 'received', message: { id: 1, result: { said, [said]: [said] } } });
			const failure = new Failure('s', localizable('It said {0}', said), localizable('Nothing'));
			for (const written of [
				JSON.stringify(trace.entries),
				toJsonLines(trace, 'configured'),
				redactFailure(failure, trace.privacy).message,
				withoutSecrets(new Error(said), [secret]).message,
			]) {
				expect([written, leaks(written, secret)]).toEqual([written, []]);
			}
		});
	});

	it('stays known when the request for it, or the list of tools, is no longer in the log', () => {
		const shaped = entered({ properties: { a: { $ref: '#/$defs/S' } }, $defs: { S: password } }, { a: 'planted' });
		const trace = maskedLog(() => 1);
		const call = new World().registry.beginCall('s', 'tool', 'act', shaped.value);
		const add = (direction: Direction, message: object) => trace.add({ server: 's', direction, message, call });
		add('received', { id: 0, result: { tools: [{ name: 'act', inputSchema: shaped.schema }] } });
		add('sent', { method: 'tools/call', params: { name: 'act', arguments: shaped.value } });
		expect(toJsonLines(trace)).toContain('"arguments":{"a":"‹redacted›"}');
		const params = { message: 'm', requestedSchema: shaped.schema };
		add('received', { id: 9, method: 'elicitation/create', params });
		add('sent', { id: 9, result: { content: { a: 'planted', b: 'kept' } } });
		expect(toJsonLines(trace)).toContain('"content":{"a":"‹redacted›","b":"kept"}');
	});

	it('is hidden where a server repeats it: as a name, as a number, in a URL, and where the text was truncated in it', () => {
		const params = { requestedSchema: { properties: { a: password, n: { type: 'integer', writeOnly: true } } } };
		const content = { a: 'planted & more', n: 47_114 };
		const url = `https://x.example/${encodeURIComponent(content.a)}`;
		const echo = { 'planted & more': 1, n: 47_114, url, cut: 'It is planted & m…' };
		const log = logOf(
			['received', { id: 1, method: 'elicitation/create', params }],
			['sent', { id: 1, result: { content } }],
			['received', { id: 2, result: echo }],
		);
		expect(linesOf(log)[1]).toMatchObject({ message: { result: { content: { a: REDACTED, n: REDACTED } } } });
		expect(toJsonLines(log)).not.toMatch(/planted|47114/);
	});

	it("is not the user's where the server has proposed it and the user has left it alone", () => {
		const properties = {
			a: { ...password, default: 'proposed-a' },
			b: { ...password, examples: ['proposed-b'] },
			c: { ...password, default: 'proposed-c' },
		};
		const log = logOf(
			['received', { id: 1, method: 'elicitation/create', params: { requestedSchema: { properties } } }],
			['sent', { id: 1, result: { content: { a: 'proposed-a', b: 'proposed-b', c: 'entered-c' } } }],
			['received', { id: 2, result: { text: 'proposed-a, proposed-b, entered-c' } }],
		);
		const [, sent, repeated] = linesOf(log);
		expect(sent).toMatchObject({ message: { result: { content: { a: REDACTED, b: REDACTED, c: REDACTED } } } });
		expect(repeated).toMatchObject({ message: { result: { text: `proposed-a, proposed-b, ${REDACTED}` } } });
	});

	it('is no response to a sampling request, in a session or in a round', () => {
		const result = { role: 'assistant', model: 'user', content: { type: 'text', text: 'written' } };
		const params = { name: 'act', inputResponses: { draft: result } };
		const log = logOf(
			['received', { id: 1, method: 'sampling/createMessage', params: {} }],
			['sent', { id: 1, result }],
			['sent', { id: 2, method: 'tools/call', params }],
			['received', { id: 2, result: { content: [result.content] } }],
		);
		expect(toJsonLines(log)).not.toContain(REDACTED);
	});

	it('is what the form masks or takes for a secret, whatever the schema', () => {
		fc.assert(
			fc.property(shape, ({ schema }) => {
				const fields = fieldsOf(schema);
				const secret = sensitiveFields(fields).map((index) => fields[index]?.key ?? '');
				const values = owned(fields.map(({ key }) => [key, 'entered']));
				const told = new Masks(schema).without(values, REDACTED);
				expect(secret.filter((key) => own(told, key) === 'entered')).toEqual([]);
			}),
		);
	});

	it('is nothing else: what is beside it stays as it was entered', () => {
		const schema = {
			properties: { a: { $ref: '#/$defs/S' }, b: { $ref: '#/$defs/T' } },
			$defs: { S: password, T: {} },
		};
		const value = { a: 'x', b: { c: ['kept', 1, null, true] }, d: 'kept' };
		expect(new Masks(schema).without(value, REDACTED)).toEqual({ ...value, a: REDACTED });
		expect(
			new Masks({ properties: { token: { enum: ['kept'] }, secret: { type: 'boolean' } } }).without(
				{ token: 'kept', secret: true },
				REDACTED,
			),
		).toEqual({ token: 'kept', secret: true });
		expect(new Masks(null).without(value, REDACTED)).toBe(value);
	});

	it('is found in schemas that refer to everything twice, and in those with 10,000 branches', () => {
		const twice = Object.fromEntries(
			Array.from({ length: 30 }, (_, index) => [
				`d${index}`,
				{ allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
			]),
		);
		const doubling = { $ref: '#/$defs/d0', $defs: { ...twice, d30: { properties: { a: password } } } };
		expect(new Masks(doubling).without({ a: 'x' }, REDACTED)).toEqual({ a: REDACTED });
		const branches = Array.from({ length: 10_000 }, (_, index) => ({ properties: { [`f${index}`]: password } }));
		const value = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`f${index}`, 'x']));
		expect(JSON.stringify(new Masks({ anyOf: branches }).without(value, REDACTED))).not.toContain('"x"');
	});

	it('leaves the window in no form, wherever its schema says so and however large the messages are', async () => {
		await fc.assert(
			fc.asyncProperty(shape, shape, fc.boolean(), async (args, asked, inRounds) => {
				const here = window(args, asked, inRounds);
				// No case can be recorded of what was not kept whole.
				const isLost = here.trace.entries.some(({ truncated }) => truncated);
				for (const [way, written] of await everythingThatLeaves(here)) {
					expect([way, around('S3NT1NEL', written)]).toEqual([way, undefined]);
					expect([way, written === '' && !(isLost && way === 'exports a scenario')]).toEqual([way, false]);
				}
			}),
			{ numRuns: runs(50, 2) },
		);
	});
});
