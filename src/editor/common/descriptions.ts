import type { ConfigProblem } from '../../config/problem.ts';
import { ageOf } from '../../elicitation/age.ts';
import type { Call, Series } from '../../elicitation/call.ts';
import { durationText } from '../../elicitation/duration.ts';
import type { Elicitation, ElicitationGroup, Step } from '../../elicitation/elicitation.ts';
import { countDone, groupPosition } from '../../elicitation/group.ts';
import { keyOf } from '../../elicitation/json.ts';
import type { HeldRequests, Registry } from '../../elicitation/registry.ts';
import type { UrlRequest } from '../../elicitation/request.ts';
import type { ResponderInfo } from '../../elicitation/responderInfo.ts';
import { render } from '../../elicitation/sentence.ts';
import type { ServerState } from '../../mcp/index.ts';
import type { ShownCall } from '../../protocol.ts';
import { localize } from './localize.ts';

/** How long ago something was, in words. */
export function ago(then: number): string {
	return render(ageOf(then, Date.now()), localize);
}

/** What a tool, prompt or resource is called in lists: a server may send a title, or even a name, that is blank. Server text. */
export function featureName({ name, title }: { readonly name: string; readonly title?: string | undefined }): string {
	return [title, name].find((text) => text?.trim()) ?? localize('(no name)');
}

/** What a server says of a feature, unless that is only its name again. Server text. */
export function featureDescription(feature: {
	readonly name: string;
	readonly title?: string | undefined;
	readonly description?: string | undefined;
}): string {
	const { name, title = '', description = '' } = feature;
	const words = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
	return [name, title].some((known) => words(known) === words(description)) ? '' : description;
}

/** Name of the call that caused an elicitation, or of the candidates if the protocol does not say. Server text. */
export function causeOf(elicitation: Elicitation): string {
	const calls = causesOf(elicitation);
	const [call, ...others] = calls;
	if (!call) {
		return localize('requested by the server itself');
	}
	if (others.length > 0) {
		return localize('requested by one of {0}', calls.map(({ name }) => name).join(', '));
	}
	return [askedBy(call), ...(call.via === undefined ? [] : [call.via])].join(', ');
}

/** The calls that may have caused an elicitation, as shown in a webview. Calls of the same tool are shown as one. */
export function causesOf({ origin: { calls } }: Elicitation): readonly ShownCall[] {
	if (calls.length <= 1) {
		return calls.map(shownCall);
	}
	const distinct = new Map(calls.map(({ kind, name }) => [keyOf(kind, name), { kind, name }]));
	return [...distinct.values()];
}

function askedBy({ kind, name }: ShownCall): string {
	switch (kind) {
		case 'tool':
			return localize('requested by tool {0}', name);
		case 'prompt':
			return localize('requested by prompt {0}', name);
		case 'resource':
			return localize('requested by resource {0}', name);
	}
}

/** A call as shown in a webview. */
export function shownCall(call: Call): ShownCall {
	const { kind, name } = call;
	const [via] = viaOf(call);
	return { kind, name, ...(via !== undefined && { via }) };
}

/** State of an elicitation, and which auto-responder settled it, if any. */
export function stateOf(elicitation: Elicitation): string {
	const { consulted, responder, schemaViolation, cause } = elicitation;
	if (consulted) {
		return consulted.plan
			? render(consulted.plan, localize)
			: localize('waiting for its response, {0}', responderText(consulted, cause));
	}
	const state = bareStateOf(elicitation);
	const answered = responder ? localize('{0}, {1}', state, responderText(responder, cause)) : state;
	return deliveryOf(elicitation, schemaViolation ? localize('{0}, against the schema', answered) : answered);
}

/** The state, followed by problems with the delivery of the response, if any. */
function deliveryOf({ delivery }: Elicitation, state: string): string {
	if (!delivery?.problem) {
		return state;
	}
	return delivery.state === 'sending'
		? localize('{0}, being sent again', state)
		: localize('{0}, not delivered', state);
}

/**
 * Who gave a response. Contains names of scripts and extensions, which recordings do not have.
 * @param call the call that the elicitation belongs to
 */
