import type { Answers, LastingPages, Result, Visit } from './dialogue.ts';
import { type Page, Pages } from './pages.ts';
import { push } from './push.ts';
import { RequestStates } from './requestState.ts';
import { playRound, type RoundState } from './rounds.ts';
import { ErrorCode, isObject, Rpc, RpcError, type Wire } from './rpc.ts';
import { type DemoTool, tools } from './tools.ts';
import { failure } from './words.ts';

/** Revisions with a handshake, the newest first. */
const SESSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];
/** The revision whose every request says for itself what it is about, and the names under which it does. */
const ROUNDS = '2026-07-28';
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

const serverInfo = { name: 'mcp-elicitation-demo', title: 'MCP Elicitation Demo', version: '1.0.0' };
const capabilities = { tools: {} };
const list = { tools: tools.map((tool) => tool.definition) };

/** Well below the minute after which many clients give a call up (milliseconds). */
const PATIENCE = 40_000;

/** The demo for one client, in whichever revision each of its requests is written. */
export class Demo {
	readonly #rpc: Rpc;
	readonly #states = new RequestStates<RoundState>();
	readonly #patience: number;
	/** Of calls in sessions: only their clients know completion notices. */
	readonly #sessionPages = new Pages(({ id }) =>
		this.#rpc.notify('notifications/elicitation/complete', { elicitationId: id }),
	);
	readonly #roundPages = new Pages(() => {});
	readonly #lasting = lastingPages(this.#sessionPages);
	/** What the client of a session has said that it can do. */
	#client: Wire = {};

	/** @param patience how long a round waits for a page that was opened (milliseconds) */
	constructor(write: (message: Wire) => void, patience = PATIENCE) {
		this.#patience = patience;
		this.#rpc = new Rpc(write, (method, params, signal) => {
			const meta = isObject(params._meta) ? params._meta : {};
			return VERSION in meta
				? this.#serveRound(method, params, meta, signal)
				: this.#serveSession(method, params, signal);
		});
	}

	/** Takes one message of the client. */
	receive(message: unknown): void {
		this.#rpc.receive(message);
	}

	/** The client is gone: no page and no call is left. */
	close(): void {
		this.#rpc.close();
		this.#sessionPages.closeAll();
		this.#roundPages.closeAll();
	}

	async #serveSession(method: string, params: Wire, signal: AbortSignal): Promise<object> {
		switch (method) {
			case 'initialize': {
				const { protocolVersion, capabilities: client } = params;
				this.#client = isObject(client) ? client : {};
				const known = SESSIONS.find((version) => version === protocolVersion);
				return { protocolVersion: known ?? SESSIONS[0], capabilities, serverInfo };
			}
			case 'ping':
				return {};
			case 'tools/list':
				return list;
			case 'tools/call':
				return this.#callByPush(params, signal);
			default:
				throw new RpcError(ErrorCode.methodNotFound, `Method not found: ${method}`);
		}
	}

	async #serveRound(method: string, params: Wire, meta: Wire, signal: AbortSignal): Promise<object> {
		if (meta[VERSION] !== ROUNDS) {
			const data = { supported: [ROUNDS], requested: meta[VERSION] };
			throw new RpcError(ErrorCode.unsupportedProtocolVersion, `Unsupported protocol version: ${meta[VERSION]}`, data);
		}
		const client = meta[CLIENT_CAPABILITIES];
		if (!isObject(client)) {
			throw new RpcError(ErrorCode.invalidParams, `Invalid _meta envelope: ${CLIENT_CAPABILITIES} is no object`);
		}
		const result = await this.#resultOfRound(method, params, client, signal);
		return { resultType: 'complete', ...result, _meta: { [SERVER_INFO]: serverInfo } };
	}

	async #resultOfRound(method: string, params: Wire, client: Wire, signal: AbortSignal): Promise<object> {
		const cache = { ttlMs: 0, cacheScope: 'private' };
		switch (method) {
			case 'server/discover':
				return { supportedVersions: [ROUNDS], capabilities, ...cache };
			case 'tools/list':
				return { ...list, ...cache };
			case 'tools/call':
				return this.#callInRounds(params, client, signal);
			default:
				throw new RpcError(ErrorCode.methodNotFound, `Method not found: ${method}`);
		}
	}

	async #callByPush(params: Wire, signal: AbortSignal): Promise<Result> {
		const { tool, args } = requested(params);
		const opened: Page[] = [];
		const page = async (_name: string, title: string) => {
			const fresh = await this.#sessionPages.open(title);
			opened.push(fresh);
			return fresh;
		};
		const { elicitation } = this.#client;
		const lasting = isObject(elicitation) && elicitation.url !== undefined && { lasting: this.#lasting };
		try {
			return await push(tool.run({ arguments: args, page, ...lasting }), elicitation, this.#rpc, signal);
		} catch (error) {
			if (error instanceof RpcError && error.code === ErrorCode.urlElicitationRequired) throw error;
			return failure(`The question could not be asked: ${error instanceof Error ? error.message : String(error)}`);
		} finally {
			for (const each of opened) this.#sessionPages.close(each);
		}
	}

	async #callInRounds(params: Wire, client: Wire, signal: AbortSignal): Promise<object> {
		const { tool, args } = requested(params);
		const { name } = tool.definition;
		const { requestState, inputResponses } = params;
		const state: RoundState =
			requestState === undefined ? { tool: name, answers: {}, pages: {} } : this.#states.read(requestState);
		if (state.tool !== name) {
			throw new RpcError(ErrorCode.invalidParams, 'requestState belongs to another call');
		}
		const pages = this.#roundPages;
		const opened: Record<string, string> = { ...state.pages };
		const page = async (key: string, title: string) => {
			const known = pages.find(opened[key]) ?? (await pages.open(title));
			opened[key] = known.id;
			return known;
		};
		const result = await playRound(tool.run({ arguments: args, page }), {
			state: { ...state, pages: opened },
			responses: (isObject(inputResponses) ? inputResponses : {}) as Answers,
			elicitation: client.elicitation,
			patience: this.#patience,
			signal,
			mint: (next) => this.#states.mint(next),
		});
		if (!('inputRequests' in result) || signal.aborted) closeAll(pages, opened);
		return result;
	}
}

function requested(params: Wire): { readonly tool: DemoTool; readonly args: Visit['arguments'] } {
	const { name, arguments: args = {} } = params;
	const tool = tools.find(({ definition }) => definition.name === name);
	if (tool === undefined) throw new RpcError(ErrorCode.invalidParams, `Unknown tool: ${name}`);
	if (!isObject(args)) throw new RpcError(ErrorCode.invalidParams, '"arguments" is no object');
	return { tool, args };
}

function closeAll(pages: Pages, ids: Readonly<Record<string, string>>): void {
	for (const id of Object.values(ids)) {
		const page = pages.find(id);
		if (page !== undefined) pages.close(page);
	}
}

function lastingPages(pages: Pages): LastingPages {
	const held = new Map<string, Page>();
	return {
		async page(name, title) {
			const known = pages.find(held.get(name)?.id) ?? (await pages.open(title));
			held.set(name, known);
			return known;
		},
		release() {
			for (const page of held.values()) pages.close(page);
			held.clear();
		},
	};
}
