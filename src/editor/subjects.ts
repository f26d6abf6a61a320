import * as vscode from 'vscode';
import { Call } from '../elicitation/call.ts';
import { native } from '../elicitation/display.ts';
import { Elicitation } from '../elicitation/elicitation.ts';
import { own } from '../elicitation/json.ts';
import { textOf } from '../elicitation/jsonText.ts';
import { pendingOf } from '../elicitation/pending.ts';
import type { Registry } from '../elicitation/registry.ts';
import { render } from '../elicitation/sentence.ts';
import { recordingOf } from '../trace/timeline.ts';
import type { WaitingCalls } from './calls/waitingCalls.ts';
import type { Kind, Kinds } from './common/commands.ts';
import type { Subjects } from './common/commandTable.ts';
import { fullId } from './common/contributions.ts';
import { ago, callStateText, stateText } from './common/descriptions.ts';
import { localize, localizeNative } from './common/localize.ts';
import { notify } from './common/notifications.ts';
import { tellSettled } from './common/presence.ts';
import { countUndecided, listItem } from './elicitations/pending/pendingEntry.ts';
import type { Servers } from './servers/servers.ts';

/** All that commands act on. */
export function subjectKinds(servers: Servers, registry: Registry, waiting: WaitingCalls): Kinds {
	return {
		server: serverKind(servers),
		call: callKind(registry),
		elicitation: elicitationKind(registry),
		roundLimit: {
			placeHolder: localize('Choose a call'),
			all: () => pendingOf(registry).flatMap((each) => (each.kind === 'roundLimit' ? [each.roundLimit] : [])),
			named: (argument) => present(memberOf(argument, 'roundLimit') as Subjects['roundLimit'] | undefined),
			item: (roundLimit) => listItem({ kind: 'roundLimit', call: roundLimit.call, roundLimit }),
		},
		heldBack: askingKind(
			() => heldBack(registry),
			(count) => localizeNative('rate limit: {0} held back', count),
		),
		asking: askingKind(
			() => countUndecided(registry),
			(count) => localizeNative('{0} pending', count),
		),
		waiting: {
			placeHolder: localize('Choose a call'),
			all: () => waiting.all,
			named: (argument) => waiting.all.filter((call) => call === memberOf(argument, 'waiting')),
			item: (waiting) => listItem({ kind: 'waiting', waiting }),
		},
	};
}

function serverKind(servers: Servers): Kind<Subjects['server']> {
	return {
		placeHolder: localize('Choose a server'),
		get settled() {
			return servers.settled;
		},
		all: () => servers.entries,
		named: (argument) =>
			present(servers.get(typeof argument === 'string' ? argument : textOf(own(argument, 'server')))),
		item: ({ configured, state }) => ({
			label: native(configured.name),
			description: native(stateText(state)),
		}),
		offer: offerServers,
	};
}

/** Explains how to add a server if there is none. */
async function offerServers(): Promise<void> {
	const [demo, add] = [localize('Try the Demo Server'), localize('Add a Server')];
	const text = localizeNative('No MCP server is configured yet.');
	const chosen = await notify('information', text, ...(vscode.workspace.isTrusted ? [demo] : []), add);
	if (chosen !== undefined) {
		await vscode.commands.executeCommand(fullId(chosen === demo ? 'startDemo' : 'addServer'));
	}
}

/** The timeline, and the tab of a result, keep calls and elicitations for longer than the registry. */
function callKind(registry: Registry): Kind<Call> {
	return {
		placeHolder: localize('Choose a call'),
		all: () => registry.calls.toReversed(),
		named: (argument) => {
			const named = memberOf(argument, 'call') ?? argument;
			const elicitation = memberOf(argument, 'elicitation');
			if (named instanceof Call) {
				return [named];
			}
			return elicitation instanceof Elicitation
				? elicitation.origin.calls
				: (recordingOf(argument)?.registry ?? registry).calls.filter(({ id }) => id === named);
		},
		item: (call) => ({
			label: native(call.name, 100),
			description: native([call.server, callStateText(call), ago(call.startedAt)].join(' · '), 200),
			...(call.trial && { detail: native(render(call.trial, localize), 200) }),
		}),
	};
}

function elicitationKind(registry: Registry): Kind<Elicitation> {
	const all = () => [...new Set([...registry.elicitations, ...registry.unsent])].toReversed();
	return {
		placeHolder: localize('Choose an elicitation'),
		all,
		named: (argument) => {
			const named = memberOf(argument, 'elicitation') ?? argument;
			const recorded = recordingOf(argument)?.registry.elicitations;
			return named instanceof Elicitation ? [named] : present((recorded ?? all()).find(({ id }) => id === named));
		},
		item: (elicitation) => listItem({ kind: 'elicitation', elicitation }),
		explain: (elicitation) => {
			if (!elicitation.live) {
				tellSettled(elicitation);
			}
			return !elicitation.live;
		},
	};
}

/** Servers that ask, with the number of their requests. */
function askingKind(
	counts: () => ReadonlyMap<string, number>,
	text: (count: number) => ReturnType<typeof localizeNative>,
): Kind<string> {
	return {
		placeHolder: localize('Choose a server'),
		all: () => [...counts().keys()],
		named: (argument) => {
			const elicitation = memberOf(argument, 'elicitation');
			const call = memberOf(argument, 'call');
			const server =
				elicitation instanceof Elicitation
					? elicitation.origin.server
					: call instanceof Call
						? call.server
						: (own(argument, 'server') ?? argument);
			return [...counts().keys()].filter((each) => each === server);
		},
		item: (server) => ({ label: native(server, 80), description: text(counts().get(server) ?? 0) }),
	};
}

function heldBack(registry: Registry): ReadonlyMap<string, number> {
	return new Map(
		pendingOf(registry).flatMap((each) => (each.kind === 'rateLimit' ? [[each.server, each.heldRequests.held]] : [])),
	);
}

function memberOf(argument: unknown, name: string): unknown {
	return typeof argument === 'object' && argument !== null && Object.hasOwn(argument, name)
		? (argument as Record<string, unknown>)[name]
		: undefined;
}

function present<T>(value: T | undefined): T[] {
	return value === undefined ? [] : [value];
}
