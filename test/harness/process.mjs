// @ts-check
import spawn from 'cross-spawn';

/** An error whose message needs no stack trace. */
export class Stop extends Error {}

/**
 * One line of progress. It goes to stderr so that a script's stdout stays its answer.
 * @param {string} line
 */
export function tell(line) {
	process.stderr.write(`· ${line}\n`);
}

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {boolean} [show] let the child write to our own output instead of collecting it
 * @property {(pid: number | undefined) => void} [started]
 */

/**
 * Runs a program, also a script such as npm, to its end; never throws for a bad exit code.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args, { cwd, env = process.env, show = false, started } = {}) {
	return new Promise((resolve) => {
		const child = spawn(command, [...args], {
			cwd,
			env,
			stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
		});
		started?.(child.pid);
		let output = '';
		const collect = (/** @type {Buffer} */ chunk) => {
			output += chunk.toString();
		};
		child.stdout?.on('data', collect);
		child.stderr?.on('data', collect);
		child.on('error', (error) => resolve({ code: 127, output: `${output}${error.message}` }));
		child.on('close', (code) => resolve({ code: code ?? 1, output }));
	});
}

/**
 * Runs a script's body: a `Stop` ends it with its one sentence, anything else with its stack; the exit code is the body's.
 * @param {() => Promise<number | void>} body
 */
export async function main(body) {
	try {
		process.exitCode = (await body()) ?? 0;
	} catch (error) {
		process.exitCode = 1;
		const reason = error instanceof Stop ? error.message : error instanceof Error ? error.stack : error;
		process.stderr.write(`${reason}\n`);
	}
}
