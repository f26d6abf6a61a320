import * as vscode from 'vscode';
import { isEntered } from '../config/inputs.ts';
import { pendingOf } from '../elicitation/pending.ts';
import type { Registry } from '../elicitation/registry.ts';
import type { TraceLog } from '../trace/log.ts';
import { hasEnded, hasOutcome } from './calls/chooseCall.ts';
import type { LazyWaitingCalls } from './calls/lazyWaitingCalls.ts';
import { coalesce } from './common/coalesce.ts';
import { type ContextKey, contextKeys, SECTION } from './common/contributions.ts';
import { canRetry } from './common/descriptions.ts';
import { isRestartable, type Servers } from './servers/servers.ts';

/** Min time between two updates of the context keys (ms). */
const UPDATE_INTERVAL = 100;

/** Keeps the context keys of menus up to date, so that the Command Palette offers only commands that apply. */
export function registerContextKeys(
	servers: Servers,
	registry: Registry,
	trace: TraceLog,
	waiting: LazyWaitingCalls,
): vscode.Disposable {
	const previous = new Map<ContextKey, boolean>();
	let settled = false;
	const update = coalesce(() => {
		const current = {
			...serverKeys(servers),
			settled,
			...elicitationKeys(registry),
			...callKeys(registry, trace),
			waiting: waiting.all.length > 0,
		};
		for (const contextKey of contextKeys) {
			if (current[contextKey] !== (previous.get(contextKey) ?? false)) {
				previous.set(contextKey, current[contextKey]);
				void vscode.commands.executeCommand('setContext', `${SECTION}.${contextKey}`, current[contextKey]);
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
		waiting.onDidChange(update),
	);
}

function serverKeys({ entries }: Servers) {
	const started = entries.filter(({ state }) => state !== 'stopped' && state !== 'failed');
	const definitions = entries.flatMap(({ configured: { definition } }) => definition ?? []);
	return {
		servers: entries.length > 0,
		callable: definitions.length > 0,
		stopped: started.length < entries.length,
		started: started.length > 0,
		restartable: entries.some(isRestartable),
		defined: entries.some(({ configured: { source } }) => source.kind !== 'demo'),
		demoStarted: entries.some(({ configured: { source }, state }) => source.uri === 'demo' && state === 'running'),
		remote: definitions.some(({ type }) => type !== 'stdio'),
		inputs: entries.some(({ configured }) => configured.inputs.some(isEntered)),
	};
}

function elicitationKeys(registry: Registry) {
	const { live, elicitations } = registry;
	const pending = pendingOf(registry);
	return {
		undecided: live.some(({ undecided }) => undecided),
		live: live.length > 0,
		urls: live.some(({ request }) => request.mode === 'url'),
		retryable: live.some(canRetry),
		undelivered: registry.unsent.some(({ delivery }) => delivery?.canSendAgain),
		atRoundLimit: pending.some(({ kind }) => kind === 'roundLimit'),
		heldBack: pending.some(({ kind }) => kind === 'rateLimit'),
		asked: elicitations.length > 0,
		answered: elicitations.some(({ response }) => response !== undefined),
		formAnswered: elicitations.some(
			({ request, response, responder }) =>
				request.mode === 'form' && response !== undefined && response.action !== 'cancel' && responder === undefined,
		),
		urlOpened: elicitations.some(({ consented }) => consented),
	};
}

function callKeys({ calls }: Registry, trace: TraceLog) {
	return {
		calling: calls.some(({ state }) => state === 'running'),
		called: calls.some(hasEnded),
		taskCompleted: calls.some(({ task }) => task?.status === 'completed'),
		exportable: calls.some(hasOutcome),
		recorded: calls.length > 0 || trace.length > 0,
	};
}
