import { describe, expect, it } from 'vitest';
import { variantOf } from '../../../src/editor/debugging/trials/kinds.ts';
import type { JsonObject } from '../../../src/elicitation/json.ts';
import type { Persona } from '../../../src/elicitation/personas/persona.ts';
import { english } from '../../../src/elicitation/sentence.ts';
import { personaRun } from '../../../src/trials/personaRun.ts';
import { testClients } from '../mcp/testClient.ts';
import { Bench } from '../validation/validationBench.ts';
import { sdkServers, stand, textsOf } from './stand.ts';

const world = testClients();
const definitionOf = sdkServers();
const validator = new Bench();

const person: Persona = {
	id: 'p',
	name: 'P',
	date: '2026-01-01',
	source: { documented: 'https://example.com' },
	form: { blank: { text: '' }, losesFalsyDefaults: true },
};

const params = {
	message: 'How many?',
	requestedSchema: {
		type: 'object',
		properties: {
			n: { type: 'integer', minimum: 3 },
			name: { type: 'string', minLength: 1 },
			newsletter: { type: 'boolean', default: false },
		},
		required: ['n'],
	},
};

/** Runs the tool that sends this elicitation as the client. */
async function run(persona: Persona, sent: JsonObject = params) {
	const { seen } = await stand(world(), definitionOf('sdk1'));
	const trial = personaRun(persona, validator, []);
	const as = { name: english as never, description: { text: 'd' }, ...trial };
	const { outcome, message, notes } = await seen(as, 'ask', { params: sent });
	return { outcome, message, notes: textsOf(notes) };
}

describe('a call that is repeated as another client', () => {
	it('gets what its user enters, and what it makes of blank fields', async () => {
		expect(await run(person)).toEqual({
			outcome: 'result',
			message: '{"action":"accept","content":{"n":3,"name":""}}',
			notes: ['What this client sends does not match the schema.'],
		});
	});

	it('gets its response where that takes no person', async () => {
		expect(await run({ ...person, automatic: { action: 'decline' } })).toMatchObject({
			message: '{"action":"decline"}',
		});
		expect(await run({ ...person, automatic: { action: 'error', code: -32601 } })).toMatchObject({
			outcome: 'isError',
			message: expect.stringContaining('-32601'),
		});
	});

	it('is cancelled when the client has waited for as long as it does', async () => {
		const silent = await run({ ...person, automatic: { action: 'none' }, waits: 0.2 });
		expect(silent.outcome).toBe('waiting');
	});

	it('is refused a URL by a client that opens none', async () => {
		const page = { mode: 'url', message: 'Sign in', url: 'https://example.com/in', elicitationId: 'e' };
		expect((await run(person, page)).outcome).toBe('isError');
		const opens = { ...person, url: { opens: 'afterConsent', showsHost: true } } as const;
		expect((await run(opens, page)).message).toContain('"action":"accept"');
	});
});

it('declares what the client declares in its newest revision', () => {
	const as = (declares: Persona['declares']) => variantOf({ ...person, ...(declares && { declares }) });
	expect(as(undefined)).toEqual({});
	expect(as({ '2025-06-18': {}, '2025-11-25': { form: {}, url: {} } })).toEqual({
		protocolVersion: '2025-11-25',
		advertise: 'both',
	});
	expect(as({ '2025-06-18': {} })).toEqual({ protocolVersion: '2025-06-18', advertise: 'form' });
	expect(as({ '2025-11-25': { url: {} } })).toEqual({ protocolVersion: '2025-11-25', advertise: 'url' });
	expect(as({ '2025-11-25': null })).toEqual({ protocolVersion: '2025-11-25', advertise: 'none' });
});
