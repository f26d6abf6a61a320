import { once } from 'node:events';
import { resolve } from 'node:path';
import { type ServedRecording, serveRecording } from '../recordings/serveRecording.ts';
import { type Command, type Context, portFrom, textOf, type Values, type Verdict } from './command.ts';
import { CannotRun, messageOf } from './errors.ts';
import { readBytes } from './files.ts';

export const command: Command = {
	usage: 'serve RECORDING',
	help: [
		'Serves a recording, an exported timeline in JSON Lines: a mock server that does what the recorded server did.',
		'Over stdio, for a client that starts it, until the client has gone; or over HTTP, until it is interrupted.',
		'',
		'  --server NAME    which server of the recording, if it has several',
		'  --port PORT      serve over HTTP at this port of this machine only; 0 for any free port',
	].join('\n'),
	options: { server: { type: 'string' }, port: { type: 'string' } },
	run: serve,
};

async function serve([file, ...more]: readonly string[], values: Values, context: Context): Promise<Verdict> {
	if (file === undefined || more.length > 0) {
		throw new CannotRun('serve takes one recording.', 'Name the file, as in "serve mcp-timeline.jsonl".');
	}
	const { output, folder } = context;
	const port = portFrom(textOf(values, 'port'));
	const served = await serving(await readBytes(resolve(folder, file)), textOf(values, 'server'), port);
	if (served.unreadable > 0) {
		output.tell(`Lines of the recording that hold no message: ${served.unreadable}.`);
	}
	if (served.cutOff) {
		output.tell('The recording ends in the middle of a line; what it held is missing.');
	}
	if (served.url !== undefined) {
		output.print(`${served.server} is served at ${served.url}`);
		await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
		await served.close();
	}
	await served.closed;
	return 'passed';
}

async function serving(
	file: Uint8Array,
	server: string | undefined,
	port: number | undefined,
): Promise<ServedRecording> {
	try {
		return await serveRecording(
			file,
			port === undefined ? { transport: 'stdio', server } : { transport: 'http', server, port },
		);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		throw code === undefined
			? new CannotRun(messageOf(error))
			: new CannotRun(
					`The port ${port} cannot be used: ${messageOf(error)}.`,
					'Give another one, or 0 for any free port.',
				);
	}
}
