import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { TaskMode } from '../../../src/config/capabilities.ts';
import type { ServerDefinition } from '../../../src/config/definition.ts';
import { readServers } from '../../../src/config/readDefinition.ts';
import type { Elicitation } from '../../../src/elicitation/elicitation.ts';
import { type Disposable, Emitter } from '../../../src/elicitation/emitter.ts';
import type { Json, JsonObject } from '../../../src/elicitation/json.ts';
import { type Refusal, Registry } from '../../../src/elicitation/registry.ts';
import { Connection, type ConnectionContext, Reaper, type SignIn } from '../../../src/mcp/index.ts';
import type { ServerLog } from '../../../src/mcp/logMessages.ts';
import { type Direction, TraceLog } from '../../../src/trace/log.ts';
import { Visitor } from '../../conformance/visitor.ts';

export { testServer } from '../../harness/testServers.mjs';

/** A JSON-RPC message as a test reads it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
export type Wire = any;

const root = fileURLToPath(new URL('../../..', import.meta.url));

export const everything = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

/** A test peer in `peers`. */
export function peer(name: string): string {
	return join(root, 'test/unit/mcp/peers', name);
}

/** Bundles parts of the product like the release build, into a folder that `remove` deletes. */
export async function bundle(entryPoints: Record<string, string>) {
	const folder = await mkdtemp(join(tmpdir(), 'elicitation-mcp-'));
	const require = createRequire(import.meta.url);
	await build({
		absWorkingDir: root,
		entryPoints,
		bundle: true,
		platform: 'node',
		target: 'node18',
		format: 'cjs',
		outdir: folder,
		outExtension: { '.js': '.cjs' },
		logLevel: 'warning',
		plugins: [
			{
				// The SDK's ESM build does not survive being bundled as CommonJS.
				name: 'commonjs-sdk',
				setup: ({ onResolve }) =>
					onResolve({ filter: /^@modelcontextprotocol\/client/ }, ({ path }) => ({ path: require.resolve(path) })),
			},
		],
	});
	return { file: (name: string) => join(folder, `${name}.cjs`), remove: () => rm(folder, { recursive: true }) };
}

/** A definition from settings, parsed by product code. */
export function define(name: string, value: unknown): ServerDefinition {
	const { servers, problems } = readServers({ [name]: value });
	expect(problems).toEqual([]);
	return servers[0] as ServerDefinition;
}

/** A Node script as a stdio server. */
export function stdio(name: string, file: string, args: readonly string[] = [], more: object = {}): ServerDefinition {
	return define(name, { command: process.execPath, args: [file, ...args], ...more });
}

/** Everything that connections need, including a simulated user, and a record of everything that happens to them. */
export class TestClient implements ConnectionContext {
	readonly clientVersion = '1.0.0';
	readonly judged: [schema: JsonObject, content: Json][] = [];
	readonly registry = new Registry(
		{
			validate: async (schema, content) => {
				this.judged.push([schema, content]);
				return { status: 'valid' };
			},
		},
		() => this.perMinute,
	);
	/** Rate limit: elicitations per minute and server. */
	perMinute = Number.POSITIVE_INFINITY;
	readonly trace = new TraceLog(() => 100_000);
	readonly logs: string[] = [];
	/** The server of each log line. */
	readonly logged: string[] = [];
	readonly refusals: Refusal[] = [];
	signIn: SignIn = new Visitor();
	timeout = 60;
	/** The setting `mcpElicitation.tasks`. */
	tasks: TaskMode = 'auto';
	/** The workspace folders. */
	folders: { uri: string; name: string }[] = [{ uri: 'file:///projects/app', name: 'app' }];
	readonly foldersChanged = new Emitter<void>();
	/** The level of every log. */
	logLevel: ServerLog['level'] = 'info';
	readonly logLevelChanged = new Emitter<void>();
	readonly #connections = new Set<Connection>();
	readonly #waiting = new Set<() => void>();

