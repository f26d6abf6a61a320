import { randomBytes, webcrypto } from 'node:crypto';
import {
	type CallToolResult,
	createRequestStateCodec,
	type InputRequiredResult,
	ProtocolError,
	ProtocolErrorCode,
	type RequestStateCodec,
	Server,
	type ServerContext,
} from '@modelcontextprotocol/server';
import type { LastingPages, Visit } from './dialogue.ts';
import { type Page, Pages } from './pages.ts';
import { push } from './push.ts';
import { playRound, type RoundState } from './rounds.ts';
import { type DemoTool, tools } from './tools.ts';
import { failure } from './words.ts';

// The SDK signs with the global that Node 18 has only under another name.
globalThis.crypto ??= webcrypto as Crypto;

/** Well below the minute after which many clients give a call up. */
const PATIENCE = 40_000;

/** What the calls of one connection share. */
interface Connection {
	readonly server: Server;
	readonly pages: Pages;
	readonly lasting: LastingPages;
	readonly codec: RequestStateCodec<RoundState>;
	readonly patience: number;
}

/** The demo for one connection of one era. */
export function createDemo(era: 'legacy' | 'modern', patience = PATIENCE): Server {
	const codec = createRequestStateCodec<RoundState>({ key: randomBytes(32), ttlSeconds: 900 });
	// The low-level server: it lists schemas as they are written and needs no schema library.
	const server = new Server(
		{ name: 'mcp-elicitation-demo', title: 'MCP Elicitation Demo', version: '1.0.0' },
		{ capabilities: { tools: {} }, requestState: { verify: codec.verify } },
	);
	const pages = new Pages((page) => {
		if (era === 'modern') return;
		const params = { elicitationId: page.id };
		// A client that is gone needs no notice.
		server.notification({ method: 'notifications/elicitation/complete', params }).catch(() => {});
	});
	server.onclose = () => pages.closeAll();
	const connection: Connection = { server, pages, lasting: lastingPages(pages), codec, patience };
	const call = era === 'modern' ? callInRounds : callByPush;

	server.setRequestHandler('tools/list', () => ({ tools: tools.map((tool) => tool.definition) }));
	server.setRequestHandler('tools/call', async (request, ctx) => {
		const { name, arguments: args = {} } = request.params;
		const tool = tools.find(({ definition }) => definition.name === name);
		if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
		return call(connection, tool, args, ctx);
	});
	return server;
}

async function callByPush(
	{ server, pages, lasting }: Connection,
	tool: DemoTool,
	args: Visit['arguments'],
	{ mcpReq }: ServerContext,
): Promise<CallToolResult> {
	const opened: Page[] = [];
	const page = async (_name: string, title: string) => {
		const fresh = await pages.open(title);
		opened.push(fresh);
		return fresh;
	};
	const client = server.getClientCapabilities();
	try {
		const dialogue = tool.run({ arguments: args, page, ...(client?.elicitation?.url && { lasting }) });
		return await push(dialogue, client, mcpReq.send, mcpReq.signal);
	} catch (error) {
		if (error instanceof ProtocolError && error.code === ProtocolErrorCode.UrlElicitationRequired) throw error;
		return failure(`The question could not be asked: ${error instanceof Error ? error.message : String(error)}`);
	} finally {
		for (const each of opened) pages.close(each);
	}
}

async function callInRounds(
	{ pages, codec, patience }: Connection,
	tool: DemoTool,
	args: Visit['arguments'],
	{ mcpReq }: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
	const { name } = tool.definition;
	const state = mcpReq.requestState<RoundState>() ?? { tool: name, answers: {}, pages: {} };
	if (state.tool !== name) {
		throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'requestState belongs to another call');
	}
	const opened: Record<string, string> = { ...state.pages };
	const page = async (key: string, title: string) => {
		const known = pages.find(opened[key]) ?? (await pages.open(title));
		opened[key] = known.id;
		return known;
	};
	const result = await playRound(tool.run({ arguments: args, page }), {
		state: { ...state, pages: opened },
		responses: mcpReq.inputResponses ?? {},
		patience,
		signal: mcpReq.signal,
		mint: codec.mint,
	});
	if (result.resultType !== 'input_required' || mcpReq.signal.aborted) closeAll(pages, opened);
	return result;
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
