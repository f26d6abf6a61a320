import { randomBytes } from 'node:crypto';
import {
	type CallToolRequestParams,
	CLIENT_CAPABILITIES_META_KEY,
	type ClientCapabilities,
	createRequestStateCodec,
	type InputResponses,
	isInputRequiredResult,
	type McpServerFactory,
	ProtocolError,
	ProtocolErrorCode,
	type RequestStateCodec,
	Server,
	type ServerContext,
} from '@modelcontextprotocol/server';
import { NamedPages, Pages } from './pages.ts';
import { Round, type RoundState } from './round.ts';
import { TASKS_EXTENSION, Tasks } from './tasks.ts';
import { type DemoTool, longReport, tools } from './tools.ts';

const serverInfo = { name: 'mcp-elicitation-demo', title: 'MCP Elicitation Demo', version: '1.0.0' };

/** How long the user may take for one elicitation (ms). */
const ELICITATION_TIMEOUT = 15 * 60_000;

/** How long one request of a client waits for a page to be finished (ms): less than the minute after which many clients time out. */
const PAGE_TIMEOUT = 40_000;

/**
 * A server that elicits input in both eras. Tools are written once, for the round trips of 2026-07-28: they return
 * `inputRequired(…)` and run again with the responses. In sessions of 2025-11-25 and older, the SDK sends `elicitation/create`
 * requests instead, and runs the tool again itself.
 *
 * `McpServer.registerTool` takes functions of the same kind. This is the lower-level `Server`, because a tool here may refuse a
 * call with a protocol error, and because its schemas are to be sent exactly as they are written.
 *
 * @param pageTimeout how long one request of a client waits for a page to be finished (ms)
 */
export function createDemo(pageTimeout = PAGE_TIMEOUT): McpServerFactory {
	// The client carries the state of a call from round to round and must not be able to change it.
	const states = createRequestStateCodec<RoundState>({ key: randomBytes(32), ttlSeconds: ELICITATION_TIMEOUT / 1000 });
	const demo = { states, tasks: new Tasks(), pageTimeout };
	return ({ era }) => new Connection(era === 'legacy', demo).server;
}

/** What all connections of a demo share. */
interface Demo {
	readonly states: RequestStateCodec<RoundState>;
	readonly tasks: Tasks;
	/** How long one request of a client waits for a page to be finished (ms). */
	readonly pageTimeout: number;
}

/** What a client of one era is connected to: a server, and the pages that it opens. */
class Connection {
	readonly server: Server;
	readonly #pages: Pages;
	/** Pages that outlive the call that opened them. */
	readonly #lastingPages: NamedPages;

	constructor(
		private readonly isSession: boolean,
		private readonly demo: Demo,
	) {
		const capabilities = isSession
			? { tasks: { cancel: {}, requests: { tools: { call: {} } } } }
			: { extensions: { [TASKS_EXTENSION]: {} } };
		const server = new Server(serverInfo, {
			capabilities: { tools: {}, ...capabilities },
			requestState: { verify: demo.states.verify },
			inputRequired: { roundTimeoutMs: ELICITATION_TIMEOUT },
		});
		this.server = server;
		this.#pages = new Pages(({ id }) => {
			// Only sessions know this notification. It fails where the client is gone, which then nobody needs to know.
			const notify = isSession && server.createElicitationCompletionNotifier(id);
			if (notify) notify().catch(() => {});
		});
		this.#lastingPages = new NamedPages(this.#pages);
		server.onclose = () => this.#pages.closeAll();
		server.setRequestHandler('tools/list', () => ({ tools: tools.map(({ definition }) => definition) }));
		server.setRequestHandler('tools/call', ({ params }, ctx) => this.#call(params, ctx));
		demo.tasks.serve(server, isSession, this.#runInBackground(longReport, {}));
	}

	async #call({ name, arguments: args = {}, task }: CallToolRequestParams, { mcpReq }: ServerContext) {
		const state = mcpReq.requestState<RoundState>();
		const tool = toolFor(name, state);
		if (tool.definition.execution && (task !== undefined || declaresTasks(mcpReq.envelope))) {
			return this.demo.tasks.create(this.isSession, this.#runInBackground(tool, args), tool.seconds?.(args));
		}
		const round = new Round(args, {
			state: state ?? firstState(tool),
			responses: mcpReq.inputResponses ?? {},
			signal: mcpReq.signal,
			pages: this.#pages,
			// In a session, the SDK runs the tool again within the same request: nothing is gained by another round.
			pageTimeout: this.isSession ? ELICITATION_TIMEOUT : this.demo.pageTimeout,
			session: this.isSession
				? { elicitation: this.server.getClientCapabilities()?.elicitation, pages: this.#lastingPages }
				: undefined,
			mint: this.demo.states.mint,
		});
		// A call that is cancelled while the SDK waits for a response does not come back here.
		mcpReq.signal.addEventListener('abort', () => round.pages.closeAll());
		let isOver = true;
		try {
			const result = await tool.run(round);
			isOver = !isInputRequiredResult(result);
			return result;
		} finally {
			if (isOver) round.pages.closeAll();
		}
	}

	#runInBackground(tool: DemoTool, args: Readonly<Record<string, unknown>>) {
		return (responses: InputResponses) =>
			tool.run(
				new Round(args, {
					state: firstState(tool),
					responses,
					signal: new AbortController().signal,
					pages: this.#pages,
					pageTimeout: this.demo.pageTimeout,
					session: undefined,
					mint: this.demo.states.mint,
				}),
			);
	}
}

function firstState({ definition }: DemoTool): RoundState {
	return { tool: definition.name, responses: {}, pages: {} };
}

function toolFor(name: string, state: RoundState | undefined): DemoTool {
	const tool = tools.find(({ definition }) => definition.name === name);
	if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
	if (state === undefined || state.tool === name) return tool;
	throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'requestState belongs to another call');
}

/** True if a client of 2026-07-28 can follow a task. */
function declaresTasks(envelope: object | undefined): boolean {
	const { [CLIENT_CAPABILITIES_META_KEY]: capabilities } = (envelope ?? {}) as Record<string, ClientCapabilities>;
	return capabilities?.extensions?.[TASKS_EXTENSION] !== undefined;
}
