import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Disposable } from '../../../src/elicitation/emitter.ts';
import { toContent } from '../../../src/elicitation/form/inputs.ts';
import { fieldsOf } from '../../../src/elicitation/form/readFields.ts';
import type { Validator } from '../../../src/elicitation/form/validate.ts';
import type { Json, JsonObject } from '../../../src/elicitation/json.ts';
import { ValidatorPool } from '../../../src/validation/validatorPool.ts';
import { runs } from '../../nightly.ts';
import { about, Bench } from './validationBench.ts';

const bench = new Bench();

function verdict(...args: Parameters<Bench['verdict']>): Promise<string[] | string> {
	return bench.verdict(...args);
}

const bait = `${'a'.repeat(40)}!`;

describe('SECURITY: hostile schemas', () => {
	const evil = '^(a+)+$';
	const IN_TIME = /^unchecked: This could not be checked here in time\./;
	const doubled: Record<string, JsonObject> = { d40: {} };
	for (let i = 0; i < 40; i++) {
		doubled[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] };
	}

	it('a pattern without end is stopped, and the next schema is checked as if nothing had been', async () => {
		const schema = about({ pattern: evil });
		expect(await verdict(schema, { p: 'aaa' })).toBe('valid');
		expect(await verdict(schema, { p: bait })).toMatch(IN_TIME);
		expect(await verdict(about({ pattern: '^b$' }), { p: 'a' })).toHaveLength(1);
	});

	it('a stopped schema is not run again', async () => {
		const schema = about({ pattern: evil, minLength: 99 });
		expect(await verdict(schema, { p: bait })).toMatch(IN_TIME);
		expect(await verdict(schema, { p: 'a' })).toMatch(IN_TIME);
		expect(await verdict({ ...schema }, { p: 'a' })).toHaveLength(1);
	});

	it('what waits behind it is answered too', async () => {
		const results = await Promise.all([
			verdict(about({ pattern: `${evil}x?` }), { p: bait }),
			verdict(about({ minimum: 2 }), { p: 1 }),
			verdict(about({ minimum: 2 }), { p: 2 }),
		]);
		expect(results).toEqual([expect.stringMatching(IN_TIME), ['/p At least 2.'], 'valid']);
	});

	it('patterns hide in names and formats as well', async () => {
		expect(await verdict({ patternProperties: { [evil]: {} } }, { [bait]: 1 })).toMatch(IN_TIME);
	});

	it('doubling references are stopped', async () => {
		expect(await verdict(about({ $ref: '#/$defs/d0' }, { $defs: doubled }), { p: 1 })).toMatch(/^unchecked: /);
	});

	it('a compilation that takes too much is stopped', async () => {
		const allOf = Array.from({ length: 30_000 }, (_, i) => ({ pattern: `${i}` }));
		expect(await verdict(about({ allOf }), { p: 'x' })).toMatch(/^unchecked: This needs more memory|in time/);
		expect(await verdict(about({ type: 'string' }), { p: 'x' })).toBe('valid');
	});

	it('endless recursion is no crash', async () => {
		expect(await verdict(about({ $ref: '#/properties/p' }), { p: 1 })).toMatch(
			/^unchecked: The schema cannot be run here/,
		);
		expect(await verdict(about({ type: 'string' }), { p: 'x' })).toBe('valid');
	});

	it.each<[string, JsonObject]>([
		['$async at the root', { $async: true }],
		['$async of another kind', { $async: {} }],
		['an identifier that is known already', { $id: 'http://json-schema.org/draft-07/schema#' }],
		['an identifier that is no text', { $id: 1 }],
		['an unknown dialect', { $schema: 'https://nowhere.test/schema' }],
		['a dialect that is no text', { $schema: 7 }],
	])('%s changes nothing', async (_, root) => {
		expect(await verdict(about({ type: 'string' }, root), { p: 1 })).toEqual(['/p Text.']);
	});

	it('$async and $id inside change nothing', async () => {
		const inner = { $async: true, $id: 'https://x.test/y', type: 'string' };
		expect(await verdict(about(inner), { p: 1 })).toEqual(['/p Text.']);
		const referred = about({ $ref: '#/$defs/S' }, { $id: 'https://x.test/root', $defs: { S: inner } });
		expect(await verdict(referred, { p: 1 })).toEqual(['/p Text.']);
	});

	it('the same identifier on two schemas does not mix them up', async () => {
		expect(await verdict(about({ type: 'string' }, { $id: 'same' }), { p: 1 })).toEqual(['/p Text.']);
		expect(await verdict(about({ type: 'number' }, { $id: 'same' }), { p: 1 })).toBe('valid');
	});

	it('properties named like keywords are properties', async () => {
		const schema: JsonObject = {
			properties: {
				$async: { type: 'string' },
				$id: { type: 'string' },
				id: { type: 'string' },
				required: { type: 'string' },
			},
		};
		expect(await verdict(schema, { $async: 1, $id: 1, id: 1, required: 1 })).toHaveLength(4);
	});

	it('values that look like keywords are values', async () => {
		const schema = about({ const: { $id: 'x', $async: true, required: 1 } });
		expect(await verdict(schema, { p: { $id: 'x', $async: true, required: 1 } })).toBe('valid');
		expect(await verdict(schema, { p: {} })).toHaveLength(1);
	});

	it.each(['https://schemas.example/x.json', 'other.json#/a', '#/$defs/No', 'file:///etc/passwd'])(
		'%s is not looked up',
		async ($ref) => {
			expect(await verdict(about({ $ref }), { p: 1 })).toBe(`valid. Not checked here: "${$ref}" is not looked up.`);
		},
	);

	it('names from prototypes are ordinary', async () => {
		const schema = JSON.parse(
			'{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"},"toString":{"type":"string"}},"additionalProperties":false}',
		) as JsonObject;
		expect(await verdict(schema, {})).toBe('valid');
		expect(await verdict(schema, JSON.parse('{"__proto__":"a","constructor":"b"}') as Json)).toBe('valid');
		expect(await verdict(schema, JSON.parse('{"__proto__":1,"constructor":2}') as Json)).toEqual([
			'/constructor Text.',
			'/__proto__ Text.',
		]);
		expect(await verdict({ ...schema, required: ['__proto__', 'toString'] }, {})).toEqual([
			'/__proto__ This is required.',
			'/toString This is required.',
		]);
	});

	it('content keeps __proto__ on its way into the worker', async () => {
		const schema = JSON.parse(
			'{"properties":{"__proto__":{"type":"string","minLength":3}},"required":["__proto__"]}',
		) as JsonObject;
		const { content } = toContent(fieldsOf(schema), [{ kind: 'text', text: 'ab' }]);
		expect(await verdict(schema, content)).toEqual(['/__proto__ At least 3 characters; you have 2.']);
	});

	it('a schema beyond the limits is not even sent to the worker', async () => {
		const properties = Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`p${i}`, {}]));
		expect(await verdict({ properties }, {})).toBe('unchecked: The schema has more than 1000 properties.');
	});

	it('a thousand properties are checked', async () => {
		const properties = Object.fromEntries(
			Array.from({ length: 1_000 }, (_, i) => [`p${i}`, { type: 'string', maxLength: i }]),
		);
		expect(await verdict({ properties }, { p3: 'abcd' })).toEqual(['/p3 At most 3 characters; you have 4.']);
	});

	it('ten thousand options are checked', async () => {
		const schema = about({ enum: Array.from({ length: 10_000 }, (_, i) => `v${i}`) });
		expect(await verdict(schema, { p: 'v9999' })).toBe('valid');
		expect(await verdict(schema, { p: 'x' })).toEqual(['/p Must be one of the listed values.']);
	});
});

