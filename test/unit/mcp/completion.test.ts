import { describe, expect, it } from 'vitest';
import { connectRawServer } from './faults/rawServerFixtures.ts';
import { WIRES } from './rawServerSteps.ts';
import { testClients } from './testClient.ts';

const world = testClients();
const never = new AbortController().signal;
const OFFERED = { capabilities: { completions: {} } };

describe.each(WIRES)('over %s, a server of %3$s', (_wire, open) => {
	it('suggests values for an argument, given the others (N04)', async () => {
		const { rawServer, connection } = await connectRawServer(world(), open, OFFERED);
		const values = { city: 'Os', country: 'Norway' };
		for (const [kind, name, ref] of [
			['prompt', 'plan', { type: 'ref/prompt', name: 'plan' }],
			['resource', 'map:///{city}', { type: 'ref/resource', uri: 'map:///{city}' }],
		] as const) {
			const suggesting = connection.suggest(kind, name, 'city', values, never);
			const request = await rawServer.expect('completion/complete');
			const { _meta, ...params } = request.params;
			expect(params).toEqual({
				ref,
				argument: { name: 'city', value: 'Os' },
				context: { arguments: { country: 'Norway' } },
			});
			rawServer.answer(request, { completion: { values: ['Oslo'] }, resultType: 'complete' });
			expect(await suggesting).toEqual(['Oslo']);
		}
	});

	it('that fails to suggest is logged, and a request that is not needed any more is canceled', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open, OFFERED);
		const failing = connection.suggest('prompt', 'plan', 'city', {}, never);
		rawServer.fail(await rawServer.expect('completion/complete'), { code: -32603, message: 'no idea' });
		expect(await failing).toEqual([]);
		expect(here.logs.filter((line) => line.includes('completion'))).toEqual([
			'warn: completion/complete failed: no idea',
		]);
		const abort = new AbortController();
		const canceled = connection.suggest('prompt', 'plan', 'city', {}, abort.signal);
		await rawServer.expect('completion/complete');
		abort.abort();
		expect(await canceled).toEqual([]);
		expect(here.logs.filter((line) => line.includes('completion'))).toHaveLength(1);
	});

	it('without the capability is not asked (N04)', async () => {
		const { rawServer, connection } = await connectRawServer(world(), open);
		expect(await connection.suggest('prompt', 'plan', 'city', { city: 'O' }, never)).toEqual([]);
		expect(rawServer.requests('completion/complete')).toEqual([]);
	});
});
