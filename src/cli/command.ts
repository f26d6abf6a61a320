import type { ParseArgsConfig } from 'node:util';
import { CannotRun } from './errors.ts';
import type { Host } from './host.ts';
import type { Output } from './output.ts';

/** The exit status of each way to end. That of an interruption is what shells report for SIGINT. */
export const STATUS = { passed: 0, failed: 1, couldNotRun: 2, interrupted: 130 } as const;

/** How a command ended. */
export type Ending = keyof typeof STATUS;

export type Verdict = Exclude<Ending, 'interrupted'>;

/** The options of a command, by name. */
export type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

/** What every command works with. */
export interface Surroundings {
	readonly output: Output;
	/** The current folder: relative paths and definitions of servers are looked up here. */
	readonly folder: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Who can respond to requests; absent unless the program runs on a terminal. */
	readonly person?: Person;
}

/** With what commands that speak to servers share. */
export interface Context extends Surroundings {
	readonly host: Host;
}

/** Somebody at a terminal. */
export interface Person {
	readonly input: NodeJS.ReadableStream;
	readonly output: NodeJS.WritableStream;
}

export interface Command<C extends Surroundings = Context> {
	/** Its arguments, as in `run SCENARIO…`. */
	readonly usage: string;
	/** What it does, for `--help`. */
	readonly help: string;
	readonly options: NonNullable<ParseArgsConfig['options']>;
	/** Resolves to a number for the status of another program. Rejects with a CannotRun if it could not be run. */
	run(positionals: readonly string[], values: Values, context: C): Promise<Ending | number>;
}

/** An option that takes a text. */
export function textOf(values: Values, name: string): string | undefined {
	const value = values[name];
	return typeof value === 'string' ? value : undefined;
}

/** The largest port. */
const MAX_PORT = 65_535;

/** An option that takes a port. Throws a CannotRun. */
export function portFrom(text: string | undefined): number | undefined {
	if (text !== undefined && !(/^\d+$/.test(text) && Number(text) <= MAX_PORT)) {
		throw new CannotRun(`"${text}" is no port.`, `Give a number from 0 to ${MAX_PORT}.`);
	}
	return text === undefined ? undefined : Number(text);
}
