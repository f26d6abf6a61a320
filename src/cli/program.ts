import { parseArgs } from 'node:util';
import type { Disposable } from '../elicitation/emitter.ts';
import { type Command, STATUS, type Surroundings } from './command.ts';
import { CannotRun, messageOf } from './errors.ts';
import { Output } from './output.ts';

/** A program with several commands. */
export interface Program<C extends Surroundings> {
	/** What it does, in a line. */
	readonly about: string;
	/** The commands, each in a module that is loaded when it is used. */
	readonly commands: Readonly<Record<string, { readonly summary: string; load(): Promise<{ command: Command<C> }> }>>;
	/** Absent where the program is a part of another. */
	version?(): string;
	/** Adds what the commands share. */
	prepare(surroundings: Surroundings): C & Partial<Disposable>;
}

/** Runs the command that the arguments of the process name, and sets its exit status. Never rejects. */
export async function runProgram<C extends Surroundings>(program: Program<C>): Promise<void> {
	process.stdout.on('error', onWriteError);
	process.stderr.on('error', onWriteError);
	const status = await run(program, withoutHelp(process.argv.slice(2)));
	process.exitCode = failed ? STATUS.couldNotRun : status;
}

async function run<C extends Surroundings>(program: Program<C>, [name, ...args]: readonly string[]): Promise<number> {
	const output = new Output(process.stdout, process.stderr);
	let context: (C & Partial<Disposable>) | undefined;
	try {
		const folder = currentFolder();
		if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
			output.print(helpOf(program));
			return name === undefined ? STATUS.couldNotRun : STATUS.passed;
		}
		if (name === '--version' && program.version) {
			output.print(program.version());
			return STATUS.passed;
		}
		const { command } = await commandNamed(program, name).load();
		const { stdin: input, stderr } = process;
		context = program.prepare({
			...{ output, folder, env: process.env },
			...(input.isTTY && stderr.isTTY && { person: { input, output: stderr } }),
		});
		return await runCommand(command, args, context);
	} catch (error) {
		output.tell(messageOf(error));
		return STATUS.couldNotRun;
	} finally {
		context?.dispose?.();
	}
}

function helpOf<C extends Surroundings>({ about, commands }: Program<C>): string {
	return [
		about,
		'',
		'Usage: mcp-elicitation COMMAND [arguments]',
		'',
		...Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(8)}  ${summary}`),
		'',
		'mcp-elicitation COMMAND --help says more about a command.',
		'Exit status: 0 passed, 1 failed, 2 could not run, 130 interrupted.',
	].join('\n');
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

function commandNamed<C extends Surroundings>({ commands }: Program<C>, name: string) {
	const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
	if (!found) {
		throw new CannotRun(`There is no command "${name}".`, `Commands: ${Object.keys(commands).join(', ')}.`);
	}
	return found;
}

async function runCommand<C extends Surroundings>(
	{ usage, help, options, run }: Command<C>,
	args: string[],
	context: C,
): Promise<number> {
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
