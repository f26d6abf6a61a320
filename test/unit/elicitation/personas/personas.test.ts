import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIBRARIES } from '../../../../src/elicitation/check/libraries.ts';
import { initialInputs } from '../../../../src/elicitation/form/inputs.ts';
import { propertyFields } from '../../../../src/elicitation/form/readFields.ts';
import type { JsonObject } from '../../../../src/elicitation/json.ts';
import { asSeenBy, fieldsAs, respondAs } from '../../../../src/elicitation/personas/asSeenBy.ts';
import { FormAs } from '../../../../src/elicitation/personas/formAs.ts';
import { PERSONAS, type Persona } from '../../../../src/elicitation/personas/persona.ts';
import { problemsAs } from '../../../../src/elicitation/personas/problemsAs.ts';
import { english, render } from '../../../../src/elicitation/sentence.ts';
import { cases } from '../../../field/schemas/case.ts';
import { requests } from '../../../field/schemas/generator.ts';
import { runs } from '../../../nightly.ts';
import { agrees } from '../../../personas/agrees.ts';
import { measureSdk, SDKS } from '../../../personas/sdks.ts';
import { Bench } from '../../validation/validationBench.ts';

const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

const references: JsonObject[] = json('test/fixtures/reference-elicitations.json').cases.flatMap(
	({ params = {}, sequence = [params] }: { params?: JsonObject; sequence?: JsonObject[] }) => sequence,
);
const realWorld = cases.filter(({ row }) => row !== 'large').map(({ params }) => params);
const schemas = [...references, ...realWorld].flatMap(({ requestedSchema }) =>
	requestedSchema ? [requestedSchema as JsonObject] : [],
);

/** A client with every habit that a persona can have. */
const odd: Persona = {
	id: 'odd',
	name: 'Odd',
	version: '1',
	date: '2026-01-01',
	source: { documented: 'https://example.com' },
	declares: { '2025-11-25': {} },
	form: {
		hides: ['description'],
		ignores: ['pattern', 'minLength'],
		omits: ['json', 'list'],
		blank: { text: '', number: 0, boolean: false, choice: null },
		losesFalsyDefaults: true,
		typesBooleans: true,
		declines: false,
		cancel: 'decline',
	},
};

function formOf(properties: JsonObject, required: string[] = []): JsonObject {
	return { type: 'object', properties, required };
}

function said(persona: Persona, params: JsonObject): string[] {
	return problemsAs(persona, params).map(({ pointer, message }) => `${pointer} ${render(message, english)}`);
}

/** The response to a form that nobody has touched. */
function untouched(persona: Persona, requestedSchema: JsonObject) {
	const inputs = initialInputs(fieldsAs(persona, requestedSchema));
	return respondAs(persona, { mode: 'form', message: 'm', requestedSchema }, inputs);
}

it('the personas are complete, each under an id of its own', () => {
	const folder = 'src/elicitation/personas';
	const ajv = addFormats.default(new Ajv2020({ allErrors: true }));
	const validate = ajv.compile(json(`${folder}/personas.schema.json`));
	expect(validate(json(`${folder}/personas.json`)), ajv.errorsText(validate.errors)).toBe(true);
	const ids = PERSONAS.map(({ id }) => id);
	expect(ids).toEqual([...new Set(ids)]);
	const known = LIBRARIES.map(({ id }) => id);
	expect(known).toEqual(expect.arrayContaining(PERSONAS.flatMap(({ library }) => library ?? [])));
});

describe.each(Object.entries(SDKS))('%s', (id, sdk) => {
	it('does what its persona says', async () => {
		const persona = PERSONAS.find((each) => each.id === id);
		expect(persona).toMatchObject({ source: { measured: 'test/personas/sdks.ts' } });
		await agrees(id, await measureSdk(sdk));
	});
});

describe('a request as another client sees it', () => {
	it('tells what is lost, hidden, unchecked, and left out', () => {
		const schema = formOf({
			name: { type: 'string', description: 'D', pattern: 'a', minLength: 2, default: '' },
			tags: { type: 'array', items: { type: 'string' } },
		});
		expect(asSeenBy(odd, schema).fields).toMatchObject([
			{ shown: true, hidden: ['description'], unchecked: ['pattern', 'minLength'], losesDefault: true },
			{ shown: false },
		]);
		expect(fieldsAs(odd, schema)).toEqual([expect.not.objectContaining({ default: '' })]);
	});

	it('says so in words, at its place', () => {
		const requestedSchema = formOf({ b: { type: 'boolean', default: false }, 'a/b': { type: 'string', pattern: 'x' } });
		expect(said(odd, { message: 'm', requestedSchema })).toEqual([
			'/requestedSchema/properties/b Odd 1: The default false is lost.',
			'/requestedSchema/properties/b Odd 1: It is entered as text, such as "true".',
			'/requestedSchema/properties/b Odd 1: Left blank, it is sent as false.',
			'/requestedSchema/properties/a~1b Odd 1: Not checked: pattern.',
			'/requestedSchema/properties/a~1b Odd 1: Left blank, it is sent as "".',
		]);
		expect(said(odd, { message: 'm', mode: 'url', url: 'https://example.com', elicitationId: '1' })).toEqual([
			' Odd 1: It does not declare URL mode, so a server must not send this.',
		]);
	});

	it('says what the library of a client drops and refuses', () => {
		const sdk = PERSONAS.find(({ id }) => id === 'typescript-sdk-1') as Persona;
		const dropped = formOf({ a: { type: 'string', pattern: 'x' } });
		expect(said(sdk, { message: 'm', requestedSchema: dropped })).toContain(
			'/requestedSchema/properties/a TypeScript SDK without handlers 1.32.2: Not visible to the client: pattern.',
		);
		const refused = formOf({ a: { type: ['string', 'null'] } });
		expect(said(sdk, { message: 'm', requestedSchema: refused })).toContain(
			'/requestedSchema/properties/a TypeScript SDK without handlers 1.32.2: The whole request is refused because of this.',
		);
		expect(
			respondAs(
				{ ...sdk, automatic: undefined } as never,
				{ mode: 'form', message: 'm', requestedSchema: refused },
				[],
			),
		).toEqual({ action: 'error', code: -32603 });
	});
});

