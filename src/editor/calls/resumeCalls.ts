import type { WaitingCall } from '../../elicitation/checkpoint.ts';
import type { NativeText } from '../../elicitation/display.ts';
import type { JsonObject } from '../../elicitation/json.ts';
import { localize, localizeNative } from '../common/localize.ts';
import { notify, showError } from '../common/notifications.ts';
import { gone, Presence } from '../common/presence.ts';
import type { Servers } from '../servers/servers.ts';
import { receivingServer } from './changedServer.ts';
import type { KeptCall, WaitingCalls } from './waitingCalls.ts';

/** What is done with calls that wait for the user. */
export interface ResumeContext {
	readonly servers: Servers;
	readonly waiting: WaitingCalls;
	/** Lists the demo server again, if that is its name: no settings define it. */
	addDemoNamed(server: string): Promise<void>;
	/**
	 * Goes on with a call and shows its outcome.
	 * @param identity the only server that it may go to (`Servers.identityOf`)
	 */
	resume(call: WaitingCall & KeptCall, identity: string): Promise<JsonObject | undefined>;
}

/** Max number of calls that a notification names. */
const MAX_NAMES = 3;

/** Tells the user about calls that were interrupted, until none of them waits any more. */
export async function announce(context: ResumeContext, calls: readonly WaitingCall[]): Promise<void> {
	for (const call of calls.filter(({ at }) => at === 'sent')) {
		await giveUp(
			context,
			call,
			localizeNative(
				'{0}: The window closed before the server confirmed your response to "{1}", so it may not have arrived. Check the log of the server, then call it again if necessary.',
				call.server,
				call.name,
			),
		);
	}
	const left = calls.filter(({ at }) => at !== 'sent');
	if (left.length === 0) {
		return;
	}
	const names = left.slice(0, MAX_NAMES).map(({ server, name }) => localize('"{0}" on {1}', name, server));
	const [resume, discard] =
		left.length > 1 ? [localize('Resume All'), localize('Discard All')] : [localize('Resume'), localize('Discard')];
	const all = [...names, ...(left.length > MAX_NAMES ? ['…'] : [])].join(', ');
	const each = (act: typeof resumeCall) => Promise.all(left.map((call) => act(context, call).catch(showError)));
	const { waiting } = context;
	const presence = new Presence(gone(() => left.some((call) => waiting.all.includes(call)), waiting.onDidChange));
	presence.notify(
		left.length > 1
			? localizeNative('{0} calls are waiting for you: {1}', left.length, all)
			: localizeNative('1 call is waiting for you: {0}', all),
		{ title: resume, run: () => each(resumeCall) },
		{ title: discard, run: () => each(discardCall) },
	);
}

/** Goes on with a call, after consent if the definition of its server has changed. */
export async function resumeCall(context: ResumeContext, call: WaitingCall): Promise<void> {
	// Resume stands in several places; chosen twice, it would send the responses twice.
	const claimed = context.waiting.claim(call);
	try {
		await (claimed && resumeClaimed(context, call));
	} finally {
		claimed?.dispose();
	}
}

async function resumeClaimed(context: ResumeContext, call: WaitingCall): Promise<void> {
	const { servers, waiting } = context;
	await servers.settled;
	if (!servers.get(call.server)) {
		await context.addDemoNamed(call.server);
	}
	const identity = await receivingServer({ ...call, identity: call.definition }, servers);
	if (identity === undefined) {
		return;
	}
	const kept = await waiting.read(call);
	if (!kept) {
		return giveUp(
			context,
			call,
			localizeNative('{0}: What is needed to resume "{1}" is no longer stored. Call it again.', call.server, call.name),
		);
	}
	if (await waiting.isSent(kept)) {
		return giveUp(
			context,
			call,
			localizeNative(
				'{0}: Your response to "{1}" was already sent, from another window or before this one closed. Check the log of the server before you call it again.',
				call.server,
				call.name,
			),
		);
	}
	await context.resume({ ...call, ...kept }, identity);
}

/** Forgets a call that cannot be resumed, and tells why. */
async function giveUp({ waiting }: ResumeContext, call: WaitingCall, why: NativeText): Promise<void> {
	await waiting.remove(call);
	void notify('warning', why);
}

/** Forgets a call that waits. Its task is cancelled if its server is running. */
export async function discardCall({ servers, waiting }: ResumeContext, call: WaitingCall): Promise<void> {
	// The notification stays when the call is resumed elsewhere, and must not end it then.
	if (!waiting.all.includes(call)) {
		return;
	}
	await waiting.remove(call);
	if (typeof call.at === 'object' && servers.identityOf(call.server) === call.definition) {
		servers.get(call.server)?.connection?.cancelTask(call.at.taskId);
	}
}