export function responderText({ kind, name }: ResponderInfo, call: Call | undefined): string {
	switch (kind) {
		case 'script':
			return name === '' ? localize('by a script') : localize('by a script in {0}', name);
		case 'extension':
			return name === '' ? localize('by an extension') : localize('by extension {0}', name);
		case 'forced':
			return call?.trial ? localize('in the trial "{0}"', render(call.trial, localize)) : localize('forced by you');
	}
}

function bareStateOf(elicitation: Elicitation): string {
	switch (elicitation.state) {
		case 'held':
			return holdText(elicitation);
		case 'asking':
			return elicitation.request.mode === 'url'
				? consentText(elicitation.request)
				: localize('waiting for your response');
		case 'opened':
			return elicitation.consented
				? localize('URL opened, waiting for completion')
				: localize('accepted without opening the URL, waiting for completion');
		case 'declined':
			return declinedText(elicitation);
		case 'cancelled':
			return elicitation.unasked === 'limit' ? localize('cancelled: rate limit') : localize('cancelled');
		case 'withdrawn':
			return leftText(elicitation);
		default:
			return stepText(elicitation.state, elicitation.response);
	}
}

/**
 * Withdrawn, unless it has its response: then its call has ended before the server reported that the URL is completed. A recording may
 * end before either.
 */
function leftText({ response, consented, isUnfinished }: Elicitation): string {
	if (!response) {
		return isUnfinished ? localize('not answered in this recording') : stepText('withdrawn');
	}
	if (isUnfinished) {
		return localize('URL opened; not finished in this recording');
	}
	return consented
		? localize('URL opened; the call ended before it was completed')
		: localize('accepted without opening the URL; the call ended before it was completed');
}

/** What happened to an elicitation, step by step. */
export function stepsOf({
	history,
	response,
	isUnfinished,
}: Elicitation): { readonly text: string; readonly at: number }[] {
	// The end of a recording is no step.
	const steps = isUnfinished ? history.slice(0, -1) : history;
	return steps.map(({ state, at }) => ({
		text: state === 'withdrawn' && response ? localize('its call ended') : stepText(state, response),
		at,
	}));
}

function consentText({ level }: UrlRequest): string {
	switch (level) {
		case 'alarm':
			return localize('waiting for your consent: suspicious URL');
		case 'warning':
			return localize('waiting for your consent: unusual URL');
		default:
			return localize('waiting for your consent');
	}
}

function stepText(state: Step['state'], response?: Elicitation['response']): string {
	switch (state) {
		case 'held':
			return localize('held back');
		case 'asking':
			return localize('asked');
		case 'accepted':
			return localize('accepted');
		case 'declined':
			return localize('declined');
		case 'cancelled':
			return localize('cancelled');
		case 'opened':
			return localize('URL opened');
		case 'completed':
			return localize('completed');
		case 'retried':
			return localize('retried');
		case 'givenUp':
			return localize('given up');
		case 'failed':
			return response?.action === 'malformed'
				? localize('answered with what is no response')
				: localize('answered with an error');
		case 'withdrawn':
			return localize('withdrawn');
		case 'sending':
			return localize('sent again');
		case 'delivered':
			return localize('delivered');
		case 'undelivered':
			return localize('not delivered');
	}
}

function holdText({ holdReason }: Elicitation): string {
	switch (holdReason) {
		case 'crowd':
			return localize('waiting for its turn');
		case 'repeated':
			return localize('held back: you declined it before');
		default:
			return localize('held back');
	}
}

function declinedText({ unasked }: Elicitation): string {
	switch (unasked) {
		case 'muted':
			return localize('declined: rate limit');
		case 'settings':
			return localize('declined by the settings');
		default:
			return localize('declined');
	}
}

/** Describes a group of elicitations, in full and, below its call, in short. Server text. */
export function groupTexts(
	group: ElicitationGroup,
	entries: readonly Elicitation[],
): { readonly whole: string; readonly progress: string } {
	const { call, round, size } = group;
	const done = countDone(group, entries);
	if (entries.some(({ origin }) => origin.intake === 'urlRequired')) {
		return {
			whole: localize('{0} on {1} requires {2} URLs · {3} of {2} done', call.name, call.server, size, done),
			progress: localize('{0} of {1} URLs done', done, size),
		};
	}
	return round > 1
		? {
				whole: localize(
					'{0} on {1} · round {2}: {3} requests · {4} of {3} answered',
					call.name,
					call.server,
					round,
					size,
					done,
				),
				progress: localize('{0} of {1} answered in round {2}', done, size, round),
			}
		: {
				whole: localize('{0} on {1}: {2} requests · {3} of {2} answered', call.name, call.server, size, done),
				progress: localize('{0} of {1} answered', done, size),
			};
}

