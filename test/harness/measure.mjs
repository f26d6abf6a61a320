// @ts-check
/** What a run takes: the processor time of its suites, and its table at the end. */
import { fromProc } from './processTree.mjs';

/** @typedef {{ name: string, seconds: number }} FileTime */
/** @typedef {{ name: string, tests: number, seconds: number, processor: number | undefined, files: readonly FileTime[] }} Measured in seconds */

/** Between two looks at the processes (ms). What starts and ends in between counts with the parent that waits for it. */
const PERIOD = 1_000;

const SLOWEST = 10;

/**
 * Measures the processor time of a process and of all that descend from it, also of those that outlive their parents.
 * @param {number | undefined} root
 * @returns {() => number | undefined} ends that, and tells it (s); on Linux only
 */
export function meter(root) {
	if (process.platform !== 'linux' || root === undefined) {
		return () => undefined;
	}
	/** @type {Map<number, { parent: number, time: number, seen: number }>} */
	const tree = new Map();
	let looks = 0;
	const look = () => {
		looks++;
		// Parents come before their children, except where numbers have begun anew: those are found at the next look.
		for (const [pid, parent, own, waited] of fromProc()) {
			const known = tree.get(pid);
			if (known !== undefined || pid === root || tree.has(parent)) {
				tree.set(pid, { parent: known?.parent ?? parent, time: own + waited, seen: looks });
			}
		}
	};
	look();
	const timer = setInterval(look, PERIOD);
	return () => {
		clearInterval(timer);
		// The time of a process that ended before its parent is in what the parent has waited for.
		const apart = [...tree.values()].filter(({ parent, seen }) => seen >= (tree.get(parent)?.seen ?? 0));
		return apart.reduce((sum, { time }) => sum + time, 0);
	};
}

/**
 * The suites and the slowest files, as lines of text.
 * @param {readonly Measured[]} suites
 */
export function table(suites) {
	const all = suites.reduce((sum, { processor = 0 }) => sum + processor, 0);
	const share = (/** @type {number} */ part) => (all === 0 ? '' : `${((100 * part) / all).toFixed(1)} %`);
	const rows = suites.map(({ name, tests, seconds, processor }) => [
		name,
		String(tests),
		seconds.toFixed(1),
		processor?.toFixed(1) ?? '',
		processor === undefined ? '' : share(processor),
	]);
	const files = suites.flatMap(({ name, processor = 0, files }) => {
		// Files share processes: to each belongs as much of the suite's time as it ran.
		const sum = files.reduce((total, { seconds }) => total + seconds, 0);
		return files.map((file) => ({ ...file, suite: name, part: (processor * file.seconds) / sum }));
	});
	const slowest = files
		.sort((one, other) => other.seconds - one.seconds)
		.slice(0, SLOWEST)
		.map(({ name, suite, seconds, part }) => [name, suite, seconds.toFixed(1), '', share(part)]);
	return [
		...columns([['suite', 'tests', 'seconds', 'processor', 'share'], ...rows]),
		...(slowest.length === 0 ? [] : ['', ...columns([['slowest files', 'suite', 'seconds', '', 'share'], ...slowest])]),
	];
}

/**
 * Lines of text.
 * @param {readonly (readonly string[])[]} rows the first column is of words, the others of numbers
 */
export function columns(rows) {
	const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
	return rows.map((row) =>
		row
			.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
			.join('  ')
			.trimEnd(),
	);
}
