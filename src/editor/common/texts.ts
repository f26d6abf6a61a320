import type { ConfigProblem } from '../../config/problem.ts';
import type { Call, CallState } from '../../elicitation/call.ts';
import type { Elicitation, Group, Step } from '../../elicitation/elicitation.ts';
import { doneIn, placeIn } from '../../elicitation/group.ts';
import type { Registry, Storm } from '../../elicitation/registry.ts';
import { render } from '../../elicitation/sentence.ts';
import type { StandIn } from '../../elicitation/standIn.ts';
import type { ServerState } from '../../mcp/index.ts';
import type { ShownCall } from '../../protocol.ts';
import { t } from './words.ts';

/** For how long something has been waiting, in words. */
export function age(since: number): string {
	const seconds = secondsSince(since);
	return seconds < 60
		? t('{0} s', seconds)
		: seconds < 3600
			? t('{0} min', Math.floor(seconds / 60))
			: t('{0} h', Math.floor(seconds / 3600));
}

/** How long ago something was, in words. */
export function ago(then: number): string {
	const seconds = secondsSince(then);
	return seconds < 60
		? t('{0} s ago', seconds)
		: seconds < 3600
			? t('{0} min ago', Math.floor(seconds / 60))
			: t('{0} h ago', Math.floor(seconds / 3600));
}

function secondsSince(then: number): number {
	return Math.max(0, Math.round((Date.now() - then) / 1000));
}

/** Which call caused it; where the protocol does not tell, the candidates. Server text. */
export function causeOf({ origin }: Elicitation): string {
	const [call, ...others] = origin.calls;
	if (!call) {
		return t('asked by the server itself');
	}
	if (others.length > 0) {
		return t('asked by one of {0}', origin.calls.map(({ name }) => name).join(', '));
	}
	return [askedBy(call), ...viaOf(call)].join(', ');
}

function askedBy({ kind, name }: Call): string {
	switch (kind) {
		case 'tool':
			return t('asked by tool {0}', name);
		case 'prompt':
			return t('asked by prompt {0}', name);
		case 'resource':
			return t('asked by resource {0}', name);
	}
}

/** A call as a form's page shows it. */
export function shownCall(call: Call): ShownCall {
	const { kind, name } = call;
	const [via] = viaOf(call);
	return { kind, name, ...(via !== undefined && { via }) };
}

/** What has become of a question, and who saw to that in the person's place. */
export function stateOf(elicitation: Elicitation): string {
	const { consulted, standIn, misfit, cause } = elicitation;
	if (consulted) {
		return consulted.plan ? render(consulted.plan, t) : t('waits for its answer, {0}', standInText(consulted, cause));
	}
	const state = bareStateOf(elicitation);
	const answered = standIn ? t('{0}, {1}', state, standInText(standIn, cause)) : state;
	return deliveryOf(elicitation, misfit ? t('{0}, against the schema', answered) : answered);
}

/** The state, and what is wrong with the way of the response to the server, if anything is. */
function deliveryOf({ delivery }: Elicitation, state: string): string {
	if (!delivery?.problem) {
		return state;
	}
	return delivery.state === 'sending' ? t('{0}, being sent again', state) : t('{0}, not delivered', state);
}

/**
 * Whose answer it is. The names of scripts and extensions.
 * @param call in whose course it was given
 */
export function standInText({ kind, name }: StandIn, call: Call | undefined): string {
	switch (kind) {
		case 'script':
			return t('by script {0}', name);
		case 'extension':
			return t('by extension {0}', name);
		case 'forced':
			return call?.trial ? t('in the trial "{0}"', render(call.trial, t)) : t('forced by you');
	}
}

function bareStateOf(elicitation: Elicitation): string {
	switch (elicitation.state) {
		case 'held':
			return heldText(elicitation);
		case 'asking':
			return elicitation.request.mode === 'url' ? t('waits for your consent') : t('waits for your answer');
		case 'opened':
			return elicitation.consented
				? t('page opened, waiting for completion')
				: t('accepted without opening the page, waiting for completion');
		case 'declined':
			return declinedText(elicitation);
		case 'cancelled':
			return elicitation.unasked === 'limit' ? t('cancelled: the server asked too much') : t('cancelled');
		default:
			return stepText(elicitation.state);
	}
}

/** What became of an elicitation at a moment. */
export function stepText(state: Step['state']): string {
	switch (state) {
		case 'held':
			return t('held back');
		case 'asking':
			return t('asked');
		case 'accepted':
			return t('accepted');
		case 'declined':
			return t('declined');
		case 'cancelled':
			return t('cancelled');
		case 'opened':
			return t('page opened');
		case 'completed':
			return t('completed');
		case 'retried':
			return t('retried');
		case 'givenUp':
			return t('given up');
		case 'failed':
			return t('answered with an error');
		case 'withdrawn':
			return t('withdrawn');
		case 'sending':
			return t('sent again');
		case 'delivered':
			return t('delivered');
		case 'undelivered':
			return t('not delivered');
	}
}

