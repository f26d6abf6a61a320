import { expect, it } from 'vitest';
import { Form } from '../../../src/elicitation/form/form.ts';
import { initialInputs } from '../../../src/elicitation/form/inputs.ts';
import type { JsonObject } from '../../../src/elicitation/json.ts';
import { parseJson, writeJson } from '../../../src/elicitation/jsonText.ts';
import { MODERN } from '../../rawServer/rawServer.ts';
import { connectRawServer } from './faults/rawServerFixtures.ts';
import { WIRES } from './rawServerSteps.ts';
import { testClients } from './testClient.ts';

const world = testClients();

const CHOICES = '[725653563933458432,725653563933458433]';
const SCHEMA = `{"type":"object","properties":{"id":{"type":"integer","enum":${CHOICES}}},"required":["id"]}`;
const PARAMS = `{"mode":"form","message":"Which record?","requestedSchema":${SCHEMA}}`;

it.each(WIRES)(
	'over %s, numbers that no double can hold keep their digits: in arguments, requests, responses, and results',
	async (_name, open, revision) => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const calling = connection.callTool('act', parseJson('{"big":9007199254740993,"fine":1.5}') as JsonObject);
		const call = await rawServer.expect('tools/call');
		expect(rawServer.texts.at(-1)).toContain('"arguments":{"big":9007199254740993,"fine":1.5}');

		const isRound = revision === MODERN;
		rawServer.line(
			isRound
				? `{"jsonrpc":"2.0","id":${JSON.stringify(call.id)},"result":{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":${PARAMS}}},"requestState":"s"}}`
				: `{"jsonrpc":"2.0","id":9007199254740995,"method":"elicitation/create","params":${PARAMS}}`,
			call,
		);
		const [elicitation] = await here.asked();
		if (elicitation.request.mode === 'url') {
			throw new Error('It is a form.');
		}
		const form = new Form(elicitation.request.requestedSchema, here.registry.validator);
		expect(form.fields[0]).toMatchObject({
			options: [{ label: '725653563933458432' }, { label: '725653563933458433' }],
		});
		const { content } = await form.review(initialInputs(form.fields).with(0, { kind: 'choice', index: 1 }));
		await here.registry.accept(elicitation, content);
		const isResponse = (text: string) => text.includes('"accept"');
		const sent = await rawServer.until(() => rawServer.texts.find(isResponse));
		expect(sent).toContain('"content":{"id":725653563933458433}');
		if (!isRound) {
			expect(sent).toContain('"id":9007199254740995');
		}

		const last = isRound ? rawServer.requests('tools/call').at(-1) : call;
		const result = '{"content":[],"structuredContent":{"ids":[725653563933458433]},"resultType":"complete"}';
		rawServer.line(`{"jsonrpc":"2.0","id":${JSON.stringify(last.id)},"result":${result}}`, last);
		expect(writeJson(await calling)).toContain('"structuredContent":{"ids":[725653563933458433]}');
		expect(writeJson(here.trace.entries.map(({ message }) => message)).match(/725653563933458433/g)?.length).toBe(3);
	},
);