describe('the response of another client', () => {
	it('has what the client makes of blank fields', () => {
		const schema = formOf({
			s: { type: 'string' },
			n: { type: 'number' },
			e: { enum: ['a'] },
			z: { type: 'boolean', default: true },
		});
		expect(untouched(odd, schema)).toEqual({ action: 'accept', content: { s: '', n: 0, e: null, z: true } });
		expect(untouched({ ...odd, form: {} }, schema)).toEqual({ action: 'accept', content: { z: true } });
	});

	it('begins with the first option of a choice where the client does, and without defaults that it does not show', () => {
		const schema = formOf({
			c: { type: 'string', enum: ['a', 'b'], default: 'b' },
			s: { type: 'string', default: 'x' },
		});
		const first = { ...odd, form: { hides: ['default'], choosesFirst: true } };
		expect(untouched(first, schema)).toEqual({ action: 'accept', content: { c: 'a' } });
		expect(said(first, { message: 'm', requestedSchema: schema })).toEqual([
			'/requestedSchema/properties/c Odd 1: Not shown: default.',
			'/requestedSchema/properties/c Odd 1: Left blank, it is sent as "a".',
			'/requestedSchema/properties/s Odd 1: Not shown: default.',
		]);
	});

	it('waits for what is required', () => {
		expect(untouched(odd, formOf({ s: { type: 'string' } }, ['s']))).toMatchObject({
			action: 'blocked',
			problems: [{ field: 0 }],
		});
	});

	it('is the one that needs no person, if there is one', () => {
		const automatic = { action: 'decline' } as const;
		expect(untouched({ ...odd, automatic }, formOf({}))).toEqual(automatic);
	});

	it('accepts only URLs that the client opens', () => {
		const url = (address: string) => ({ mode: 'url', message: 'm', url: address }) as const;
		const opens = { ...odd, url: { opens: 'afterConsent', showsHost: true, schemes: ['https'] } } as const;
		expect(respondAs(opens, url('HTTPS://example.com'), [])).toEqual({ action: 'accept' });
		expect(respondAs(opens, url('file:///etc'), [])).toEqual({ action: 'error', code: -32602 });
		const none = { ...odd, refusal: -32603 };
		expect(respondAs(none, url('https://example.com'), [])).toEqual({ action: 'error', code: -32602 });
	});

	const all = [...PERSONAS, odd];

	it.each(all)('of $name never invents a property and leaves none out that was entered', (persona) => {
		const check = (requestedSchema: JsonObject) => {
			const seen = asSeenBy(persona, requestedSchema);
			const fields = propertyFields(requestedSchema);
			expect(seen.fields.map(({ field }) => field)).toEqual(fields);
			const shown = fieldsAs(persona, requestedSchema);
			const inputs = initialInputs(shown);
			const response = respondAs(persona, { mode: 'form', message: 'm', requestedSchema }, inputs);
			if (persona.automatic) {
				expect(response).toEqual(persona.automatic);
			} else if (response.action === 'accept') {
				const keys = Object.keys(response.content ?? {});
				expect(shown.map(({ key }) => key)).toEqual(expect.arrayContaining(keys));
				const preset = shown.filter(
					(field) => field.kind === 'const' || ('default' in field && field.default !== undefined),
				);
				expect(keys).toEqual(expect.arrayContaining(preset.map(({ key }) => key)));
			} else {
				expect(['blocked', 'error']).toContain(response.action);
			}
			for (const { message } of problemsAs(persona, { message: 'm', requestedSchema })) {
				expect(render(message, english)).not.toMatch(/undefined|\{\d\}/);
			}
		};
		expect(schemas.length).toBeGreaterThan(200);
		schemas.forEach(check);
		fc.assert(
			fc.property(requests, ({ schema }) => check(schema)),
			{ numRuns: runs(300) },
		);
	});
});

describe('the form of another client', () => {
	const bench = new Bench();
	const schema = formOf({ s: { type: 'string', minLength: 2, maxLength: 3 } }, ['s']);
	const review = (text: string) => new FormAs(odd, schema, bench).review([{ kind: 'text', text }]);

	it('stops what the client checks, and lets pass what it does not, with a remark', async () => {
		expect(await review('ok')).toEqual({ content: { s: 'ok' }, problems: [] });
		expect((await review('long')).problems).toMatchObject([{ field: 0 }]);
		const short = await review('x');
		expect(short.problems).toEqual([]);
		expect(short.unchecked && render(short.unchecked, english)).toMatch(
			/^The server gets what its schema does not allow: \/s: /,
		);
	});

	it('says what is wrong at its field, also if the name of another begins like it', async () => {
		const both = formOf({ s: { type: 'string' }, 's/t': { type: 'string', maxLength: 3 } }, ['s', 's/t']);
		const texts = ['ok', 'long'].map((text) => ({ kind: 'text', text }) as const);
		expect((await new FormAs(odd, both, bench).review(texts)).problems).toMatchObject([{ field: 1 }]);
	});

	it('shows what is sent instead, where the client needs no person', async () => {
		const form = new FormAs({ ...odd, automatic: { action: 'decline' } }, schema, bench);
		expect(await form.review([])).toEqual({ content: { action: 'decline' }, problems: [] });
	});
});
