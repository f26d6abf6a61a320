// @ts-check
/**
 * `npm run mutants [count] [prefix…]`: changes the source in small ways, one at a time, and says which changes no unit test notices.
 *
 * All mutants are compiled into the source behind a switch. One run of the unit tests tells which test files reach which
 * mutant; then each mutant is switched on for these files alone, the likeliest first, in a process that stays. Survivors are
 * tried again with the tests of the night. End-to-end tests run the packaged extension, and see no mutant.
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { results, root } from '../harness/paths.mjs';
import { main, tell } from '../harness/process.mjs';
import { bundleTestServers } from '../harness/testServers.mjs';
import { chooseMutants } from './sites.mjs';

const COUNT = 300;

/** What is mutated: what decides, speaks to servers, and asks for the consent to start one. Each is the beginning of paths. */
const MUTATED = [
	...['src/elicitation/', 'src/conversation/', 'src/privacy/', 'src/mcp/', 'src/config/', 'src/trace/'],
	...['start', 'launcher', 'variables', 'inputValues', 'authorization/consent'].map(
		(name) => `src/editor/servers/${name}`,
	),
];

/** Time of test files, as measured without a mutant, that one mutant may take (ms). At least one file runs. */
const BUDGET = 30_000;
/** When tests that do not end count as failed: as many times later than without a mutant, and as much more (ms). */
const SLOWER = 4;
const MORE = 60_000;

const folder = join(results, 'mutants');
const environment = { ...process.env, MUTANTS: join(folder, 'mutants.json') };
const [count = String(COUNT), ...prefixes] = process.argv.slice(2);

/** @typedef {import('./sites.mjs').Mutant} Mutant */
/** @typedef {{ name: string, took: number, reaches: readonly number[] }} TestFile */
/** @typedef {{ time: 'day' | 'night', reason: string }} Killed By which tests, and what the first of them said. */

/** A process that tries mutants one after another, and that is replaced when one of them makes it hang. */
class Runner {
	/** @type {import('node:child_process').ChildProcess | undefined} */
	#child;

	/** @param {'day' | 'night'} time */
	constructor(time) {
		this.env = {
			...environment,
			MUTANT_RUNS: '1',
			...(time === 'night' ? { MCP_ELICITATION_NIGHTLY: '1' } : {}),
		};
	}

	/**
	 * What the first test says that fails with a mutant.
	 * @param {number} mutant
	 * @param {readonly TestFile[]} tests
	 * @returns {Promise<string | undefined>}
	 */
	async tryOut(mutant, tests) {
		if (this.#child === undefined) {
			const runner = join(root, 'test', 'mutants', 'runner.mjs');
			this.#child = fork(runner, [], { cwd: root, env: this.env, stdio: 'ignore', detached: true });
			await once(this.#child, 'message');
		}
		const child = this.#child;
		child.send({ mutant, tests: tests.map(({ name }) => name) });
		const deadline = MORE + SLOWER * tests.reduce((sum, { took }) => sum + took, 0);
		const timeout = setTimeout(() => this.end(), deadline);
		const heard = new AbortController();
		const [answer] = await Promise.race(['message', 'close'].map((event) => once(child, event, heard)));
		heard.abort();
		clearTimeout(timeout);
		if (typeof answer === 'object' && answer !== null) {
			return answer.reason;
		}
		this.#child = undefined;
		return 'The tests did not end.';
	}

	end() {
		const { pid, exitCode, signalCode } = this.#child ?? {};
		if (pid !== undefined && exitCode === null && signalCode === null) {
			process.kill(-pid, 'SIGKILL');
		}
	}
}

await main(async () => {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	const mutants = await chooseMutants(prefixes.length > 0 ? prefixes : MUTATED, Number(count));
	await writeFile(join(folder, 'mutants.json'), JSON.stringify(mutants));
	await bundleTestServers();
	/** @type {Map<Mutant, Killed>} */
	const killed = new Map();
	const files = await reached();
	for (const time of /** @type {const} */ (['day', 'night'])) {
		const left = mutants.filter((mutant) => !killed.has(mutant));
		tell(`${left.length} mutants by ${time}, in ${files.length} test files that reach any`);
		const runner = new Runner(time);
		for (const [index, mutant] of left.entries()) {
			const tests = testsOf(mutant, files);
			const reason = tests.length > 0 ? await runner.tryOut(mutant.id, tests) : undefined;
			if (reason !== undefined) {
				killed.set(mutant, { time, reason });
			}
			if ((index + 1) % 20 === 0) {
				tell(`${left.length - index - 1} left`);
			}
		}
		runner.end();
	}
	const all = mutants.map((mutant) => ({ ...mutant, ...killed.get(mutant) }));
	await writeFile(join(folder, 'killed.json'), JSON.stringify(all, null, '\t'));
	report(mutants, killed);
});

/**
 * The test files that pass by day without a mutant, and the mutants that each of them reaches.
 * @returns {Promise<readonly TestFile[]>}
 */
async function reached() {
	const json = join(folder, 'day.json');
	const log = join(folder, 'reached.jsonl');
	const args = ['run', '--config', 'test/mutants/vitest.config.mjs', '--reporter=json', `--outputFile=${json}`];
	const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
	const env = { ...environment, MUTANTS_REACHED: log };
	await once(spawn(process.execPath, [vitest, ...args], { cwd: root, env, stdio: 'ignore' }), 'close');
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
 * The test files to try for a mutant: first those of its module, then those of its folder, the fastest first.
 * @param {Mutant} mutant
 * @param {readonly TestFile[]} files
 */
function testsOf({ id, file }, files) {
	const module = file.replace(/^src\/(.*)\.ts$/, '/unit/$1');
	const distance = (/** @type {TestFile} */ { name }) =>
		name.includes(module) ? 0 : name.includes(dirname(module)) ? 1 : 2;
	let left = BUDGET;
	return files
		.filter(({ reaches }) => reaches.includes(id))
		.sort((one, other) => distance(one) - distance(other) || one.took - other.took)
		.filter(({ took }, index) => {
			left -= took;
			return index === 0 || left >= 0;
		});
}

/**
 * @param {readonly Mutant[]} mutants
 * @param {ReadonlyMap<Mutant, Killed>} killed
 */
function report(mutants, killed) {
	for (const mutant of mutants.filter((each) => !killed.has(each))) {
		console.log(`${mutant.file}:${mutant.line}  ${mutant.from}  →  ${mutant.to}`);
	}
	const names = [...new Set(mutants.map(folderOf))];
	for (const name of ['', ...names]) {
		const each = mutants.filter((mutant) => name === '' || folderOf(mutant) === name);
		const by = (/** @type {string} */ time) => each.filter((mutant) => killed.get(mutant)?.time === time).length;
		console.log(`${name || 'all'}: ${each.length} mutants, ${by('day')} killed by day, ${by('night')} more by night`);
	}
}

/** @param {Mutant} mutant */
function folderOf({ file }) {
	return file.split('/').slice(0, 2).join('/');
}