function heldText({ holdReason }: Elicitation): string {
	switch (holdReason) {
		case 'crowd':
			return t('waits for its turn');
		case 'repeated':
			return t('held back: you declined it before');
		default:
			return t('held back');
	}
}

function declinedText({ unasked }: Elicitation): string {
	switch (unasked) {
		case 'muted':
			return t('declined: the server asked too much');
		case 'settings':
			return t('declined by the settings');
		default:
			return t('declined');
	}
}

/** What a group of questions is, whole and, for a narrow surface, in short. Server text. */
export function groupTexts(
	group: Group,
	entries: readonly Elicitation[],
): { readonly whole: string; readonly title: string; readonly progress: string } {
	const { call, round, size } = group;
	const done = doneIn(group, entries);
	const title = t('{0} on {1}', call.name, call.server);
	if (entries.some(({ origin }) => origin.intake === 'urlRequired')) {
		return {
			whole: t('{0} on {1} requires {2} pages · {3} of {2} done', call.name, call.server, size, done),
			title,
			progress: t('{0} of {1} pages done', done, size),
		};
	}
	return round > 1
		? {
				whole: t(
					'{0} on {1} · round {2}: {3} questions · {4} of {3} answered',
					call.name,
					call.server,
					round,
					size,
					done,
				),
				title,
				progress: t('{0} of {1} answered in round {2}', done, size, round),
			}
		: {
				whole: t('{0} on {1}: {2} questions · {3} of {2} answered', call.name, call.server, size, done),
				title,
				progress: t('{0} of {1} answered', done, size),
			};
}

/** Which one of how many, for a question that did not come alone: `1 of 3`. */
export function placeInGroup(elicitation: Elicitation, { elicitations }: Registry): string | undefined {
	const found = placeIn(elicitation, elicitations);
	return found && t('{0} of {1}', found.place, found.size);
}

/** What a server asked too much. */
export function stormText(server: string, { held, cancelled, repeated }: Storm): string {
	if (repeated) {
		return t('{0} asks again what you have just declined.', server);
	}
	return cancelled > 0
		? t('{0} asks too much: {1} questions are held back, {2} more were cancelled.', server, held, cancelled)
		: held > 1
			? t('{0} asks too much: {1} questions are held back.', server, held)
			: t('{0} asks too much: 1 question is held back.', server);
}

/** True where a retry by hand makes sense: the call waits for a page that the server does not report on, or not yet. */
export function canRetry({ state, origin }: Elicitation): boolean {
	return state === 'opened' && origin.intake !== 'request';
}

/** The shares of its time apart (A04); first of all that the person has to decide, where it waits for that. */
export function duration({ clock, halted }: Call): string {
	return [
		...(halted ? [t('waits for your decision')] : []),
		t('server {0}', span(clock.serverTime)),
		...(clock.humanTime > 0 ? [t('you {0}', span(clock.humanTime))] : []),
		...(clock.automaticTime > 0 ? [t('automatic {0}', span(clock.automaticTime))] : []),
	].join(' · ');
}

/** A length of time in words. */
function span(milliseconds: number): string {
	const seconds = Math.round(milliseconds / 1000);
	if (seconds >= 60) {
		return t('{0} min {1} s', Math.floor(seconds / 60), seconds % 60);
	}
	return t('{0} s', milliseconds < 10_000 ? (milliseconds / 1000).toFixed(1) : seconds);
}

/** What a call tries out, where it was made for that. */
export function trialOf({ trial }: Call): string[] {
	return trial ? [render(trial, t)] : [];
}

/** Who had it made, where that was somebody else's program. */
export function viaOf({ via }: Call): string[] {
	return via ? [render(via, t)] : [];
}

export function callStateText(state: CallState): string {
	switch (state) {
		case 'running':
			return t('running');
		case 'succeeded':
			return t('succeeded');
		case 'failed':
			return t('failed');
		case 'cancelled':
			return t('cancelled');
	}
}

export function stateText(state: ServerState): string {
	switch (state) {
		case 'running':
			return t('running');
		case 'starting':
			return t('starting…');
		case 'restarting':
			return t('restarting…');
		case 'failed':
			return t('failed');
		default:
			return t('stopped');
	}
}

/** What is wrong with a definition, as a sentence with its subject. */
export function problemText({ path, message }: ConfigProblem): string {
	return t('{0} {1}', path.length === 0 ? t('The definition') : `"${path.join('.')}"`, render(message, t));
}
