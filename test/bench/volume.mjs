// @ts-check
/**
 * What a server costs that sends much and takes little: memory that is kept, connections that are open, and how long nothing else gets its
 * turn. The baseline is the same from a server that takes what it is sent, or half of it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { root } from '../harness/paths.mjs';
import { tell } from '../harness/process.mjs';
import { connect, withBundles } from './bundles.mjs';
import { collectGarbage, until } from './report.mjs';

const MEGABYTE = 1024 * 1024;
const [ELICITATIONS, PINGS, CALLS] = [20_000, 5_000, 200];
/** Shown and held, so that they get no response. */
const WAITING = 70;

/** @typedef {{ kept: number, stop: number, most: number }} Cost in MB, ms, and connections */

/** @returns {Promise<import('./report.mjs').Row[]>} */
export default () =>
	withBundles(async (folder) => {
		const flood = async (/** @type {string} */ how, /** @type {string} */ method, /** @type {number} */ count) =>
			costOf(folder, how, async ({ ask }) => {
				await ask(`flood/${method}`, String(count));
				const enough = how === 'hanging' ? 16 : method === 'ping' ? count : count - WAITING;
				await until(
					`${how}: ${method}`,
					async () => ((await ask('count')).responses >= enough ? true : undefined),
					300,
				);
				await new Promise((resolve) => setTimeout(resolve, 5_000));
				return (await ask('count')).most;
			});
		const calls = (/** @type {number} */ length) =>
			costOf(folder, 'taken', async ({ connection }) => {
				for (let at = 0; at < CALLS; at++) {
					await connection.callTool('act', { text: `${at}${'x'.repeat(length)}` });
				}
				return 0;
			});
		// Loads what all of them share.
		await costOf(folder, 'taken', async () => 0);
		const taken = await flood('taken', 'elicitation/create', ELICITATIONS);
		const refused = await flood('refused', 'elicitation/create', ELICITATIONS);
		const answered = await flood('taken', 'ping', PINGS);
		const hanging = await flood('hanging', 'ping', PINGS);
		const few = await costOf(folder, 'taken', async () => 0);
		const lists = await costOf(folder, 'lists', async () => 0);
		const small = await calls(1_000);
		const large = await calls(10 * MEGABYTE);
		/** @type {(what: string, cost: Cost, base: Cost, name: string) => import('./report.mjs').Row[]} */
		const rows = (what, cost, base, name) => [
			[`MB kept: ${what}`, cost.kept, [base.kept, name], '≤ 100'],
			[`longest stop, ms: ${what}`, cost.stop, [base.stop, name], '≤ 200'],
		];
		return [
			...rows(`${ELICITATIONS} elicitations, responses refused`, refused, taken, 'responses taken'),
			[
				`open connections: ${ELICITATIONS} elicitations, refused`,
				refused.most,
				[taken.most, 'responses taken'],
				'≤ 20',
			],
			...rows(`${PINGS} pings, POSTs hang`, hanging, answered, 'responses taken'),
			[`open connections: ${PINGS} pings, POSTs hang`, hanging.most, [answered.most, 'responses taken'], '≤ 20'],
			...rows('100 pages of a list, 60 MB each', lists, few, 'one short page'),
			...rows(`${CALLS} calls with 10 MB of arguments`, large, small, '1 KB of arguments'),
		];
	});

/**
 * @param {string} folder of the bundles
 * @param {string} how the server is
 * @param {(on: { connection: Awaited<ReturnType<typeof connect>>['connections'][0], ask: (path: string, body?: string) => Promise<any> }) => Promise<number>} act
 * resolves to the most connections that were open
 * @returns {Promise<Cost>}
 */
async function costOf(folder, how, act) {
	tell(`volume: ${how}`);
	const server = spawn(process.execPath, [join(root, 'test', 'bench', 'flood.mjs')], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const [port] = await once(server.stdout, 'data');
	const origin = `http://127.0.0.1:${Number(port)}`;
	const ask = async (/** @type {string} */ path, /** @type {string | undefined} */ body) => {
		const response = await fetch(`${origin}/${path}`, body === undefined ? {} : { method: 'POST', body });
		const text = await response.text();
		return text === '' ? undefined : JSON.parse(text);
	};
	const before = memoryInUse();
	const stops = monitorEventLoopDelay({ resolution: 10 });
	stops.enable();
	const client = await connect(folder, { flood: { url: `${origin}/${how}`, protocolVersion: '2025-11-25' } }, 30);
	try {
		const [connection] = client.connections;
		if (!connection) {
			throw new Error('There is no connection.');
		}
		const most = await act({ connection, ask });
		stops.disable();
		return { kept: (memoryInUse() - before) / MEGABYTE, stop: stops.max / 1e6, most };
	} finally {
		await client.close();
		server.kill('SIGKILL');
	}
}

function memoryInUse() {
	collectGarbage();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}
