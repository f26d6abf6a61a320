import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { isHttpUrl } from '../config/definition.ts';
import { proposedName } from '../config/proposedName.ts';
import { secretsAmong } from '../elicitation/secretNames.ts';
import { parseUrl } from '../elicitation/url/parseUrl.ts';
import { environmentOf } from '../mcp/process/environment.ts';
import { findProgram } from '../mcp/process/program.ts';
import { tapHttp } from '../tap/http.ts';
import { Recorder } from '../tap/recorder.ts';
import { type Ended, ownOutput, tapStdio } from '../tap/stdio.ts';
import { type Command, type Ending, portFrom, type Surroundings, textOf, type Values } from './command.ts';
import { CannotRun, messageOf } from './errors.ts';
import type { Host } from './host.ts';

interface Context extends Surroundings {
	readonly host: Pick<Host, 'reaper' | 'recorder'>;
}

export const command: Command<Context> = {
	usage: 'tap -- COMMAND [ARG…]',
	help: [
		'Stands between a client and a server, and records what they say; neither notices. In the configuration of a client,',
		'write it before the command of the server, or give the client the URL that it prints instead of that of the server.',
		'',
		'  --url URL          a server that is reached over HTTP, instead of COMMAND',
		'  --port PORT        serve it at this port of this machine only, instead of any free one',
		'  --name NAME        what the recording calls the server, instead of a name from its command or URL',
		'  --timeline FILE    where the messages are written to, as "Export Timeline…" does, without secrets; a file that',
		'                     exists is continued. Without it, mcp-timeline-NAME.jsonl in the current folder',
	].join('\n'),
	options: {
		url: { type: 'string' },
		port: { type: 'string' },
		name: { type: 'string' },
		timeline: { type: 'string' },
	},
	run: tap,
};

async function tap([program, ...args]: readonly string[], values: Values, context: Context): Promise<Ending | number> {
	const [url, port] = [textOf(values, 'url'), portFrom(textOf(values, 'port'))];
	if ((program === undefined) === (url === undefined) || (url === undefined && port !== undefined)) {
		throw new CannotRun(
			'tap takes the command of a server, or its URL and perhaps a port.',
			'Write "tap -- COMMAND ARG…" or "tap --url URL".',
		);
	}
	return program === undefined
		? tapUrl(targetFrom(url ?? ''), port ?? 0, values, context)
		: tapProgram(program, args, values, context);
}

async function tapProgram(
	program: string,
	args: readonly string[],
	values: Values,
	context: Context,
): Promise<Ending | number> {
	const { env, folder, host } = context;
	const command = findProgram(program, { cwd: folder, env: environmentOf(env) });
	if (command === undefined) {
		throw new CannotRun(
			`The command "${program}" of the server was not found.`,
			'Check its spelling, and that it is on the PATH.',
		);
	}
	const recorder = recorderFor(proposedName({ command: program, args }), values, context);
	const { stdin: input } = process;
	const server = { command, args, input, output: ownOutput(), isTerminal: input.isTTY };
	const ended = await tapStdio(server, recorder, host.reaper)
		.catch((error) => {
			throw new CannotRun(`"${program}" could not be started: ${messageOf(error)}.`);
		})
		.finally(() => recorder.close());
	return statusOf(ended);
}

async function tapUrl(target: URL, port: number, values: Values, context: Context): Promise<Ending> {
	const recorder = recorderFor(proposedName({ url: target.href }), values, context);
	try {
		const served = await tapHttp(target, port, recorder).catch((error) => {
			throw new CannotRun(`The port ${port} cannot be used: ${messageOf(error)}.`, 'Give another one, or none.');
		});
		context.output.print(`${target.origin}${target.pathname} is served at ${served.url}`);
		await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
		await served.close();
		return 'passed';
	} finally {
		await recorder.close();
	}
}

function targetFrom(text: string): URL {
	const target = isHttpUrl(text) ? parseUrl(text) : undefined;
	if (target === undefined || target.username + target.password !== '') {
		throw new CannotRun(
			`"${text}" is no URL of a server.`,
			'Give one that begins with https:// or http://, without a user; the client sends what it signs in with.',
		);
	}
	return target;
}

/** Records in a file. If it cannot, it says so, and everything else goes on. */
function recorderFor(server: string, values: Values, { output, host, folder, env }: Context): Recorder {
	const name = (textOf(values, 'name') ?? server) || 'server';
	const file = resolve(folder, textOf(values, 'timeline') ?? `mcp-timeline-${name.replace(/[^\w.-]+/g, '-')}.jsonl`);
	output.tell(`What is said is recorded in ${file}`);
	const variables = Object.fromEntries(Object.entries(env).map(([variable, value]) => [variable, value ?? null]));
	const options = { file, server: name, id: randomUUID().slice(0, 8), secrets: secretsAmong(variables) };
	return new Recorder(host.recorder, options, (why) =>
		output.tell(`Nothing more is recorded in ${file}: ${why}. The client and the server are not affected.`),
	);
}

/** Ends like the server: by the same signal, if it was ended by one. */
function statusOf({ code, signal }: Ended): number {
	if (signal && process.platform !== 'win32') {
		process.kill(process.pid, signal);
	}
	// What shells report for a signal, where it does not end this process.
	return code ?? 128 + (signal ? constants.signals[signal] : 0);
}
