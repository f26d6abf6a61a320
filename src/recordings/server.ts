import { parseArgs } from 'node:util';
import { readRegularFile } from '../mcp/process/regularFile.ts';
import { openRecording } from './openRecording.ts';
import { serveStdio } from './stdio.ts';

/** Larger recordings are not read (bytes). */
const MAX_FILE = 256 * 1024 * 1024;

/* The program that serves a recording over stdio: `recording FILE [--server NAME]`. */
try {
	const { positionals, values } = parseArgs({ allowPositionals: true, options: { server: { type: 'string' } } });
	const { server } = openRecording(readRegularFile(positionals[0] ?? '', MAX_FILE), values.server);
	serveStdio(server);
} catch (error) {
	process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
	process.exitCode = 1;
}
