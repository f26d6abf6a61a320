import { describe, expect, it } from 'vitest';
import { variants } from '../../nightly.ts';
import type { RawServer, RawServerOptions } from '../../rawServer/rawServer.ts';
import { connectRawServer, REQUESTS, ROUNDS } from './faults/rawServerFixtures.ts';
import { type TestClient, testClients } from './testClient.ts';

const world = testClients();

/** Connects to a raw server that declares the logging capability. */
async function connectLogger(here: TestClient, open: (options?: RawServerOptions) => Promise<RawServer>) {
	return connectRawServer(here, (options) => open({ ...options, capabilities: { logging: {} } }));
}

const said = (here: TestClient) => here.logs.filter((line) => /^\w+: \[/.test(line));

describe.each(variants(...REQUESTS.toReversed()))('a server over %s', (_wire, open) => {
	it('says no secret in its log, however it is cut, indented, or written as JSON', async () => {
		const here = world();
		here.trace.privacy.configured.add(['planted one\nplanted two', 'PLANTED'.repeat(2_000)]);
		const { rawServer } = await connectLogger(here, open);
		rawServer.answer(await rawServer.expect('logging/setLevel'), {});
		for (const [data, logger] of [
			['planted one\nplanted two', 'db'],
			['said', 'PLANTED'.repeat(100)],
			[{ text: 'PLANTED'.repeat(50_000) }, 'db'],
		] as const) {
			rawServer.notify('notifications/message', { level: 'info', data, logger });
		}
		await here.until(() => said(here).length === 3);
		expect(said(here).join('\n')).not.toMatch(/planted/i);
	});

	it('is told the level of its log, and sends its messages there (N03)', async () => {
		const here = world();
		const { rawServer, connection } = await connectLogger(here, open);
		const first = await rawServer.expect('logging/setLevel');
		rawServer.answer(first, {});
		here.logLevel = 'error';
		here.logLevelChanged.fire();
		const second = await rawServer.expect('logging/setLevel');
		rawServer.answer(second, {});
		expect([first, second].map(({ params }) => params)).toEqual([{ level: 'info' }, { level: 'error' }]);
		const calling = connection.callTool('act', {});
		const call = await rawServer.expect('tools/call');
		expect(call.params._meta).toEqual({ progressToken: expect.anything() });
		const tell = (level: string, data: unknown, logger?: string) =>
			rawServer.notify('notifications/message', { level, data, ...(logger !== undefined && { logger }) }, call);
		tell('debug', 'small things', 'db');
		tell('notice', { rows: 2 });
		tell('warning', 'one\n[error] two', 'db');
		tell('emergency', null, '');
		tell('error', 'x'.repeat(20_000));
		tell('info', { text: 'x'.repeat(200_000) });
		rawServer.finish(call);
		await calling;
		await here.until(() => said(here).length === 6);
		expect(said(here).slice(0, 4)).toEqual([
			'debug: [db] small things',
			'info: [server] {"rows":2}',
			'warn: [db] one\n\t[error] two',
			'error: [server] null',
		]);
		expect(said(here).at(4)).toMatch(/^error: \[server\] x{9990,}…$/);
		expect(said(here).at(5)).toMatch(/^info: \[server\] \{"text":"x{1000}…‹\+199000›"\}$/);
		await connection.stop();
		here.logLevelChanged.fire();
		expect(rawServer.requests('logging/setLevel')).toHaveLength(2);
	});

	it('that has no logging capability is told nothing', async () => {
		const here = world();
		const { rawServer } = await connectRawServer(here, open);
		here.logLevelChanged.fire();
		await rawServer.fence();
		expect(rawServer.requests('logging/setLevel')).toEqual([]);
	});

	it('that refuses the level goes on working, and the log says so', async () => {
		const here = world();
		const { rawServer, connection } = await connectLogger(here, open);
		rawServer.fail(await rawServer.expect('logging/setLevel'), { code: -32603, message: 'no levels here' });
		await here.until(() => here.logs.some((line) => line.includes('no levels here')));
		expect(connection.state).toBe('running');
	});
});

it.each(variants(...ROUNDS.toReversed()))('over %s, each call says the level of the log', async (_wire, open) => {
	const here = world();
	const { rawServer, connection } = await connectLogger(here, open);
	const levels: unknown[] = [];
	for (const level of ['info', 'debug', 'off'] as const) {
		here.logLevel = level;
		const calling = connection.callTool('act', {});
		const call = await rawServer.expect('tools/call');
		levels.push(call.params._meta['io.modelcontextprotocol/logLevel']);
		rawServer.notify('notifications/message', { level: 'info', logger: 'db', data: level }, call);
		rawServer.finish(call);
		await calling;
	}
	expect(levels).toEqual(['info', 'debug', undefined]);
	await here.until(() => said(here).length === 3);
	expect(said(here)).toEqual(['info', 'debug', 'off'].map((level) => `info: [db] ${level}`));
	expect(rawServer.requests('logging/setLevel')).toEqual([]);
});
