// @ts-check
/** What the bridge to agent mode adds to a call: a client that comes over it, compared with a call without it on the same connection. */
import { setMaxListeners } from 'node:events';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { connect, interviewer, load, withBundles } from './bundles.mjs';
import { inTurns, median, percentile, TURNS } from './report.mjs';

/** @typedef {() => Promise<any>} Call one call of a tool that does nothing; resolves to its structured content */

const CALLS = 100;
const AT_ONCE = 20;

/**
 * Node drops what listens to the signal of a request only with its garbage, and warns of so many until then.
 * @param {string | URL} url
 * @param {RequestInit} [init]
 */
function patient(url, init) {
	if (init?.signal) {
		setMaxListeners(0, init.signal);
	}
	return fetch(url, init);
}

/** @returns {Promise<import('./report.mjs').Row[]>} */
export default () =>
	withBundles(async (folder) => {
		const { hostOf, loadBridge } = await load(folder);
		const { Bridge } = await loadBridge();
		const { connections, close } = await connect(folder, { interviewer: interviewer('sessions') });
		const connection = /** @type {NonNullable<typeof connections[0]>} */ (connections[0]);
		const bridge = new Bridge(hostOf(connection));
		await bridge.offer([connection.name]);
		const { url, headers } = /** @type {import('../../src/bridge/index.ts').Endpoint} */ (
			await bridge.endpoint(connection.name)
		);
		const client = new Client({ name: 'agent', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } });
		await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers }, fetch: patient }));
		const tool = { name: 'interview', arguments: { elicitations: 0, atOnce: 1 } };
		const measured = await inTurns('bridge', TURNS, {
			direct: () => timesOf(async () => (await connection.callTool(tool.name, tool.arguments))['structuredContent']),
			bridged: () => timesOf(async () => (await client.callTool(tool)).structuredContent),
		});
		await client.close();
		await bridge.close();
		await close();
		/** @type {(read: (all: readonly { alone: number[], rate: number }[]) => number) => [number, readonly [number, string]]} */
		const compared = (read) => [read(measured.bridged), [read(measured.direct), 'without the bridge']];
		return [
			['call over the bridge, ms', ...compared((all) => median(all.flatMap(({ alone }) => alone))), '≤ 5 more'],
			[
				'call over the bridge, p95, ms',
				...compared((all) =>
					percentile(
						all.flatMap(({ alone }) => alone),
						0.95,
					),
				),
			],
			[
				`calls per second over the bridge, ${AT_ONCE} at once`,
				...compared((all) => median(all.map(({ rate }) => rate))),
			],
		];
	});

/** Calls one by one, and then several at once. @param {Call} call */
async function timesOf(call) {
	/** @type {number[]} */
	const alone = [];
	while (alone.length < CALLS) {
		const start = performance.now();
		check(await call());
		alone.push(performance.now() - start);
	}
	const start = performance.now();
	for (let called = 0; called < CALLS; called += AT_ONCE) {
		for (const result of await Promise.all(Array.from({ length: AT_ONCE }, call))) {
			check(result);
		}
	}
	return { alone, rate: (1000 * CALLS) / (performance.now() - start) };
}

/** @param {any} result */
function check(result) {
	if (result?.accepted !== 0) {
		throw new Error(`A call resulted in ${JSON.stringify(result)}.`);
	}
}
