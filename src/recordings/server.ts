import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { openRecording } from './openRecording.ts';
import { serveStdio } from './stdio.ts';

/* The program that serves a recording over stdio: `recording FILE [--server NAME]`. */
try {
	const { positionals, values } = parseArgs({ allowPositionals: true, options: { server: { type: 'string' } } });
	const { server } = openRecording(await readFile(positionals[0] ?? ''), values.server);
	serveStdio(server);
} catch (error) {
	process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
	process.exitCode = 1;
}
