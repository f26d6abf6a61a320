import { execFile } from 'node:child_process';
import { readlink } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { LineReader } from '../mcp/process/lineReader.ts';
import { MAX_MESSAGE_LENGTH } from '../mcp/wire/failure.ts';
import { linkTo, type Wanted } from '../window/link.ts';
import { Relay } from '../window/relay.ts';
import { type Command, type Ending, type Surroundings, textOf, type Values } from './command.ts';
import { CannotRun, messageOf } from './errors.ts';

/** How often a window is looked for (ms). */
const INTERVAL = 1_000;

export const command: Command<Surroundings> = {
	usage: 'connect SERVER',
	help: [
		'A stdio server for any MCP client: passes its calls on to a server that a window of the editor offers with "Offer Server to',
		'Another Client…". What the server requests is asked in the editor. The window with the current folder is preferred, then',
		'the one that was used last. Without one, calls fail with a sentence that says so, and go on once there is one.',
		'',
		'  --workspace DIR    only a window with this folder, or one above it',
		'  --fail             end at once if there is no window',
	].join('\n'),
	options: { workspace: { type: 'string' }, fail: { type: 'boolean' } },
	run: connectClient,
};

async function connectClient(
	[server, ...more]: readonly string[],
	values: Values,
	context: Surroundings,
): Promise<Ending> {
	if (server === undefined || more.length > 0) {
		throw new CannotRun('connect takes the name of one server.', 'Name one that a window of your editor offers.');
	}
	const workspace = textOf(values, 'workspace');
	const wanted: Wanted = {
		server,
		folder: resolve(context.folder, workspace ?? ''),
		onlyHere: workspace !== undefined,
		program: await parentProgram(),
	};
	const connecting = new Connecting(wanted, context);
	await connecting.find();
	if (!connecting.isLinked) {
		if (values['fail'] === true) {
			throw new CannotRun(connecting.why);
		}
		context.output.tell(connecting.why);
	}
	await connecting.serve();
	return 'passed';
}

/** Connects the client on stdio to one window after the other. */
class Connecting {
	readonly #ended = new AbortController();
	readonly #relay: Relay;
	#window: Socket | undefined;
	/** Why the window accepts nothing, in its words. */
	#refusal: string | undefined;
	/** True once the user has refused: they are not asked again. */
	#isRefused = false;

	constructor(
		private readonly wanted: Wanted,
		private readonly context: Surroundings,
	) {
		const write = (line: string) => process.stdout.write(`${line}\n`);
		this.#relay = new Relay(
			wanted.server,
			() => this.why,
			write,
			(reason) => this.#refused(reason),
		);
	}

	get isLinked(): boolean {
		return this.#window !== undefined;
	}

	/** Why there is no session, as a sentence. */
	get why(): string {
		const { server } = this.wanted;
		return (
			this.#refusal ??
			(this.isLinked
				? `"${server}" is not ready in the editor: its user has to let this client use it, or it still starts. Turn to the editor.`
				: `No window of the editor offers "${server}". Open its folder in the editor, or offer it there with "MCP Elicitation: Offer Server to Another Client…".`)
		);
	}

	/** Looks for a window. */
	async find(): Promise<void> {
		try {
			this.#window = await linkTo(this.wanted);
			this.#refusal = undefined;
		} catch (error) {
			this.#refusal = messageOf(error);
		}
	}

	/** Resolves when the client is gone. */
	async serve(): Promise<void> {
		const end = () => {
			this.#ended.abort();
			process.stdin.destroy();
		};
		const onLine = (line: string) => this.#relay.fromClient(line);
		const client = new LineReader(process.stdin, { maxLength: MAX_MESSAGE_LENGTH, onLine });
		process.stdout.on('error', end);
		void client.done.then(end);
		const { signal } = this.#ended;
		while (!signal.aborted && !this.#isRefused) {
			if (this.#window) {
				await passOn(this.#window, this.#relay, signal);
				this.#window = undefined;
			}
			await sleep(INTERVAL, undefined, { signal }).catch(() => {});
			if (!signal.aborted && !this.#isRefused) {
				await this.find();
			}
		}
		await client.done;
		this.#window?.destroy();
		this.#relay.dispose();
	}

	#refused(reason: string): void {
		this.#refusal = reason;
		this.#isRefused = true;
		this.context.output.tell(reason);
		this.#window?.destroy();
	}
}

/** Resolves when the window, or the client, is gone. */
async function passOn(socket: Socket, relay: Relay, signal: AbortSignal): Promise<void> {
	const stop = () => socket.destroy();
	signal.addEventListener('abort', stop, { once: true });
	const window = new LineReader(socket, { maxLength: MAX_MESSAGE_LENGTH, onLine: (line) => relay.fromWindow(line) });
	relay.opened((line) => socket.write(`${line}\n`));
	socket.resume();
	await window.done;
	signal.removeEventListener('abort', stop);
	relay.closed();
}

/** The program that started this one, as the system names it; empty where it does not. */
async function parentProgram(): Promise<string> {
	try {
		return process.platform === 'linux'
			? await readlink(`/proc/${process.ppid}/exe`)
			: process.platform === 'win32'
				? ''
				: (await promisify(execFile)('/bin/ps', ['-p', String(process.ppid), '-o', 'comm='])).stdout.trim();
	} catch {
		return '';
	}
}
