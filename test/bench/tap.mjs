// @ts-check
/**
 * What a tap adds between a client and a server, over stdio and over HTTP: the time of a message with nothing else on its way, and how many
 * pass in a second if many are. The server only returns what it gets, so that next to nothing hides the tap.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageCli } from '../../scripts/packageCli.mjs';
import { inFolder } from './bundles.mjs';
import { inTurns, median, TURNS } from './report.mjs';

/** Messages of each turn, one after the other and at once. */
const ALONE = 300;
const AT_ONCE = 5_000;

/** A server that takes as long for a message as those on an SDK do at the least: it reads it, and writes it anew. */
const ECHO = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
	const { id, params } = JSON.parse(line);
	process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: params }) + '\\n');
});`;

/** @param {number} id */
const message = (id) =>
	JSON.stringify({
		jsonrpc: '2.0',
		id,
		method: 'tools/call',
		params: { name: 'echo', arguments: { text: 'x'.repeat(500) } },
	});

/** Sends messages, and resolves when all have their response. @typedef {(count: number, atOnce: number) => Promise<void>} Exchange */

/** @returns {Promise<import('./report.mjs').Row[]>} */
export default () =>
	inFolder(async (folder) => {
		const cli = join((await packageCli(folder)).folder, 'cli.mjs');
		return [...(await overStdio(folder, cli)), ...(await overHttp(folder, cli))];
	});

/**
 * @param {string} folder
 * @param {string} cli
 */
async function overStdio(folder, cli) {
	const echo = [process.execPath, '-e', ECHO];
	const [bare, tapped] = [peer(folder, echo), peer(folder, [process.execPath, cli, 'tap', '--', ...echo])];
	try {
		return await measured('stdio', bare.exchange, tapped.exchange);
	} finally {
		await Promise.all([bare.close(), tapped.close()]);
	}
}

/**
 * @param {string} folder
 * @param {string} cli
 */
async function overHttp(folder, cli) {
	const server = createServer((incoming, response) => {
		response.writeHead(200, { 'Content-Type': 'application/json' });
		incoming.pipe(response);
	});
	// Between the turns of one subject, its connections are idle.
	server.keepAliveTimeout = 0;
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
	const url = `http://127.0.0.1:${port}/mcp`;
	const tap = spawn(process.execPath, [cli, 'tap', '--url', url], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
	const agent = new Agent({ keepAlive: true, maxSockets: 8 });
	try {
		const [said] = /** @type {[string]} */ (await once(createInterface({ input: tap.stdout }), 'line'));
		return await measured('HTTP', posts(url, agent), posts(said.slice(said.lastIndexOf('http:')), agent));
	} finally {
		agent.destroy();
		tap.kill();
		await once(tap, 'exit');
		server.close();
	}
}

/**
 * @param {string} transport
 * @param {Exchange} bare
 * @param {Exchange} tapped
 * @returns {Promise<import('./report.mjs').Row[]>}
 */
async function measured(transport, bare, tapped) {
	const times = await inTurns(`tap over ${transport}, one at a time`, TURNS, {
		tapped: () => timeOf(tapped, ALONE, 1),
		bare: () => timeOf(bare, ALONE, 1),
	});
	const rates = await inTurns(`tap over ${transport}, at once`, TURNS, {
		tapped: () => timeOf(tapped, AT_ONCE, 200),
		bare: () => timeOf(bare, AT_ONCE, 200),
	});
	const [ours, theirs] = [median(times.tapped) / ALONE, median(times.bare) / ALONE];
	const [rate, bareRate] = [1000 / (median(rates.tapped) / AT_ONCE), 1000 / (median(rates.bare) / AT_ONCE)];
	return [
		[`a message and its response through a tap over ${transport}, ms`, ours, [theirs, 'without it'], 'difference ≤ 2'],
		[`messages per second through a tap over ${transport}`, rate, [bareRate, 'without it'], 'ratio ≥ 0.9'],
	];
}

/**
 * @param {Exchange} exchange
 * @param {number} count
 * @param {number} atOnce
 */
async function timeOf(exchange, count, atOnce) {
	const start = performance.now();
	await exchange(count, atOnce);
	return performance.now() - start;
}

/**
 * @param {string} folder
 * @param {string[]} command
 */
function peer(folder, [command = '', ...args]) {
	const child = spawn(command, args, { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
	const lines = createInterface({ input: child.stdout });
	/** @type {Exchange} */
	const exchange = (count, atOnce) =>
		new Promise((resolve) => {
			let [sent, received] = [0, 0];
			const send = () => void child.stdin.write(`${message(sent++)}\n`);
			const onLine = () => {
				received++;
				if (sent < count) {
					send();
				} else if (received === count) {
					lines.off('line', onLine);
					resolve();
				}
			};
			lines.on('line', onLine);
			for (let first = 0; first < atOnce; first++) {
				send();
			}
		});
	const close = async () => {
		child.stdin.end();
		await once(child, 'exit');
	};
	return { exchange, close };
}

/**
 * @param {string} url
 * @param {Agent} agent
 * @returns {Exchange}
 */
function posts(url, agent) {
	/** @param {number} id */
	const post = (id) =>
		new Promise((resolve, reject) => {
			const headers = { 'Content-Type': 'application/json' };
			request(url, { method: 'POST', agent, headers }, (response) => response.resume().once('end', resolve))
				.on('error', reject)
				.end(message(id));
		});
	return async (count, atOnce) => {
		let sent = 0;
		const work = async () => {
			while (sent < count) {
				await post(sent++);
			}
		};
		await Promise.all(Array.from({ length: Math.min(atOnce, 8) }, work));
	};
}
