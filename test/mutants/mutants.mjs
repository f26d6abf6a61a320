// @ts-check
/**
 * `npm run mutants [count] [prefix…]`: changes the source in small ways, one at a time, and says which changes no unit test notices.
 *
 * All mutants are compiled into the source behind a switch. One run of the unit tests tells which test files reach which
 * mutant; then each mutant is switched on for these files alone, the fastest first. Survivors are tried again with the tests
 * of the night. End-to-end tests run the packaged extension, and see no mutant.
 */
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { results, root } from '../harness/paths.mjs';
import { main, tell } from '../harness/process.mjs';
import { bundleTestServers } from '../harness/testServers.mjs';
import { chooseMutants } from './sites.mjs';

const COUNT = 300;

/** What is mutated: what decides, speaks to servers, and asks for the consent to start one. Each is the beginning of paths. */
const MUTATED = [
	...['src/elicitation/', 'src/mcp/', 'src/config/', 'src/trace/'],
	...['start', 'launcher', 'variables', 'inputValues', 'authorization/consent'].map(
		(name) => `src/editor/servers/${name}`,
	),
];

/** Time of test files, as measured without a mutant, that one mutant may take (ms). At least one file runs. */
const BUDGET = 30_000;
/** When tests that do not end count as failed (ms). */
const DEADLINE = 120_000;

const folder = join(results, 'mutants');
const [count = String(COUNT), ...prefixes] = process.argv.slice(2);

/** @typedef {import('./sites.mjs').Mutant} Mutant */
/** @typedef {{ name: string, took: number, reaches: readonly number[] }} TestFile */

await main(async () => {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	const mutants = await chooseMutants(prefixes.length > 0 ? prefixes : MUTATED, Number(count));
	await writeFile(join(folder, 'mutants.json'), JSON.stringify(mutants));
	await bundleTestServers();
	/** @type {Map<Mutant, 'day' | 'night'>} */
	const killed = new Map();
	const files = await reached();
	for (const time of /** @type {const} */ (['day', 'night'])) {
		const left = mutants.filter((mutant) => !killed.has(mutant));
		tell(`${left.length} mutants by ${time}, in ${files.length} test files that reach any`);
		await inParallel(left, async (mutant) => {
			const tests = testsOf(mutant, files);
			if (tests.length > 0 && !(await passes(tests, time, mutant.id))) {
				killed.set(mutant, time);
			}
		});
	}
	await writeFile(join(folder, 'killed.json'), JSON.stringify([...killed].map(([{ id }, time]) => [id, time])));
	report(mutants, killed);
});

/**
 * The test files that pass by day without a mutant, and the mutants that each of them reaches.
 * @returns {Promise<readonly TestFile[]>}
 */
async function reached() {
	const json = join(folder, 'day.json');
	const log = join(folder, 'reached.jsonl');
	await passes([], 'day', undefined, ['--reporter=json', `--outputFile=${json}`], { MUTANTS_REACHED: log });
	const lines = (await readFile(log, 'utf8')).trim().split('\n');
	const reaches = new Map(lines.map((line) => JSON.parse(line)));
	/** @type {{ name: string, status: string, startTime: number, endTime: number }[]} */
	const files = JSON.parse(await readFile(json, 'utf8')).testResults;
	return files
		.filter(({ status }) => status === 'passed')
		.map(({ name, startTime, endTime }) => ({ name, took: endTime - startTime, reaches: reaches.get(name) ?? [] }))
		.filter((file) => file.reaches.length > 0);
}

/**
 * The test files to try for a mutant, the fastest first.
 * @param {Mutant} mutant
 * @param {readonly TestFile[]} files
 */
function testsOf({ id }, files) {
	let left = BUDGET;
	return files
		.filter(({ reaches }) => reaches.includes(id))
		.sort((one, other) => one.took - other.took)
		.filter(({ took }, index) => {
			left -= took;
			return index === 0 || left >= 0;
		})
		.map(({ name }) => relative(root, name));
}

/**
 * @param {readonly string[]} tests all, if empty
 * @param {'day' | 'night'} time
 * @param {number} [mutant]
 * @param {readonly string[]} [more] arguments of vitest
 * @param {Record<string, string>} [environment]
 * @returns {Promise<boolean>}
 */
function passes(tests, time, mutant, more = ['--bail=1', '--reporter=dot'], environment = {}) {
	const args = ['run', '--config', 'test/mutants/vitest.config.mjs', ...more, ...tests];
	const env = {
		...process.env,
		...environment,
		MUTANTS: join(folder, 'mutants.json'),
		...(mutant === undefined ? {} : { MUTANT: String(mutant) }),
		...(time === 'night' ? { MCP_ELICITATION_NIGHTLY: '1' } : {}),
	};
	const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
	return new Promise((resolve) => {
		const child = spawn(process.execPath, [vitest, ...args], { cwd: root, env, stdio: 'ignore', detached: true });
		const deadline =
			mutant === undefined ? undefined : setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), DEADLINE);
		child.on('close', (code) => {
			clearTimeout(deadline);
			resolve(code === 0);
		});
	});
}

/**
 * @template Item
 * @param {readonly Item[]} items
 * @param {(item: Item) => Promise<void>} act
 */
async function inParallel(items, act) {
	const waiting = [...items];
	const work = async () => {
		for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
			await act(item);
			if (waiting.length % 20 === 0) {
				tell(`${waiting.length} left`);
			}
		}
	};
	await Promise.all(Array.from({ length: availableParallelism() }, work));
}

/**
 * @param {readonly Mutant[]} mutants
 * @param {ReadonlyMap<Mutant, 'day' | 'night'>} killed
 */
function report(mutants, killed) {
	for (const mutant of mutants.filter((each) => !killed.has(each))) {
		console.log(`${mutant.file}:${mutant.line}  ${mutant.from}  →  ${mutant.to}`);
	}
	const names = [...new Set(mutants.map(folderOf))];
	for (const name of ['', ...names]) {
		const each = mutants.filter((mutant) => name === '' || folderOf(mutant) === name);
		const by = (/** @type {string} */ time) => each.filter((mutant) => killed.get(mutant) === time).length;
		console.log(`${name || 'all'}: ${each.length} mutants, ${by('day')} killed by day, ${by('night')} more by night`);
	}
}

/** @param {Mutant} mutant */
function folderOf({ file }) {
	return file.split('/').slice(0, 2).join('/');
}
