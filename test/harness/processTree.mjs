// @ts-check
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** @typedef {readonly [pid: number, parent: number, ...times: number[]]} Listed */

/** Of the clock by which Linux counts processor time. */
const TICKS_PER_SECOND = 100;

/**
 * Kills a process and everything that descends from it, whatever process groups those have formed.
 * @param {number} root
 */
export async function killTree(root) {
	killAll([root, ...(await descendantsOf(root))]);
}

/**
 * The same at the end of this process, which waits for nothing. Only Linux and Windows tell the descendants then; elsewhere they notice
 * by themselves that their editor is gone.
 * @param {number} root
 */
export function killTreeNow(root) {
	if (process.platform === 'win32') {
		spawnSync('taskkill', ['/pid', String(root), '/T', '/F']);
	} else {
		killAll([root, ...(process.platform === 'linux' ? descendants(root, fromProc()) : [])]);
	}
}

/**
 * The processes that this one has started, and theirs.
 * @param {number} root
 */
export async function descendantsOf(root) {
	return descendants(root, await processes());
}

/**
 * True as long as the process exists.
 * @param {number} pid
 */
export function isAlive(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

/**
 * The process that started this one.
 * @param {number} child
 */
export async function parentOf(child) {
	return (await processes()).find(([pid]) => pid === child)?.[1];
}

/** @param {readonly number[]} pids */
function killAll(pids) {
	for (const pid of pids) {
		try {
			process.kill(pid, 'SIGKILL');
		} catch {
			// It has exited already.
		}
	}
}

/**
 * @param {number} root
 * @param {readonly Listed[]} all
 */
function descendants(root, all) {
	/** @type {Map<number, number[]>} */
	const children = new Map();
	for (const [pid, parent] of all) {
		children.set(parent, [...(children.get(parent) ?? []), pid]);
	}
	const found = [...(children.get(root) ?? [])];
	for (const pid of found) {
		found.push(...(children.get(pid) ?? []));
	}
	return found;
}

/** @returns {Promise<readonly Listed[]>} */
async function processes() {
	// pidtree runs `ps`, which minimal Debian images lack.
	if (process.platform === 'linux') {
		return fromProc();
	}
	const { default: pidtree } = await import('pidtree');
	return (await pidtree(-1, { advanced: true })).map(({ pid, ppid }) => [pid, ppid]);
}

/**
 * What /proc lists, on Linux: also the processor time of a process, and that of the children it has waited for (s).
 * @returns {(readonly [pid: number, parent: number, own: number, waited: number])[]}
 */
export function fromProc() {
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.flatMap((pid) => {
			try {
				// "pid (name) state parent …"; the name may contain any characters.
				const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
				const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
				const [parent = 0, user = 0, system = 0, ofUser = 0, ofSystem = 0] = [1, 11, 12, 13, 14].map((at) =>
					Number(fields[at]),
				);
				const [own, waited] = [(user + system) / TICKS_PER_SECOND, (ofUser + ofSystem) / TICKS_PER_SECOND];
				return [/** @type {const} */ ([Number(pid), parent, own, waited])];
			} catch {
				return [];
			}
		});
}
