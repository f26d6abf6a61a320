import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { shorten, visible, visibleOnOneLine } from '../../../elicitation/display.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import type { ScriptedAnswer } from '../../../elicitation/script.ts';
import type { JsonDocuments } from '../../common/jsonDocuments.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { askModal, showError } from '../../common/notices.ts';
import type { ScriptSource } from './sources.ts';

const KEY = 'agreedScripts';

/** How much a modal lists, so that all of it fits on a screen; what is longer is shown in a document. */
const MOST_LINES = 20;
const MOST_CHARACTERS = 1_500;

/** How much of the message of the question at hand is shown: it is no part of what is agreed to. */
const LONGEST_MESSAGE = 120;

/** The user's agreement that scripts of a workspace answer in their place: given once, asked again when they have changed. */
export class ScriptAgreement {
	/** What the user did not want in this window, by its place. */
	readonly #refused = new Map<string, string>();
	#asking: Promise<void> | undefined;

	/** @param sources all that could be asked for at the same time */
	constructor(
		private readonly memory: vscode.Memento,
		private readonly sources: () => readonly ScriptSource[],
		private readonly documents: JsonDocuments,
	) {}

	/** Nobody is asked for what the user wrote into their own settings. */
	given(source: ScriptSource): boolean {
		return !source.ofWorkspace || this.#agreed[source.uri] === fingerprint(source);
	}

	/** Asks the user, unless they have decided. What they are about to have answered is shown with it. */
	async obtain(source: ScriptSource, elicitation: Elicitation): Promise<boolean> {
		if (this.#isOpen(source)) {
			this.#asking ??= this.#ask(elicitation).finally(() => {
				this.#asking = undefined;
			});
			await this.#asking;
		}
		return this.given(source);
	}

	async give(...sources: readonly ScriptSource[]): Promise<void> {
		const given = Object.fromEntries(sources.map((source) => [source.uri, fingerprint(source)]));
		await this.memory.update(KEY, { ...this.#agreed, ...given });
	}

	async revoke({ uri }: ScriptSource): Promise<void> {
		const { [uri]: _, ...rest } = this.#agreed;
		await this.memory.update(KEY, rest);
	}

	#isOpen(source: ScriptSource): boolean {
		return !this.given(source) && this.#refused.get(source.uri) !== fingerprint(source);
	}

	async #ask(elicitation: Elicitation): Promise<void> {
		const open = this.sources().filter((source) => source.answers.length > 0 && this.#isOpen(source));
		const agree = localize('Let Scripts Answer');
		const show = localize('Show Scripts');
		const listed = list(open);
		const question = localizeNative('Let the scripts of this workspace answer in your place?');
		// Nobody agrees to what they have not been shown.
		const buttons = listed ? [agree, show] : [show];
		const choice = await askModal('warning', question, describe(open, listed, elicitation), ...buttons);
		if (choice === agree) {
			await this.give(...open);
		} else if (choice === show) {
			// Whoever looks at them has not decided yet: this question is theirs, and the next one asks again.
			await this.#show(open);
		} else {
			for (const source of open) {
				this.#refused.set(source.uri, fingerprint(source));
			}
		}
	}

	/** Shows all that is to be agreed to, and lets the user agree to exactly that once they have read it. */
	async #show(sources: readonly ScriptSource[]): Promise<void> {
		await this.documents.openText(localize('Scripts'), legible(sources));
		const agree = localize('Let Scripts Answer');
		const question = localizeNative('Let the scripts of this workspace answer in your place, as they are shown?');
		vscode.window
			.showInformationMessage(question, agree)
			.then((choice) => (choice === agree ? this.give(...sources) : undefined))
			.then(undefined, showError);
	}

	get #agreed(): Readonly<Record<string, string>> {
		return this.memory.get(KEY, {});
	}
}

/** What is agreed to. Only its hash is kept: an answer may hold what is nobody's business. */
function fingerprint({ answers }: ScriptSource): string {
	return createHash('sha256').update(JSON.stringify(answers)).digest('hex');
}

/** Every answer on a line of its own, whole; undefined where that does not fit a modal. */
function list(sources: readonly ScriptSource[]): readonly string[] | undefined {
	const lines = sources.flatMap(({ name, answers }) => [
		'',
		localize('{0}:', visibleOnOneLine(name)),
		...answers.map((answer, index) => `${index + 1}. ${answerText(answer)}`),
	]);
	return lines.length <= MOST_LINES && lines.join('\n').length <= MOST_CHARACTERS ? lines : undefined;
}

/** A modal's detail is plain text. */
function describe(
	sources: readonly ScriptSource[],
	listed: readonly string[] | undefined,
	{ origin, request }: Elicitation,
): string {
	const names = sources.map(({ name }) => visibleOnOneLine(name)).join(', ');
	return [
		localize('What they answer is sent without asking you, whenever a question fits, until they change.'),
		localize(
			'{0} asks now: {1}',
			visibleOnOneLine(origin.server),
			visibleOnOneLine(shorten(request.message, LONGEST_MESSAGE)),
		),
		...(listed ?? [
			'',
			localize('They are too long to be shown here: {0}.', names),
			localize('Look at all of them, then decide.'),
		]),
	].join('\n');
}

function answerText({ match: { server, tool, message, mode }, decision, delayMs, times }: ScriptedAnswer): string {
	const conditions = [
		...(server === undefined ? [] : [localize('server {0}', visibleOnOneLine(server))]),
		...(tool === undefined ? [] : [localize('tool {0}', visibleOnOneLine(tool))]),
		...(message === undefined ? [] : [localize('message {0}', visibleOnOneLine(message))]),
		...(mode === undefined ? [] : [localize('mode {0}', visibleOnOneLine(mode))]),
	];
	const limits = [
		...(delayMs > 0 ? [localize('after {0} ms', delayMs)] : []),
		...(Number.isFinite(times) ? [localize('{0} times at most', times)] : []),
	];
	const condition = conditions.length > 0 ? conditions.join(' · ') : localize('every question');
	return [decisionText(condition, decision), ...limits].join(' · ');
}

function decisionText(condition: string, decision: ScriptedAnswer['decision']): string {
	switch (decision?.action) {
		case undefined:
			return localize('{0} → is left to you', condition);
		case 'accept':
			return localize('{0} → accept {1}', condition, visibleOnOneLine(JSON.stringify(decision.content ?? {})));
		case 'decline':
			return localize('{0} → decline', condition);
		case 'cancel':
			return localize('{0} → cancel', condition);
		case 'error':
			return localize('{0} → error {1}: {2}', condition, decision.code, visibleOnOneLine(decision.message));
	}
}

/** All of the scripts as JSON to be read, with hidden characters written out. */
function legible(sources: readonly ScriptSource[]): string {
	const scripts = sources.map(({ name, answers }) => ({
		source: name,
		answers: answers.map(({ match, decision, delayMs, times }) => ({
			...match,
			// Without an action, the question is left to the user.
			...decision,
			...(delayMs > 0 && { delayMs }),
			...(Number.isFinite(times) && { times }),
		})),
	}));
	return visible(JSON.stringify(scripts, undefined, 2));
}
