import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/elicitation/json.ts';
import { RawHttpServer } from '../../rawServer/http.ts';
import { LEGACY, MODERN } from '../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../rawServer/stdio.ts';
import { callRawServerTool, connectRawServer, form } from './faults/rawServerFixtures.ts';
import { WIRES } from './rawServerSteps.ts';
import { shown, stdio, testClients, testServer, type Wire } from './testClient.ts';

/* What is malformed, withdrawn, or interrupted: see faults/elicitations.test.ts and faults/endings.test.ts. */

const world = testClients();

/** A schema with everything that the SDK's own handler would strip or reject. */
const realWorld: JsonObject = {
	type: 'object',
	$schema: 'http://json-schema.org/draft-07/schema#',
	properties: {
		code: { type: 'string', pattern: '^\\p{L}{2}-\\d+$', 'x-vendor': { a: [1] } },
		kind: { const: 'fixed' },
		level: { type: 'integer', enum: [1, 2, 3], exclusiveMinimum: 0, multipleOf: 1 },
		maybe: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
		either: { type: ['string', 'null'], format: 'ipv4' },
		tags: { type: 'array', items: { type: 'string' } },
		place: { $ref: '#/$defs/place' },
		nested: { type: 'object', properties: { deep: { type: 'boolean' } }, required: ['deep'] },
	},
	$defs: { place: { type: 'string', maxLength: 7 } },
	additionalProperties: false,
	required: ['code', 'missing'],
};

interface Case {
	id: string;
	revisions: string[];
	params?: Wire;
	answer?: Wire;
	sequence?: Wire[];
	answers?: Wire[];
}
const { cases } = JSON.parse(
	readFileSync(new URL('../../fixtures/reference-elicitations.json', import.meta.url), 'utf8'),
) as { cases: Case[] };

describe.each(['2025-06-18', '2025-11-25', '2026-07-28'])('in revision %s', (revision) => {
	const connect = (here: ReturnType<typeof world>, more: object = {}) =>
		here.connect(
			stdio('ref', testServer(revision === '2026-07-28' ? 'sdk2.mjs' : 'sdk1.mjs'), [], {
				protocolVersion: revision,
				...more,
			}),
		);

	it('each reference case arrives whole and is answered to the letter', async () => {
		const here = world();
		const connection = await connect(here);
		const ours = cases.filter(({ revisions }) => revisions.includes(revision));
		for (const { id, params, answer, sequence = [params], answers = [answer] } of ours) {
			for (const [at, expected] of sequence.entries()) {
				const calling = connection.callTool('ask', { params: expected });
				const [elicitation] = await here.asked();
				const { request } = elicitation;
				expect(elicitation.origin.params, id).toEqual(expected);
				if (request.mode === 'url') {
					elicitation.opened();
				} else {
					expect(request.requestedSchema, id).toEqual(expected.requestedSchema);
					await here.registry.accept(elicitation, answers[at].content);
				}
				expect(shown(await calling), id).toEqual(answers[at]);
			}
		}
	});

	it('the raw schema reaches the registry unchanged, and decline and cancel carry no content (F13)', async () => {
		const here = world();
		const connection = await connect(here);
		const calling = connection.callTool('ask', { params: { message: '', requestedSchema: realWorld } });
		const [elicitation] = await here.asked();
		expect(JSON.stringify(elicitation.request)).toBe(
			JSON.stringify({ mode: 'form', message: '', requestedSchema: realWorld }),
		);
		const content = { code: 'ab-1', level: 2, nested: { deep: false }, tags: [], maybe: null };
		await here.registry.accept(elicitation, content);
		expect(JSON.stringify(here.judged)).toBe(JSON.stringify([[realWorld, content]]));
		expect(shown(await calling)).toEqual({ action: 'accept', content });
		for (const action of ['decline', 'cancel'] as const) {
			const asking = connection.callTool('ask', { params: { ...form, message: action } });
			(await here.asked())[0][action]();
			expect(shown(await asking)).toStrictEqual({ action });
		}
		expect(here.registry.calls.map(({ state }) => state)).toEqual(['succeeded', 'succeeded', 'succeeded']);
	});

	it('a mode that the user has declined for good is declined without asking', async () => {
		const here = world();
		const connection = await connect(here, { elicitation: { form: 'decline' } });
		expect(shown(await connection.callTool('ask', { params: form }))).toStrictEqual({ action: 'decline' });
		expect(here.registry.elicitations.map(({ state }) => state)).toEqual(['declined']);
	});
});