/** Position of an elicitation in its group, such as `1 of 3`; undefined if it is alone. */
export function positionInGroup(elicitation: Elicitation, { elicitations }: Registry): string | undefined {
	const found = groupPosition(elicitation, elicitations);
	return found && localize('{0} of {1}', found.place, found.size);
}

/** Describes the requests of a server that are held by the rate limit. */
export function heldText(server: string, { held, cancelled, repeated }: HeldRequests): string {
	if (repeated) {
		return localize('{0} repeats a request that you have just declined.', server);
	}
	if (cancelled > 0) {
		// As many as can be held are held.
		return localize('{0} exceeded a limit: {1} held back, {2} cancelled.', server, held, cancelled);
	}
	return held > 1
		? localize('{0} exceeded the rate limit: {1} requests are held back.', server, held)
		: localize('{0} exceeded the rate limit: 1 request is held back.', server);
}

/** How the time of a call was spent (A04). Starts with the round limit if the call waits for that decision. */
export function duration({ clock, atRoundLimit }: Call): string {
	return [
		...(atRoundLimit ? [localize('waiting for your decision')] : []),
		localize('server {0}', durationText(clock.serverTime, localize)),
		...(clock.humanTime > 0 ? [localize('you {0}', durationText(clock.humanTime, localize))] : []),
		...(clock.automaticTime > 0 ? [localize('automatic {0}', durationText(clock.automaticTime, localize))] : []),
	].join(' · ');
}

/** What the call tests, if it is a test. */
export function trialOf({ trial }: Call): string[] {
	return trial ? [render(trial, localize)] : [];
}

/** Which other extension or client made the call, if any. */
export function viaOf({ via }: Call): string[] {
	return via ? [render(via, localize)] : [];
}

/**
 * A call in a line whose icon shows its state. Server text.
 * @param when it started, if the line does not show that elsewhere
 */
export function callText(call: Call, when?: string): string {
	return [
		...(call.failed || call.state === 'unfinished' ? [callStateText(call)] : []),
		...trialOf(call),
		...viaOf(call),
		...(when === undefined ? [] : [when]),
		duration(call),
		call.server,
	].join(' · ');
}

/** How often a task was polled. A filter may show more of the requests than of the responses, or the other way round. */
export function pollsText(entries: readonly { readonly direction: 'sent' | 'received' }[]): string {
	const sent = entries.filter(({ direction }) => direction === 'sent').length;
	return localize('polled {0} times', Math.max(sent, entries.length - sent));
}

/** Number of elicitations; empty if there are none. */
export function requestsText(count: number): string {
	return count === 0 ? '' : count === 1 ? localize('1 request') : localize('{0} requests', count);
}

/** What a series of tests repeats, and how many calls of it are shown. Server text. */
export function seriesText({ name, server }: Series, calls: readonly unknown[]): string {
	const count = calls.length === 1 ? localize('1 call') : localize('{0} calls', calls.length);
	return [localize('{0} on {1}', name, server), count].join(' · ');
}

export function callStateText({ state, reportedError }: Call): string {
	if (reportedError) {
		return localize('failed: the tool reported an error');
	}
	switch (state) {
		case 'running':
			return localize('running');
		case 'succeeded':
			return localize('succeeded');
		case 'failed':
			return localize('failed');
		case 'cancelled':
			return localize('cancelled');
		case 'unfinished':
			return localize('not finished in this recording');
	}
}

export function stateText(state: ServerState): string {
	switch (state) {
		case 'running':
			return localize('running');
		case 'starting':
			return localize('starting…');
		case 'restarting':
			return localize('restarting…');
		case 'failed':
			return localize('failed');
		default:
			return localize('stopped');
	}
}

/** A problem of a definition, as a sentence that names its subject. */
export function problemText({ path, message }: ConfigProblem): string {
	return localize(
		'{0} {1}',
		path.length === 0 ? localize('The definition') : `"${path.join('.')}"`,
		render(message, localize),
	);
}
