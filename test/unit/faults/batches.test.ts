import { describe, expect, it } from 'vitest';
import { HttpPuppet } from '../../puppet/http.ts';
import { BATCHING, LEGACY, type Puppet, type PuppetOptions, type Wire } from '../../puppet/puppet.ts';
import { StdioPuppet } from '../../puppet/stdio.ts';
import { worlds } from '../mcp/world.ts';
import { called, form, response } from './stage.ts';

const world = worlds();

const WIRES: readonly [string, (options?: PuppetOptions) => Promise<Puppet>][] = [
	['stdio', StdioPuppet.open],
	['HTTP', HttpPuppet.open],
];

const batch = (puppet: Puppet, messages: readonly unknown[], call: Wire) => puppet.line(JSON.stringify(messages), call);

const question = (id: string) => ({ jsonrpc: '2.0', id, method: 'elicitation/create', params: form });
const resultOf = ({ id }: Wire) => ({
	jsonrpc: '2.0',
	id,
	result: { content: [], structuredContent: { batched: true } },
});
const notice = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } };

describe.each(WIRES)('over %s', (_wire, open) => {
	it('each request of a batch is answered once, and none waits for the others (D07)', async () => {
		const here = world();
		const { puppet, calling, call } = await called(here, open, { revision: BATCHING });
		batch(
			puppet,
			[
				question('a'),
				notice,
				{ jsonrpc: '2.0', id: 'b', method: 'ping' },
				question('c'),
				{ jsonrpc: '2.0', id: 'd', method: 'nothing/known' },
				{ jsonrpc: '1.0', id: 'e', method: 'ping' },
				7,
			],
			call,
		);
		const open_ = await here.asked(2);
		await puppet.until(() => ['b', 'd', 'e'].every((id) => puppet.responses(id).length > 0));
		expect(['a', 'c'].flatMap((id) => puppet.responses(id))).toEqual([]);
		await here.registry.accept(open_[0], { name: 'Ada' });
		open_[1]?.decline();
		await puppet.until(() => ['a', 'c'].every((id) => puppet.responses(id).length > 0));
		await puppet.fence(call);
		expect(['a', 'b', 'c', 'd', 'e'].flatMap((id) => puppet.responses(id))).toEqual([
			response('a', { action: 'accept', content: { name: 'Ada' } }),
			response('b', {}),
			response('c', { action: 'decline' }),
			{ jsonrpc: '2.0', id: 'd', error: { code: -32601, message: 'Method not found' } },
			{ jsonrpc: '2.0', id: 'e', error: { code: -32600, message: '"jsonrpc" must be "2.0".' } },
		]);
		expect(open_.map(({ cause }) => cause?.name)).toEqual(['act', 'act']);
		batch(puppet, [notice, resultOf(call)], call);
		expect(await calling).toMatchObject({ structuredContent: { batched: true } });
	});

	it('in a revision without batches their requests get -32600 each, and the person is told; a result still counts (D07, D02)', async () => {
		const here = world();
		const { puppet, calling, call } = await called(here, open, { revision: LEGACY });
		batch(puppet, [question('a'), { jsonrpc: '2.0', id: 'b', method: 'ping' }], call);
		await puppet.until(() => ['a', 'b'].every((id) => puppet.responses(id).length > 0));
		await puppet.fence(call);
		const error = { code: -32600, message: `Protocol revision ${LEGACY} has no batches of messages.` };
		expect(['a', 'b'].flatMap((id) => puppet.responses(id))).toEqual(
			['a', 'b'].map((id) => ({ jsonrpc: '2.0', id, error })),
		);
		expect(here.refusals.map(({ reason }) => reason.text)).toEqual([
			'Protocol revision {0} has no batches of messages.',
		]);
		batch(puppet, [resultOf(call)], call);
		expect(await calling).toMatchObject({ structuredContent: { batched: true } });
	});
});

it('a batch as the whole body of an HTTP response is taken as well (D07)', async () => {
	const here = world();
	const { puppet, calling, call } = await called(here, HttpPuppet.open, { revision: BATCHING });
	puppet.open(call, 'application/json');
	puppet.raw(JSON.stringify([question('a'), resultOf(call)]), call);
	puppet.cut(call, 'end');
	expect(await calling).toMatchObject({ structuredContent: { batched: true } });
	(await here.asked())[0].decline();
	await puppet.until(() => puppet.responses('a')[0]);
	expect(puppet.responses('a')).toEqual([response('a', { action: 'decline' })]);
});
