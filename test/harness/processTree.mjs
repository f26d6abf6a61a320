// @ts-check
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Kills a process and everything that descends from it, whatever process groups those have formed.
 * @param {number} root
 */
export function killTree(root) {
	for (const pid of [root, ...descendantsOf(root)]) {
		try {
			process.kill(pid, 'SIGKILL');
		} catch {
			// Already gone.
		}
	}
}

/**
 * The processes that this one has started, and theirs.
 * @param {number} root
 */
export function descendantsOf(root) {
	const children = childrenByParent();
	const found = [...(children.get(root) ?? [])];
	for (const pid of found) {
		found.push(...(children.get(pid) ?? []));
	}
	return found;
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
export function parentOf(child) {
	return processes().find(([pid]) => pid === child)?.[1];
}

function processes() {
	return process.platform === 'linux' ? fromProc() : fromPs();
}

function childrenByParent() {
	/** @type {Map<number, number[]>} */
	const children = new Map();
	for (const [pid, parent] of processes()) {
		children.set(parent, [...(children.get(parent) ?? []), pid]);
	}
	return children;
}

/** A small Debian has no `ps`. */
function fromProc() {
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.flatMap((pid) => {
			try {
				// "pid (name) state parent …", and the name may hold anything.
				const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
				return [/** @type {const} */ ([Number(pid), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])])];
			} catch {
				return [];
			}
		});
}

function fromPs() {
	const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
	return lines.map((line) => {
		const [pid, parent] = line.trim().split(/\s+/).map(Number);
		return /** @type {const} */ ([pid ?? 0, parent ?? 0]);
	});
}