	constructor(readonly reaper: Reaper) {
		this.registry.onDidAdd(() => this.#wake());
		this.registry.onDidChange(() => this.#wake());
		this.registry.onDidChangeDelivery(() => this.#wake());
		this.registry.onDidChangeCalls(() => this.#wake());
		this.registry.onDidRefuse((refusal) => {
			this.refusals.push(refusal);
			this.#wake();
		});
		this.trace.onDidAdd(() => this.#wake());
	}

	// Fields instead of methods, because ConnectionManager copies the context.
	readonly callTimeout = () => this.timeout;
	readonly taskMode = () => this.tasks;
	readonly allowInsecureUrls = () => 'loopback' as const;
	readonly workspaceRoots = { list: () => this.folders, onDidChange: this.foldersChanged.event };
	readonly log = (server: string) => {
		const note = (kind: string) => (line: string) => {
			this.logs.push(`${kind}: ${line}`);
			this.logged.push(server);
			this.#wake();
		};
		const level = () => this.logLevel;
		return {
			get level() {
				return level();
			},
			onDidChangeLevel: this.logLevelChanged.event,
			debug: note('debug'),
			info: note('info'),
			warn: note('warn'),
			error: note('error'),
			stderr: note('stderr'),
		};
	};

	create(definition: ServerDefinition): Connection {
		const connection = new Connection(definition, this);
		this.#connections.add(connection);
		connection.onDidChange(() => this.#wake());
		return connection;
	}

	async connect(definition: ServerDefinition): Promise<Connection> {
		const connection = this.create(definition);
		await connection.start();
		return connection;
	}

	/** Waits for a condition, which is checked after every event. */
	async until<T>(condition: () => T | undefined | false): Promise<T> {
		for (;;) {
			const found = condition();
			if (found !== undefined && found !== false) return found;
			await new Promise<void>((resolve) => this.#waiting.add(resolve));
		}
	}

	/** The open elicitations, once there are that many. */
	asked(count = 1): Promise<[Elicitation, ...Elicitation[]]> {
		return this.until(() => {
			const open = this.registry.live.filter(({ state }) => state === 'asking');
			return open.length >= count && (open as [Elicitation, ...Elicitation[]]);
		});
	}

	/** The recorded messages, raw. */
	wire(direction: Direction, fits: (message: Wire) => boolean = () => true): Wire[] {
		return this.trace.entries
			.filter((entry) => entry.direction === direction && fits(entry.message))
			.map(({ message }) => message);
	}

	/** The responses to `elicitation/create`, as full messages. */
	answers(): Wire[] {
		const asked = new Set(this.wire('received', ({ method }) => method === 'elicitation/create').map(({ id }) => id));
		return this.wire('sent', ({ id, method }) => method === undefined && asked.has(id));
	}

	async close(): Promise<void> {
		await Promise.all([...this.#connections].map((connection) => connection.stop()));
		this.#connections.clear();
	}

	#wake(): void {
		const waiting = [...this.#waiting];
		this.#waiting.clear();
		for (const wake of waiting) wake();
	}
}

/**
 * Creates a new test client for every test of the file and closes its connections afterwards. They share a reaper, whose
 * process stays for the whole file, unless one is given. Fails on unhandled rejections.
 */
export function testClients(): (reaper?: Reaper) => TestClient {
	let bundled: Awaited<ReturnType<typeof bundle>>;
	let shared: Reaper;
	let kept: Disposable;
	let world: TestClient;
	const unheard: unknown[] = [];
	const onUnheard = (reason: unknown) => unheard.push(reason);
	beforeAll(async () => {
		process.on('unhandledRejection', onUnheard);
		bundled = await bundle({ reaper: 'src/mcp/process/reaper.ts' });
		shared = new Reaper(bundled.file('reaper'));
		kept = shared.keep();
	});
	afterEach(async () => {
		await world?.close();
		expect(unheard.splice(0)).toEqual([]);
	});
	afterAll(async () => {
		process.off('unhandledRejection', onUnheard);
		kept.dispose();
		await bundled.remove();
	});
	return (reaper = shared) => {
		world = new TestClient(reaper);
		return world;
	};
}

/** A running HTTP server. */
export interface Listening {
	readonly url: string;
	readonly child: ChildProcess;
	stop(): void;
}

/** Starts a server of test/servers that prints its URL. */
export async function listening(file: string, ...args: string[]): Promise<Listening> {
	const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
	for await (const line of createInterface({ input: child.stdout })) {
		const [, url] = /^listening (\S+)$/.exec(line) ?? [];
		if (url !== undefined) return { url, child, stop: () => child.kill('SIGKILL') };
	}
	throw new Error(`${file} ended before it listened.`);
}

/** Starts the reference server. It needs a port number; if that is taken by then, another one is tried. */
export async function everythingOn(transport: 'streamableHttp' | 'sse'): Promise<Listening> {
	for (let attempt = 1; attempt < 5; attempt++) {
		const started = await everythingAt(transport, await freePort());
		if (started !== undefined) return started;
	}
	throw new Error('The reference server ended before it listened.');
}

async function everythingAt(transport: 'streamableHttp' | 'sse', port: number): Promise<Listening | undefined> {
	const child = spawn(process.execPath, [everything, transport], {
		stdio: ['ignore', 'ignore', 'pipe'],
		env: { ...process.env, PORT: String(port) },
	});
	const path = transport === 'sse' ? 'sse' : 'mcp';
	for await (const line of createInterface({ input: child.stderr })) {
		if (line.includes(`on port ${port}`)) {
			child.stderr.resume();
			return { url: `http://127.0.0.1:${port}/${path}`, child, stop: () => child.kill('SIGKILL') };
		}
	}
	return undefined;
}

/** Starts the SDK's example of requests in tasks. */
export async function interactiveTasks(): Promise<Listening> {
	const file = join(root, 'node_modules/@modelcontextprotocol/sdk/dist/esm/examples/server/simpleTaskInteractive.js');
	const child = spawn(process.execPath, [file], {
		stdio: ['ignore', 'pipe', 'inherit'],
		env: { ...process.env, PORT: String(await freePort()) },
	});
	for await (const line of createInterface({ input: child.stdout })) {
		const [, url] = /^Starting server on (\S+)$/.exec(line) ?? [];
		if (url !== undefined) {
			child.stdout.resume();
			return { url, child, stop: () => child.kill('SIGKILL') };
		}
	}
	throw new Error('The example ended before it listened.');
}

/** A port on which nothing listens until `release` is called: it is the local port of an open connection. */
export async function unheardOf(): Promise<{ port: number; release: () => void }> {
	const server = createServer((socket) => socket.resume());
	const client = connect({ host: '127.0.0.1', port: await listeningOn(server) });
	await once(client, 'connect');
	const release = () => {
		client.destroy();
		server.close();
	};
	return { port: client.localPort ?? 0, release };
}

function listeningOn(server: Server): Promise<number> {
	return new Promise((resolve) =>
		server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
	);
}

/** A port that is currently free. */
async function freePort(): Promise<number> {
	const server = createServer();
	const port = await listeningOn(server);
	await new Promise((resolve) => server.close(resolve));
	return port;
}

/** The structured result of a test server's tool. */
export function shown(result: unknown): Wire {
	return (result as Wire).structuredContent;
}
