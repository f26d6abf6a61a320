// @ts-check
/**
 * 1,000 scenarios that the command line runs, each with a server of its own, compared with a bare client of the SDK that makes
 * the same call, gives the same response, and compares the result.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { packageCli } from '../../scripts/packageCli.mjs';
import { root } from '../harness/paths.mjs';
import { run, Stop, tell } from '../harness/process.mjs';
import { median } from './report.mjs';

const TOTAL = 1_000;
/** They take turns, so that a machine that is busy for a while is so for both. */
const TURNS = 20;

const params = { message: 'How many?', requestedSchema: { type: 'object', properties: { n: { type: 'integer' } } } };
const response = { action: 'accept', content: { n: 3 } };

/** @returns {Promise<import('./report.mjs').Row[]>} */
export default async function cliBenchmarks() {
	const folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-bench-'));
	try {
		const packed = await packageCli(folder);
		const cli = join(packed.folder, 'cli.mjs');
		return [await scenarios(folder, cli, 'sdk1', 'sessions'), await scenarios(folder, cli, 'sdk2', 'rounds')];
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/**
 * @param {string} folder
 * @param {string} cli
 * @param {string} name of the server
 * @param {string} era
 * @returns {Promise<import('./report.mjs').Row>}
 */
async function scenarios(folder, cli, name, era) {
	const server = join(root, `test/servers/${name}.mjs`);
	const program = (/** @type {string[]} */ ...args) => mustPass(run(process.execPath, [cli, ...args], { cwd: folder }));
	await writeFile(join(folder, 'answers.json'), JSON.stringify(response));
	const files = ['--answers', 'answers.json', '--scenario', 'the.json'];
	await program('record', `"${process.execPath}" "${server}"`, 'ask', JSON.stringify({ params }), ...files);
	const each = TOTAL / TURNS;
	/** @type {{ ours: number[], bare: number[] }} */
	const rates = { ours: [], bare: [] };
	for (let turn = 1; turn <= TURNS; turn++) {
		tell(`cli: ${era}, turn ${turn} of ${TURNS}`);
		const start = performance.now();
		await program('run', ...Array(each).fill('the.json'));
		const between = performance.now();
		for (let times = 0; times < each; times++) {
			await bareRun(server, era);
		}
		rates.ours.push((1000 * each) / (between - start));
		rates.bare.push((1000 * each) / (performance.now() - between));
	}
	return {
		name: `scenarios per second, ${era}`,
		value: median(rates.ours),
		baseline: median(rates.bare),
		baselineName: 'bare SDK client',
		goal: 'ratio ≥ 0.85',
	};
}

/** @param {ReturnType<typeof run>} ran */
async function mustPass(ran) {
	const { code, output } = await ran;
	if (code !== 0) {
		throw new Stop(`The command line ended with ${code}:\n${output}`);
	}
}

/**
 * @param {string} server
 * @param {string} era
 */
async function bareRun(server, era) {
	const client = new Client(
		{ name: 'bench', version: '1.0.0' },
		{
			capabilities: { elicitation: { form: {} } },
			versionNegotiation: { mode: era === 'sessions' ? 'legacy' : { pin: '2026-07-28' } },
		},
	);
	client.setRequestHandler('elicitation/create', () => /** @type {any} */ (response));
	await client.connect(new StdioClientTransport({ command: process.execPath, args: [server] }));
	try {
		const { structuredContent } = await client.callTool({ name: 'ask', arguments: { params } });
		if (!isDeepStrictEqual(structuredContent, response)) {
			throw new Error(`The server returned ${JSON.stringify(structuredContent)}.`);
		}
	} finally {
		await client.close();
	}
}
