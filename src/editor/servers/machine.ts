import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * A random id of the machine that servers are started on and local addresses lead to, created on first use. The editor shares its
 * secrets and its state with containers and remote machines, but this file stays where it is.
 */
export function machineIn(file: string): () => string {
	let known: string | undefined;
	return () => {
		known ??= read(file) ?? create(file);
		return known;
	};
}

function read(file: string): string | undefined {
	try {
		const text = readFileSync(file, 'utf8');
		// A file that was written in part is nobody's id.
		return /^[\da-f-]{36}$/.test(text) ? text : undefined;
	} catch {
		return undefined;
	}
}

function create(file: string): string {
	const id = randomUUID();
	try {
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, id, { mode: 0o600 });
	} catch {
		// Where nothing can be written, this window is a machine of its own, which is only asked more often.
		return id;
	}
	// Of several windows that create it at once, the last one decides.
	return read(file) ?? id;
}
