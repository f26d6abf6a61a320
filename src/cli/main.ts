#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { type Command, type Context, STATUS } from './command.ts';
import { CannotRun, messageOf } from './errors.ts';
import { Host } from './host.ts';
import { Output } from './output.ts';

/** The commands, each in a module that is loaded when it is used. */
const COMMANDS: Readonly<Record<string, { readonly summary: string; load(): Promise<{ command: Command }> }>> = {
	run: { summary: 'run scenarios against a server', load: () => import('./run.ts') },
	check: { summary: 'check requested schemas in JSON files', load: () => import('./check.ts') },
	record: { summary: 'record a call as a timeline or as a scenario', load: () => import('./record.ts') },
	serve: { summary: 'serve a recording as a mock server', load: () => import('./serve.ts') },
	tap: { summary: 'record what a client and a server say', load: () => import('./tap.ts') },
	matrix: { summary: 'end the requests of a call in every way', load: () => import('./matrix.ts') },
};

const HELP = [
	'Runs recorded MCP calls, with their elicitations, against a server.',
	'',
	'Usage: mcp-elicitation COMMAND [arguments]',
	'',
	...Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(8)}  ${summary}`),
	'',
	'mcp-elicitation COMMAND --help says more about a command.',
	'Exit status: 0 passed, 1 failed, 2 could not run, 130 interrupted.',
].join('\n');

/** Runs the command that the arguments name. Resolves to the exit status; never rejects. */
async function main([name, ...args]: readonly string[]): Promise<number> {
	const output = new Output(process.stdout, process.stderr);
	let host: Host | undefined;
	try {
		const folder = currentFolder();
		host = new Host(folder);
		if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
			output.print(HELP);
			return name === undefined ? STATUS.couldNotRun : STATUS.passed;
		}
		if (name === '--version') {
			output.print(host.version);
			return STATUS.passed;
		}
		const { command } = await commandNamed(name).load();
		const { stdin: input, stderr } = process;
		return await runCommand(command, args, {
			...{ output, host, folder, env: process.env },
			...(input.isTTY && stderr.isTTY && { person: { input, output: stderr } }),
		});
	} catch (error) {
		output.tell(messageOf(error));
		return STATUS.couldNotRun;
	} finally {
		host?.dispose();
	}
}

function currentFolder(): string {
	try {
		return process.cwd();
	} catch {
		throw new CannotRun('The current folder is gone or cannot be read.', 'Change to another one.');
	}
}

/** `help run` is `run --help`. */
function withoutHelp(args: readonly string[]): readonly string[] {
	return args[0] === 'help' && args.length > 1 ? [...args.slice(1), '--help'] : args;
}

function commandNamed(name: string) {
	const found = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
	if (!found) {
		throw new CannotRun(`There is no command "${name}".`, `Commands: ${Object.keys(COMMANDS).join(', ')}.`);
	}
	return found;
}

async function runCommand({ usage, help, options, run }: Command, args: string[], context: Context): Promise<number> {
	const { values, positionals } = parsed(usage, () =>
		parseArgs({ args, options: { ...options, help: { type: 'boolean', short: 'h' } }, allowPositionals: true }),
	);
	if (values['help'] === true) {
		context.output.print(`Usage: mcp-elicitation ${usage} [options]\n\n${help}`);
		return STATUS.passed;
	}
	const ending = await run(positionals, values, context);
	return typeof ending === 'number' ? ending : STATUS[ending];
}

/** Explains arguments that cannot be parsed. */
function parsed<T>(usage: string, parse: () => T): T {
	try {
		return parse();
	} catch (error) {
		throw new CannotRun(messageOf(error).replace(/\.?$/, '.'), `See "mcp-elicitation ${usage.split(' ')[0]} --help".`);
	}
}

let failed = false;

/** Whoever reads the output may stop reading at any time. Anything else that keeps it from being written is a failure. */
function onWriteError({ code, message }: NodeJS.ErrnoException): void {
	if (code !== 'EPIPE' && !failed) {
		failed = true;
		process.exitCode = STATUS.couldNotRun;
		process.stderr.write(`The output could not be written: ${message}. Check where it goes.\n`);
	}
}

process.stdout.on('error', onWriteError);
process.stderr.on('error', onWriteError);
const status = await main(withoutHelp(process.argv.slice(2)));
process.exitCode = failed ? STATUS.couldNotRun : status;
