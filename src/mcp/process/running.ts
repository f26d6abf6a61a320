import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** A process of this computer. */
export interface Running {
	readonly pid: number;
	readonly parent: number;
	/** When it began, in the system's own way: with the pid it tells a process from a later one of the same number. */
	readonly started: string;
	/** What it was given in the variable `MARK`, where the system tells. */
	readonly mark?: string | undefined;
}

/** The variable by which what a server has started is recognised, whatever group, session or parent it has by now. Linux only. */
export const MARK = 'MCP_ELICITATION_SERVER';

/** All processes that the system tells of; none on Windows. Never rejects. */
export async function running(): Promise<readonly Running[]> {
	return process.platform === 'linux' ? fromProc() : process.platform === 'win32' ? [] : fromPs();
}

function fromProc(): Running[] {
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.flatMap((pid) => {
			const stat = textOf(`/proc/${pid}/stat`);
			// proc(5): "pid (name) state ppid …", and the name may hold anything; the start time is field 22.
			const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
			const [parent, started] = [fields[1], fields[19]];
			return parent === undefined || started === undefined
				? []
				: [{ pid: Number(pid), parent: Number(parent), started, mark: markIn(textOf(`/proc/${pid}/environ`)) }];
		});
}

function markIn(environment: string): string | undefined {
	const prefix = `${MARK}=`;
	return environment
		.split('\0')
		.find((entry) => entry.startsWith(prefix))
		?.slice(prefix.length);
}

/** Empty for a process that has just gone, and for what belongs to somebody else. */
function textOf(file: string): string {
	try {
		return readFileSync(file, 'latin1');
	} catch {
		return '';
	}
}

function fromPs(): Promise<Running[]> {
	return new Promise((resolve) => {
		const options = { env: { LC_ALL: 'C' }, maxBuffer: 16 * 1024 * 1024 };
		execFile('/bin/ps', ['-A', '-o', 'pid=,ppid=,lstart='], options, (_error, stdout) => resolve(parsePs(stdout)));
	});
}

export function parsePs(stdout: string): Running[] {
	return stdout.split('\n').flatMap((line) => {
		const [, pid, parent, started] = /^\s*(\d+)\s+(\d+)\s+(\S.*?)\s*$/.exec(line) ?? [];
		return pid && parent && started ? [{ pid: Number(pid), parent: Number(parent), started }] : [];
	});
}
