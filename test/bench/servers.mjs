// @ts-check
/** 50 servers over stdio at once: how long it takes until all are connected, and what memory each costs, beside bare clients of the SDK. */
import { bareClient, connect, interviewer, withBundles } from './bundles.mjs';
import { collectGarbage, inTurns, median } from './report.mjs';

const SERVERS = 50;
const KILOBYTE = 1024;

const server = interviewer('sessions');
const definitions = Object.fromEntries(Array.from({ length: SERVERS }, (_, at) => [`server-${at}`, server]));

/** @returns {Promise<import('./report.mjs').Row[]>} */
export default () =>
	withBundles(async (folder) => {
		const { product, bare } = await inTurns('servers', 3, {
			product: () => measure(async () => (await connect(folder, definitions)).close),
			bare: () => measure(connectBare),
		});
		/** @type {(what: 'ms' | 'kb', by?: number) => [number, readonly [number, string]]} */
		const compared = (what, by = 1) => {
			const [ours, theirs] = [product, bare].map((all) => median(all.map((each) => each[what])) / by);
			return [Number(ours), [Number(theirs), 'bare SDK client']];
		};
		return [
			[`ms until ${SERVERS} stdio servers are connected`, ...compared('ms')],
			[`ms for each of ${SERVERS} servers`, ...compared('ms', SERVERS)],
			[`KB of memory for each of ${SERVERS} servers`, ...compared('kb')],
		];
	});

/** @param {() => Promise<() => Promise<void>>} connectAll resolves to what ends all */
async function measure(connectAll) {
	const before = await memory();
	const began = performance.now();
	const end = await connectAll();
	const ms = performance.now() - began;
	const kb = ((await memory()) - before) / KILOBYTE / SERVERS;
	await end();
	return { ms, kb };
}

/** Bytes that are in use once nothing goes any more: handles of processes that have ended go a while later. */
async function memory() {
	let least = Number.POSITIVE_INFINITY;
	for (let calm = 0; calm < 5; calm++) {
		collectGarbage();
		const { heapUsed, external } = process.memoryUsage();
		if (heapUsed + external < least - 4 * KILOBYTE) {
			calm = 0;
		}
		least = Math.min(least, heapUsed + external);
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	return least;
}

async function connectBare() {
	const clients = await Promise.all(
		Object.keys(definitions).map(async () => {
			const client = await bareClient('sessions', server);
			await client.listTools();
			return client;
		}),
	);
	return async () => {
		await Promise.all(clients.map((client) => client.close()));
	};
}
