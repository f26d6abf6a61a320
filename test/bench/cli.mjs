// @ts-check
/**
 * 1,000 scenarios that the command line runs, each with a server of its own, compared with a bare client of the SDK that makes
 * the same call, gives the same response, and compares the result.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { packageCli } from '../../scripts/packageCli.mjs';
import { root } from '../harness/paths.mjs';
import { run, Stop } from '../harness/process.mjs';
import { bareClient, inFolder } from './bundles.mjs';
import { inTurns, median, TURNS } from './report.mjs';

/** Of each turn. */
const SCENARIOS = 1_000 / TURNS;

const params = { message: 'How many?', requestedSchema: { type: 'object', properties: { n: { type: 'integer' } } } };
const response = { action: /** @type {const} */ ('accept'), content: { n: 3 } };

/** @returns {Promise<import('./report.mjs').Row[]>} */
export default () =>
	inFolder(async (folder) => {
		const cli = join((await packageCli(folder)).folder, 'cli.mjs');
		return [await scenarios(folder, cli, 'sdk1', 'sessions'), await scenarios(folder, cli, 'sdk2', 'rounds')];
	});

/**
 * @param {string} folder
 * @param {string} cli
 * @param {string} name of the server
 * @param {import('./bundles.mjs').Era} era
 * @returns {Promise<import('./report.mjs').Row>}
 */
async function scenarios(folder, cli, name, era) {
	const server = join(root, `test/servers/${name}.mjs`);
	const program = async (/** @type {string[]} */ ...args) => {
		const { code, output } = await run(process.execPath, [cli, ...args], { cwd: folder });
		if (code !== 0) {
			throw new Stop(`The command line ended with ${code}:\n${output}`);
		}
	};
	const bare = async () => {
		for (let times = 0; times < SCENARIOS; times++) {
			await bareRun(era, server);
		}
	};
	await writeFile(join(folder, 'answers.json'), JSON.stringify(response));
	const files = ['--answers', 'answers.json', '--scenario', 'the.json'];
	await program('record', `"${process.execPath}" "${server}"`, 'ask', JSON.stringify({ params }), ...files);
	const rates = await inTurns(`cli, ${era}`, TURNS, {
		ours: () => rateOf(() => program('run', ...Array(SCENARIOS).fill('the.json'))),
		bare: () => rateOf(bare),
	});
	const baseline = /** @type {const} */ ([median(rates.bare), 'bare SDK client']);
	return [`scenarios per second, ${era}`, median(rates.ours), baseline, 'ratio ≥ 0.85'];
}

/** @param {() => Promise<void>} runAll */
async function rateOf(runAll) {
	const start = performance.now();
	await runAll();
	return (1000 * SCENARIOS) / (performance.now() - start);
}

/**
 * @param {import('./bundles.mjs').Era} era
 * @param {string} server
 */
async function bareRun(era, server) {
	const client = await bareClient(era, { command: process.execPath, args: [server] }, () => response);
	try {
		const { structuredContent } = await client.callTool({ name: 'ask', arguments: { params } });
		if (!isDeepStrictEqual(structuredContent, response)) {
			throw new Error(`The server returned ${JSON.stringify(structuredContent)}.`);
		}
	} finally {
		await client.close();
	}
}
