import * as vscode from 'vscode';
import type { Registry } from '../elicitation/registry.ts';
import type { TraceLog } from '../trace/log.ts';
import type { Commands } from './common/commands.ts';
import { COMMANDS, type Command, type CommandId } from './common/commandTable.ts';
import { type ContextKey, SECTION } from './common/contributions.ts';
import { coalesce } from './common/scheduling.ts';
import { isCallable } from './common/serverEntry.ts';
import type { Servers } from './servers/servers.ts';

/** Min time between two updates of the context keys (ms). */
const UPDATE_INTERVAL = 100;

/** Keeps the context keys of menus up to date, so that the Command Palette offers only commands that apply. */
export function registerContextKeys(
	servers: Servers,
	registry: Registry,
	trace: TraceLog,
	commands: Commands,
): vscode.Disposable {
	const previous = new Map<string, boolean>();
	let settled = false;
	const update = coalesce(() => {
		const current: Record<string, boolean> = {
			...currentKeys(servers, registry, trace),
			settled,
			...Object.fromEntries(CONDITIONAL.map((id) => [id, commands.canRun(id)])),
		};
		for (const [contextKey, value] of Object.entries(current)) {
			if (value !== (previous.get(contextKey) ?? false)) {
				previous.set(contextKey, value);
				void vscode.commands.executeCommand('setContext', `${SECTION}.${contextKey}`, value);
			}
		}
	}, UPDATE_INTERVAL);
	void servers.settled.then(() => {
		settled = true;
		update();
	});
	return vscode.Disposable.from(
		update,
		servers.onDidChange(update),
		registry.onDidAdd(update),
		registry.onDidChange(update),
		registry.onDidChangeDelivery(update),
		registry.onDidChangeCalls(update),
		trace.onDidAdd(update),
		trace.onDidClear(update),
	);
}

/** What else conditions read. */
function currentKeys(
	{ entries }: Servers,
	{ calls, elicitations }: Registry,
	trace: TraceLog,
): Record<ContextKey, boolean> {
	return {
		callable: entries.some(isCallable),
		recorded: calls.length > 0 || trace.length > 0,
		demoStarted: entries.some(({ configured: { source }, state }) => source.uri === 'demo' && state === 'running'),
		defined: entries.some(({ configured: { source } }) => source.kind !== 'demo'),
		formAnswered: elicitations.some(
			({ request, response, responder }) =>
				request.mode === 'form' && response !== undefined && response.action !== 'cancel' && responder === undefined,
		),
		urlOpened: elicitations.some(({ consented }) => consented),
		taskCompleted: calls.some(({ task }) => task?.status === 'completed'),
		// After `defined`, because views welcome those who have no server.
		settled: false,
	};
}

/** The commands that the palette lists only while they apply to something. */
const CONDITIONAL = (Object.entries(COMMANDS) as [CommandId, Command][]).flatMap(([id, { palette }]) =>
	palette === true || palette?.startsWith('|| ') ? [id] : [],
);
