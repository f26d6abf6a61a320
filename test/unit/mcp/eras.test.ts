import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { HttpPuppet } from '../../puppet/http.ts';
import { LEGACY, MODERN, type Puppet, type PuppetOptions } from '../../puppet/puppet.ts';
import { StdioPuppet } from '../../puppet/stdio.ts';
import { define, shown, type Wire, worlds } from './world.ts';

/*
 * A process that does not answer the probe in time is tried as one of the older era; but a silence is no answer, and what was
 * found out once may have been replaced since (E05).
 */

const world = worlds();
const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const discovered = { ...complete, supportedVersions: [MODERN], capabilities: { tools: {} } };
const initialized = {
	protocolVersion: LEGACY,
	capabilities: { tools: {} },
	serverInfo: { name: 'puppet', version: '1' },
};
const unknown = { code: -32601, message: 'Method not found' };
const PATIENCE = 15_000;

afterEach(() => {
	vi.useRealTimers();
});

/** A process that has not answered the probe until its time was over, and has been sent `initialize` then. */
async function slow(options: PuppetOptions) {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
	const here = world();
	const puppet = await StdioPuppet.open({ ...options, manual: ['server/discover', 'initialize'] });
	onTestFinished(() => puppet.close());
	const connection = here.create(define('puppet', puppet.definition));
	const calling = connection.callTool('act', {});
	calling.catch(() => {});
	const probe = await puppet.expect('server/discover');
	vi.advanceTimersByTime(PATIENCE);
	return { puppet, connection, calling, probe, initialize: await puppet.expect('initialize') };
}

describe('a process that is slow to answer the probe', () => {
	it.each([
		['method not found', unknown],
		['an unknown method', { code: -32600, message: 'Unknown method: initialize' }],
		['its versions', { code: -32022, message: 'Unsupported protocol version', data: { supported: [MODERN] } }],
	])(
		'and has nothing but the newer protocol (it says %s) is asked once more, and waited for (E05)',
		async (_says, error) => {
			const { puppet, connection, calling, initialize } = await slow({ revision: MODERN });
			puppet.fail(initialize, error);
			const again = await puppet.expect('server/discover');
			vi.advanceTimersByTime(3 * PATIENCE);
			puppet.answer(again, discovered);
			puppet.finish(await puppet.expect('tools/call'), { done: true });
			expect(shown(await calling)).toEqual({ done: true });
			expect([connection.era, puppet.pids.length]).toEqual(['modern', 2]);
			expect([puppet.requests('initialize').length, puppet.requests('tools/call').length]).toEqual([1, 1]);
		},
	);

	it('is not asked again for what it has answered too late (E05)', async () => {
		const { puppet, connection, calling, probe, initialize } = await slow({ revision: MODERN });
		puppet.answer(probe, discovered);
		puppet.fail(initialize, unknown);
		puppet.finish(await puppet.expect('tools/call'));
		await calling;
		expect([connection.era, puppet.requests('server/discover').length]).toEqual(['modern', 1]);
	});

	it('and has both is spoken to in the newer one from the next start on (E05)', async () => {
		const { puppet, connection, calling, probe, initialize } = await slow({ revision: MODERN });
		puppet.answer(probe, discovered);
		puppet.answer(initialize, initialized);
		puppet.finish(await puppet.expect('tools/call'));
		await calling;
		expect(connection.era).toBe('legacy');
		await connection.stop();
		await connection.start();
		expect([connection.era, puppet.requests('server/discover').length]).toEqual(['modern', 1]);
	});

	it('and has neither is asked twice and no more; what it said is told', async () => {
		const { puppet, connection, calling, initialize } = await slow({ revision: LEGACY });
		puppet.fail(initialize, unknown);
		puppet.fail(await puppet.expect('server/discover'), unknown);
		puppet.fail(await puppet.expect('initialize'), unknown);
		await expect(calling).rejects.toThrow('puppet: The server could not be connected: ');
		expect([connection.state, puppet.pids.length]).toEqual(['failed', 2]);
	});
});

type Open = () => Promise<Puppet>;

const manual = ['server/discover', 'initialize', 'tools/list'];
const overStdio: Open = () => StdioPuppet.open({ manual });
const overHttp: Open = () => HttpPuppet.open({ manual });

/** A server of the older era that has run once. */
async function known(open: Open) {
	const here = world();
	const puppet = await open();
	onTestFinished(() => puppet.close());
	const connection = here.create(define('puppet', puppet.definition));
	const starting = connection.start();
	puppet.fail(await puppet.expect('server/discover'), unknown);
	puppet.answer(await puppet.expect('initialize'), initialized);
	puppet.answer(await puppet.expect('tools/list'), { tools: [] });
	await starting;
	await connection.stop();
	return { puppet, connection };
}

/** Answers over HTTP with a status, too. */
function refusing(status: number, error: object) {
	return (puppet: Puppet) => {
		(puppet as HttpPuppet).refusePosts = ({ method, id }: Wire) =>
			method === 'initialize'
				? {
						status,
						headers: { 'content-type': 'application/json' },
						body: JSON.stringify({ jsonrpc: '2.0', id, error }),
					}
				: undefined;
	};
}

describe('a server that has been replaced', () => {
	it.each([
		['over stdio', overStdio, undefined],
		['over HTTP', overHttp, undefined],
		['over HTTP, with status 404', overHttp, refusing(404, unknown)],
		['over HTTP, with status 400', overHttp, refusing(400, { code: -32022, message: 'No', data: { supported: [] } })],
	])(
		'by one that has nothing but the newer protocol is found out at the start (E05) %s',
		async (_way, open, refuse) => {
			const { puppet, connection } = await known(open);
			refuse?.(puppet);
			const calling = connection.callTool('act', {});
			if (!refuse) {
				puppet.fail(await puppet.expect('initialize'), unknown);
			}
			puppet.answer(await puppet.expect('server/discover'), discovered);
			puppet.answer(await puppet.expect('tools/list'), { ...complete, tools: [] });
			puppet.finish(await puppet.expect('tools/call'), { done: true });
			expect(shown(await calling)).toEqual({ done: true });
			expect([connection.era, puppet.requests('tools/call').length]).toEqual(['modern', 1]);
		},
	);

	it.each([
		['over stdio', overStdio],
		['over HTTP', overHttp],
	])('there and back is found out as well (E05) %s', async (_way, open) => {
		const { puppet, connection } = await known(open);
		const starting = connection.start();
		puppet.fail(await puppet.expect('initialize'), unknown);
		puppet.answer(await puppet.expect('server/discover'), discovered);
		puppet.answer(await puppet.expect('tools/list'), { ...complete, tools: [] });
		await starting;
		await connection.stop();

		const calling = connection.callTool('act', {});
		puppet.fail(await puppet.expect('tools/list'), unknown);
		puppet.fail(await puppet.expect('server/discover'), unknown);
		puppet.answer(await puppet.expect('initialize'), initialized);
		puppet.answer(await puppet.expect('tools/list'), { tools: [] });
		puppet.finish(await puppet.expect('tools/call'));
		await calling;
		expect([connection.era, puppet.requests('tools/call').length]).toEqual(['legacy', 1]);
	});
});
