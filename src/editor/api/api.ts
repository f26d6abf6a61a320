import * as vscode from 'vscode';
import type * as api from '../../api.ts';
import { isObject, type JsonObject, jsonCopy } from '../../elicitation/json.ts';
import type { Registry } from '../../elicitation/registry.ts';
import type { CallOptions } from '../../mcp/index.ts';
import { localize } from '../common/localize.ts';
import { coalesce } from '../common/scheduling.ts';
import { notAgreed } from '../servers/serverError.ts';
import type { Servers } from '../servers/servers.ts';
import { elicitationInfo, frozenCopy, isInApi, serverInfo, settledElicitation } from './snapshots.ts';

/** Min time between two change events (ms). */
const EVENT_INTERVAL = 20;

export interface ApiContext {
	readonly registry: Registry;
	readonly servers: Servers;
	/** Rejects with an error that can be shown to the user. */
	readonly callTool: (server: string, tool: string, args: JsonObject, options: CallOptions) => Promise<JsonObject>;
	readonly addAnswerer: (answerer: api.Answerer) => vscode.Disposable;
}

/** Creates the API that `activate` returns to other extensions, and its events. */
export function createApi({ registry, servers, callTool, addAnswerer }: ApiContext): {
	readonly api: api.McpElicitationApi;
	readonly events: vscode.Disposable;
} {
	const serversChanged = new vscode.EventEmitter<void>();
	const pendingChanged = new vscode.EventEmitter<void>();
	const settled = new vscode.EventEmitter<api.SettledElicitation>();
	const fireServers = coalesce(() => serversChanged.fire(), EVENT_INTERVAL);
	const firePending = coalesce(() => pendingChanged.fire(), EVENT_INTERVAL);
	const events = vscode.Disposable.from(
		serversChanged,
		pendingChanged,
		settled,
		fireServers,
		firePending,
		servers.onDidChange(fireServers),
		registry.onDidAdd(firePending),
		registry.onDidChangeDelivery(firePending),
		registry.onDidChange(({ elicitation }) => {
			firePending();
			if (!elicitation.live && isInApi(elicitation)) {
				settled.fire(settledElicitation(elicitation));
			}
		}),
	);
	const own = Object.freeze({
		apiVersion: 1,
		get servers() {
			return Object.freeze(servers.entries.filter(({ temporaryFor }) => temporaryFor === undefined).map(serverInfo));
		},
		get pending() {
			const unsent = registry.unsent.filter(({ live }) => !live);
			return Object.freeze([...unsent, ...registry.live].filter(isInApi).map(elicitationInfo));
		},
		onDidChangeServers: serversChanged.event,
		onDidChangePending: pendingChanged.event,
		onDidSettleElicitation: settled.event,
		startServer: async (name) => {
			const connection = await servers.start(name);
			const entry = servers.get(name);
			if (!connection || !entry) {
				throw notAgreed(name);
			}
			return serverInfo(entry);
		},
		callTool: async (server, tool, args = {}, { signal, onProgress } = {}) => {
			const copy = frozenCopy(jsonCopy(args));
			if (!isObject(copy)) {
				throw new TypeError(localize('The arguments of a tool are an object.'));
			}
			const result = await callTool(server, tool, copy, {
				...(signal && { signal }),
				...(onProgress && {
					onProgress: ({ progress, total, message }) =>
						onProgress(
							Object.freeze({
								progress,
								...(total !== undefined && { total }),
								...(message !== undefined && { message }),
							}),
						),
				}),
			});
			const content = Array.isArray(result['content']) ? result['content'] : [];
			return frozenCopy({ ...result, content }) as unknown as api.CallToolResult;
		},
		registerAnswerer: (answerer) => {
			if (!vscode.extensions.getExtension(answerer.id)) {
				throw new TypeError(localize('There is no extension "{0}".', answerer.id));
			}
			if (typeof answerer.answer !== 'function') {
				throw new TypeError(localize('An answerer must have a function "answer".'));
			}
			return addAnswerer(answerer);
		},
	} satisfies api.McpElicitationApi);
	return { api: own, events };
}