describe('the pool of workers', () => {
	const own: Disposable[] = [];
	afterEach(() => {
		for (const item of own.splice(0)) {
			item.dispose();
		}
	});
	function pool(workerFile: string): Validator & Disposable {
		const made = new ValidatorPool(workerFile);
		own.push(made);
		return made;
	}

	it.each(['/nowhere/validator.cjs', 'relative.cjs'])(
		'never rejects when there is no worker: %s',
		async (workerFile) => {
			const broken = pool(workerFile);
			expect(await verdict(about({ type: 'string' }), { p: 1 }, broken)).toMatch(
				/^unchecked: The check could not be run/,
			);
		},
	);

	it('answers whatever waits when it is disposed of', async () => {
		const one = pool(bench.workerFile);
		const waiting = [verdict(about({}), { p: 1 }, one), verdict(about({}), { p: 2 }, one)];
		one.dispose();
		expect(await Promise.all(waiting)).toEqual([
			'unchecked: The check was stopped.',
			'unchecked: The check was stopped.',
		]);
		expect(await verdict(about({}), { p: 1 }, one)).toBe('unchecked: The check was stopped.');
	});

	it('survives a worker that runs out of memory', async () => {
		const glutton = pool(join(import.meta.dirname, 'fixtures', 'gluttonWorker.cjs'));
		expect(await verdict(about({}), { p: 1 }, glutton)).toMatch(/^unchecked: This needs more memory/);
	});

	it('stops a worker that never ends compiling', async () => {
		const stuck = pool(join(import.meta.dirname, 'fixtures', 'stuckWorker.cjs'));
		const start = performance.now();
		expect(await verdict(about({}), { p: 1 }, stuck)).toMatch(/^unchecked: This could not be checked here in time/);
		expect(performance.now() - start).toBeGreaterThan(1_900);
	});

	it('has patience with a worker that gets no processor time', async () => {
		const waiting = pool(join(import.meta.dirname, 'fixtures', 'waitingWorker.cjs'));
		expect(await verdict(about({}), { ms: 2_500 }, waiting)).toBe('valid');
	});

	it('answers hundreds of checks while typing, in order', async () => {
		const schema = about({ type: 'string', maxLength: 150 });
		const results = await Promise.all(Array.from({ length: 300 }, (_, i) => verdict(schema, { p: 'x'.repeat(i) })));
		expect(results.map((result) => result === 'valid')).toEqual(Array.from({ length: 300 }, (_, i) => i <= 150));
	});

	/** Contents of a schema that has each of the possible ends. */
	const ENDS = { valid: 'aaa', invalid: 'b', unchecked: bait } as const;
	type End = keyof typeof ENDS;

	it('gives each content its own verdict, in order, whichever of those that were run together never ends', async () => {
		const ends = fc.array(fc.constantFrom<End[]>('valid', 'valid', 'invalid', 'invalid'), {
			minLength: 1,
			maxLength: 9,
		});
		const tried = fc.tuple(
			ends,
			fc.option(fc.nat(9)),
			fc.array(fc.constantFrom('a', 'b'), { minLength: 10, maxLength: 10 }),
		);
		await fc.assert(
			fc.asyncProperty(tried, async ([others, at, servers]) => {
				const expected: End[] = at === null ? others : [...others.slice(0, at), 'unchecked', ...others.slice(at)];
				const shared = pool(bench.workerFile);
				const order: Record<string, number[]> = { a: [], b: [] };
				const verdicts = expected.map(async (end, index) => {
					const server = servers[index] as 'a' | 'b';
					const { status } = await shared.validate(about({ pattern: '^(a+)+$' }), { p: ENDS[end] }, server);
					order[server]?.push(index);
					return status;
				});
				expect(await Promise.all(verdicts)).toEqual(expected);
				expect(order['a']).toEqual(order['a']?.toSorted((one, other) => one - other));
				expect(order['b']).toEqual(order['b']?.toSorted((one, other) => one - other));
				shared.dispose();
			}),
			{ numRuns: runs(50) },
		);
	});

	/** Schemas that run until they are stopped, each one different. */
	const hostile = (count: number) => Array.from({ length: count }, (_, i) => about({ pattern: `^(a+)+${i}$` }));
	const good = about({ type: 'boolean' });

	it('checks the form of one server while the hostile patterns of another still run', async () => {
		const shared = pool(bench.workerFile);
		let running = 0;
		for (const schema of hostile(5)) {
			running++;
			void shared.validate(schema, { p: bait }, 'hostile').then(() => running--);
		}
		expect(await shared.validate(good, { p: true }, 'other')).toEqual({ status: 'valid' });
		expect(running).toBeGreaterThan(0);
	});

	it('lets every server have its turn where more are hostile than there are workers', async () => {
		const shared = pool(bench.workerFile);
		const running = new Map<string, number>();
		for (const server of ['a', 'b', 'c', 'd', 'e', 'f']) {
			running.set(server, 3);
			for (const schema of hostile(3)) {
				void shared
					.validate(schema, { p: bait }, server)
					.then(() => running.set(server, (running.get(server) ?? 0) - 1));
			}
		}
		expect(await shared.validate(good, { p: true }, 'other')).toEqual({ status: 'valid' });
		expect(Math.min(...running.values())).toBeGreaterThan(0);
	});

	it('takes no more memory than four workers have, however many servers ask', async () => {
		const waiting = pool(join(import.meta.dirname, 'fixtures', 'waitingWorker.cjs'));
		const channel = new BroadcastChannel('waitingWorker');
		let started = 0;
		channel.onmessage = () => started++;
		const checks = Array.from({ length: 12 }, (_, i) => waiting.validate(about({}), { ms: 100 }, `server ${i}`));
		expect(new Set((await Promise.all(checks)).map(({ status }) => status))).toEqual(new Set(['valid']));
		await vi.waitFor(() => expect(started).toBe(4));
		channel.close();
	});

	it('runs the checks of one server in their order, and one at a time', async () => {
		const shared = pool(bench.workerFile);
		const order: number[] = [];
		const schema = about({ type: 'boolean' });
		const refused = { properties: Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`p${i}`, {}])) };
		await Promise.all(
			[schema, refused, { ...schema }, refused, schema].map((each, i) =>
				shared.validate(each, { p: true }, 'server').then(() => order.push(i)),
			),
		);
		expect(order).toEqual([0, 1, 2, 3, 4]);
	});
});