it('a call reports its progress, and shows the failure of a tool as a result', async () => {
	const here = world();
	const connection = await here.connect(stdio('s', testServer('sdk1.mjs')));
	const steps: unknown[] = [];
	await connection.callTool('progress', { steps: 3 }, { onProgress: ({ progress }) => steps.push(progress) });
	expect(steps).toEqual([1, 2, 3]);
	expect(await connection.callTool('fail', {})).toMatchObject({ isError: true });
	await expect(connection.callTool('fail', { protocol: true })).rejects.toThrow(/^s: .*It failed as a request\./);
});

describe('which call an elicitation belongs to', () => {
	it('is exact over HTTP, where each call has a stream of its own', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open, { revision: LEGACY });
		const names = ['first', 'second'];
		const calling = names.map((name) => connection.callTool('act', { name }));
		const calls = [await rawServer.expect('tools/call'), await rawServer.expect('tools/call')];
		for (const call of calls) rawServer.ask({ ...form, message: call.params.arguments.name }, call);
		const allPending = await here.asked(2);
		expect(allPending.map(({ request, origin }) => [request.message, origin.calls.map(({ args }) => args)])).toEqual(
			allPending.map(({ request: { message } }) => [message, [{ name: message }]]),
		);
		for (const each of allPending) each.decline();
		for (const call of calls) rawServer.finish(call);
		await Promise.all(calling);
		const traced = here.trace.entries.filter(({ message }) => (message as Wire).method === 'elicitation/create');
		expect(traced.map(({ call, message }) => [(call as Wire).args.name, (message as Wire).params.message])).toEqual(
			traced.map(({ message }) => [(message as Wire).params.message, (message as Wire).params.message]),
		);
		expect(traced.map(({ message }) => (message as Wire).params.message).sort()).toEqual(names);
	});

	it('is uncertain over stdio with two in flight: both are named', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, RawStdioServer.open, { revision: LEGACY });
		const calling = ['slow', 'ask'].map((name) => connection.callTool(name, {}));
		const calls = [await rawServer.expect('tools/call'), await rawServer.expect('tools/call')];
		rawServer.ask(form);
		const [elicitation] = await here.asked();
		expect(elicitation.origin.calls).toEqual(here.registry.calls);
		expect(here.registry.calls.map(({ name }) => name)).toEqual(['slow', 'ask']);
		elicitation.cancel();
		for (const call of calls) rawServer.finish(call);
		await Promise.all(calling);
	});
});

it.each(WIRES)(
	'over %s, a result that is no response reaches the server as it was written',
	async (_name, open, revision) => {
		const here = world();
		const result = { action: 'perhaps', content: ['a', null], more: { big: 1e300 } };
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const isRound = revision === MODERN;
		const asked = { method: 'elicitation/create', params: form };
		isRound
			? rawServer.answer(call, { resultType: 'input_required', inputRequests: { it: asked } })
			: rawServer.ask(form, call, 'it');
		const [elicitation] = await here.asked();
		elicitation.respond({ action: 'malformed', result });
		const last = isRound ? await rawServer.expect('tools/call') : call;
		expect(
			isRound ? last.params.inputResponses.it : (await rawServer.until(() => rawServer.responses('it')[0])).result,
		).toEqual(result);
		rawServer.finish(last);
		await calling;
	},
);

it('other output on stdout is tolerated and logged in part (fault 14)', async () => {
	const here = world();
	const { rawServer } = await connectRawServer(here, RawStdioServer.open, { revision: LEGACY });
	for (const line of ['Server is starting…', '{"hello":"world"}']) rawServer.line(line);
	await rawServer.fence();
	const noise = here.logs.filter((line) => line.startsWith('warn: Ignored a line on stdout'));
	expect(noise).toEqual([expect.stringContaining('Server is starting…'), expect.stringContaining('{"hello":"world"}')]);
});
