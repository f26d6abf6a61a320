import { createServer } from 'node:net';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { hasUrl, type ServerDefinition, type StdioDefinition } from '../../../config/definition.ts';
import type { DebuggerDefinition } from '../../../config/development.ts';
import { own } from '../../../elicitation/json.ts';
import { localize } from '../../common/localize.ts';
import { showError } from '../../common/notifications.ts';
import { folderOf } from '../../servers/configSource.ts';
import { ServerError } from '../../servers/serverError.ts';
import type { Servers } from '../../servers/servers.ts';

const HOST = '127.0.0.1';

/** How long a debugger tries to reach a process that is starting (ms). */
const ATTACH_TIMEOUT = 30_000;

/** Marks debug sessions started here, in their configuration. */
const SERVER = 'mcpElicitationServer';

/** The server of a debug session or of the one that it belongs to; undefined if it was not started here. */
export function serverOf(session: vscode.DebugSession | undefined): string | undefined {
	const server = own(session?.configuration, SERVER);
	return session && (typeof server === 'string' ? server : serverOf(session.parentSession));
}

/** How a server is started so that a debugger can attach to it. */
interface Debuggable {
	readonly definition: ServerDefinition;
	/** What the debugger attaches to, given the id of the process. */
	attach(pid: number | undefined): vscode.DebugConfiguration;
	/** True if the debugger waits for the process itself, so that breakpoints in its first lines are hit. */
	readonly early: boolean;
}

/** Starts servers with a debugger attached. A server keeps its debugger over restarts until the user disconnects it. */
export class ServerDebuggers implements vscode.Disposable {
	/** The servers that are debugged, by name, as they were defined when the user wanted it. */
	readonly #debugged = new Map<string, string | undefined>();
	/** Listeners that attach the debugger once the server is running. */
	readonly #attaching = new Map<string, vscode.Disposable>();
	readonly #disposable: vscode.Disposable;

	constructor(private readonly servers: Servers) {
		servers.prepareStartsWith((definition) => this.#prepare(definition));
		this.#disposable = vscode.debug.registerDebugAdapterTrackerFactory('*', {
			createDebugAdapterTracker: (session) => {
				const server = serverOf(session);
				return server === undefined ? undefined : this.#tracker(server);
			},
		});
	}

	/** Restarts a server with its debugger. Rejects with an error that can be shown to the user. */
	async debug(server: string): Promise<void> {
		this.#debugged.set(server, this.servers.identityOf(server));
		await this.servers.restart(server);
	}

	dispose(): void {
		this.#disposable.dispose();
	}

	/** The user disconnects before the process ends; otherwise, the process ended first. */
	#tracker(server: string): vscode.DebugAdapterTracker {
		let ended = false;
		return {
			onDidSendMessage: ({ event }: { readonly event?: string }) => {
				ended ||= event === 'terminated' || event === 'exited';
			},
			onWillReceiveMessage: ({ command }: { readonly command?: string }) => {
				if (!ended && (command === 'disconnect' || command === 'terminate')) {
					this.#debugged.delete(server);
				}
			},
		};
	}

	async #prepare(definition: ServerDefinition): Promise<ServerDefinition> {
		const { name, dev } = definition;
		const isWanted = this.#debugged.has(name) && this.#debugged.get(name) === this.servers.identityOf(name);
		if (!isWanted || !dev?.debug) {
			return definition;
		}
		try {
			const debuggable = await debuggableWith(dev.debug, definition);
			if (debuggable.early) {
				this.#attach(name, debuggable.attach(undefined)).catch(showError);
			} else {
				this.#attachWhenRunning(name, debuggable);
			}
			return debuggable.definition;
		} catch (error) {
			this.#debugged.delete(name);
			throw error;
		}
	}

	#attachWhenRunning(name: string, { attach }: Debuggable): void {
		// A start that was stopped must not attach another debugger.
		this.#attaching.get(name)?.dispose();
		const identity = this.servers.identityOf(name);
		const listener = this.servers.onDidChange(() => {
			const { state, connection } = this.servers.get(name) ?? { state: 'stopped' };
			const isSame = this.servers.identityOf(name) === identity;
			if (state === 'running' && isSame) {
				this.#attach(name, attach(connection?.pid)).catch(showError);
			}
			if (state === 'running' || state === 'failed' || !isSame) {
				listener.dispose();
			}
		});
		this.#attaching.set(name, listener);
	}

	async #attach(server: string, configuration: vscode.DebugConfiguration): Promise<void> {
		const { source } = this.servers.get(server)?.configured ?? {};
		const folder = source && folderOf(source);
		const marked = { internalConsoleOptions: 'neverOpen', [SERVER]: server, ...configuration };
		const options = { suppressDebugView: true, suppressSaveBeforeStart: true };
		if (!(await vscode.debug.startDebugging(folder, marked, options))) {
			throw new ServerError(
				server,
				localize('The debugger of type "{0}" could not attach.', configuration.type),
				localize('Install an extension that provides it, or correct "dev.debug" in the definition.'),
				['dev', 'debug'],
			);
		}
	}
}

async function debuggableWith(debug: DebuggerDefinition, definition: ServerDefinition): Promise<Debuggable> {
	if (hasUrl(definition)) {
		throw new ServerError(
			definition.name,
			localize('Only a server that is started here can be debugged; this one is reached by its URL.'),
			localize('Attach a debugger to its process yourself.'),
			['dev', 'debug'],
		);
	}
	const base = { type: debug.type, request: 'attach', name: `MCP: ${definition.name}` };
	switch (debug.type) {
		case 'node': {
			requireProgram(definition, /^node(js|\d+)?$/, 'node');
			const port = await freePort();
			return {
				definition: { ...definition, args: [`--inspect=${HOST}:${port}`, ...definition.args] },
				attach: () => ({ ...base, address: HOST, port, timeout: ATTACH_TIMEOUT }),
				early: true,
			};
		}
		case 'debugpy': {
			requireProgram(definition, /^py(thon)?w?[\d.]*$/, 'python');
			const port = await freePort();
			const listen = [...(await debugpy(debug)), '--listen', `${HOST}:${port}`];
			return {
				definition: { ...definition, args: [...listen, ...definition.args] },
				attach: () => ({ ...base, connect: { host: HOST, port } }),
				early: false,
			};
		}
		default:
			return { definition, attach: (processId) => ({ ...base, processId }), early: false };
	}
}

function requireProgram({ name, command }: StdioDefinition, program: RegExp, example: string): void {
	if (!program.test(basename(command).replace(/\.exe$/i, ''))) {
		throw new ServerError(
			name,
			localize('Its debugger needs the command "{0}", but the definition has "{1}".', example, command),
			localize('Run the script of the server with "{0}", without a launcher such as npx or uv.', example),
			['command'],
		);
	}
}

/** The arguments that run a script with debugpy: from the definition, the Python Debugger extension, or Python itself. */
async function debugpy({ debugpyPath }: DebuggerDefinition): Promise<string[]> {
	const extensions = async () => {
		const commands = await vscode.commands.getCommands();
		const command = 'python.getDebugpyPackagePath';
		return commands.includes(command) ? vscode.commands.executeCommand<string | undefined>(command) : undefined;
	};
	const path = debugpyPath ?? (await extensions());
	return path === undefined ? ['-m', 'debugpy'] : [path];
}

/** A TCP port of this machine that nothing listens on. */
function freePort(): Promise<number> {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject).listen(0, HOST, () => {
			const address = server.address();
			server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
		});
	});
}
