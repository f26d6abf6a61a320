import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** A process of this machine. */
export interface Running {
	readonly pid: number;
	readonly parent: number;
	/** Start time in the system's own format. Together with the pid, it identifies a process. */
	readonly started: string;
	/** Value of its `MARK` variable, where the system exposes it. */
	readonly mark?: string | undefined;
}

/** The variable that identifies descendants of a server regardless of their group, session, or parent. Linux only. */
export const MARK = 'MCP_ELICITATION_SERVER';

/** All visible processes; none on Windows. Never rejects. */
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

/** Empty if the process is gone or belongs to another user. */
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
