import { randomBytes } from 'node:crypto';
import {
	CLIENT_CAPABILITIES_META_KEY,
	type ClientCapabilities,
	createRequestStateCodec,
	type InputResponses,
	isInputRequiredResult,
	type McpServerFactory,
	ProtocolError,
	ProtocolErrorCode,
	Server,
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

	const tasks = new Tasks();

	return ({ era }) => {
		const capabilities =
			era === 'legacy'
				? { tasks: { cancel: {}, requests: { tools: { call: {} } } } }
				: { extensions: { [TASKS_EXTENSION]: {} } };
		const server = new Server(serverInfo, {
			capabilities: { tools: {}, ...capabilities },
			requestState: { verify: states.verify },
			inputRequired: { roundTimeoutMs: ELICITATION_TIMEOUT },
		});
		const isSession = era === 'legacy';
		const pages = new Pages(({ id }) => {
			// Only sessions know this notification. It fails where the client is gone, which then nobody needs to know.
			const notify = isSession && server.createElicitationCompletionNotifier(id);
			if (notify) notify().catch(() => {});
		});
		const connectionPages = new NamedPages(pages);
		server.onclose = () => pages.closeAll();

		server.setRequestHandler('tools/list', () => ({ tools: tools.map(({ definition }) => definition) }));

		const runInBackground = (tool: DemoTool, args: Readonly<Record<string, unknown>>) => (responses: InputResponses) =>
			tool.run(
				new Round(args, {
					state: { tool: tool.definition.name, responses: {}, pages: {} },
					responses,
					signal: new AbortController().signal,
					pages,
					pageTimeout,
					session: undefined,
					mint: states.mint,
				}),
			);

		tasks.serve(server, isSession, runInBackground(longReport, {}));

		server.setRequestHandler('tools/call', async ({ params }, ctx) => {
			const state = ctx.mcpReq.requestState<RoundState>();
			const tool = toolFor(params.name, state);
			const first = { tool: params.name, responses: {}, pages: {} };
			const declared = declaresTasks(ctx.mcpReq.envelope);
			if (tool.definition.execution && (declared || params.task !== undefined)) {
				const args = params.arguments ?? {};
				return tasks.create(isSession, runInBackground(tool, args), tool.seconds?.(args));
			}
			const round = new Round(params.arguments ?? {}, {
				state: state ?? first,
				responses: ctx.mcpReq.inputResponses ?? {},
				signal: ctx.mcpReq.signal,
				pages,
				// In a session, the SDK runs the tool again within the same request: nothing is gained by another round.
				pageTimeout: isSession ? ELICITATION_TIMEOUT : pageTimeout,
				session: isSession
					? { elicitation: server.getClientCapabilities()?.elicitation, pages: connectionPages }
					: undefined,
				mint: states.mint,
			});
			// A call that is canceled while the SDK waits for a response does not come back here.
			ctx.mcpReq.signal.addEventListener('abort', () => round.pages.closeAll());
			let isOver = true;
			try {
				const result = await tool.run(round);
				isOver = !isInputRequiredResult(result);
				return result;
			} finally {
				if (isOver) round.pages.closeAll();
			}
		});
		return server;
	};
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
