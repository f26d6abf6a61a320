import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import { shorten, visible, visibleOnOneLine } from '../../../elicitation/display.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import { writeJson } from '../../../elicitation/jsonText.ts';
import type { ScriptedAnswer } from '../../../elicitation/script.ts';
import type { JsonDocuments } from '../../common/jsonDocuments.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { notify, showError, showModal, takesNotificationClicks } from '../../common/notifications.ts';
import { kept } from '../../common/settings.ts';
import type { ScriptSource } from './sources.ts';

const KEY = 'agreedScripts';

/** Max number of lines in a modal dialog, so that it fits on the screen. Longer lists open in a document. */
const MAX_LINES = 20;
const MAX_CHARACTERS = 1_500;

/** Max length of the current elicitation's message (characters). It is not part of what the user consents to. */
const MAX_MESSAGE_LENGTH = 120;

/** The user's consent to scripts of a workspace. Asked once, and again when the scripts change. */
export class ScriptConsent {
	/** Scripts that the user refused in this window, by source. */
	readonly #refused = new Map<string, string>();
	#asking: Promise<void> | undefined;

	/** @param sources all sources that consent can be asked for together */
	constructor(
		private readonly memory: vscode.Memento,
		private readonly sources: () => readonly ScriptSource[],
		private readonly documents: JsonDocuments,
	) {}

	/** The user's own settings need no consent. */
	isGiven(source: ScriptSource): boolean {
		return !source.ofWorkspace || this.#consented[source.uri] === fingerprint(source);
	}

	/** Asks the user, unless already decided. The dialog also shows the current elicitation. */
	async obtain(source: ScriptSource, elicitation: Elicitation): Promise<boolean> {
		if (this.#isOpen(source)) {
			this.#asking ??= this.#ask(elicitation).finally(() => {
				this.#asking = undefined;
			});
			await this.#asking;
		}
		return this.isGiven(source);
	}

	async give(...sources: readonly ScriptSource[]): Promise<void> {
		const given = Object.fromEntries(sources.map((source) => [source.uri, fingerprint(source)]));
		await this.memory.update(KEY, { ...this.#consented, ...given });
	}

	async revoke({ uri }: ScriptSource): Promise<void> {
		const { [uri]: _, ...rest } = this.#consented;
		await this.memory.update(KEY, rest);
	}

	#isOpen(source: ScriptSource): boolean {
		return !this.isGiven(source) && this.#refused.get(source.uri) !== fingerprint(source);
	}

	async #ask(elicitation: Elicitation): Promise<void> {
		const open = this.sources().filter((source) => source.answers.length > 0 && this.#isOpen(source));
		const agree = localize('Allow Scripts');
		const show = localize('Show Scripts');
		const listed = list(open);
		const prompt = localizeNative('Allow the scripts of this workspace to respond on your behalf?');
		// Consent needs the full list in view.
		const buttons = listed ? [agree, show] : [show];
		const choice = await showModal('warning', prompt, describe(open, listed, elicitation), ...buttons);
		if (choice === agree) {
			await this.give(...open);
		} else if (choice === show) {
			// Viewing the scripts decides nothing yet: the user responds to this elicitation, and the next one asks
			// again.
			await this.#show(open);
		} else {
			for (const source of open) {
				this.#refused.set(source.uri, fingerprint(source));
			}
		}
	}

	/** Shows all scripts in a document and lets the user consent to exactly these after reading them. */
	async #show(sources: readonly ScriptSource[]): Promise<void> {
		await this.documents.openText(localize('Scripts'), readableJson(sources));
		this.#askAfterReading(sources).catch(showError);
	}

	/** A click that comes too soon was not meant for it. */
	async #askAfterReading(sources: readonly ScriptSource[]): Promise<void> {
		const agree = localize('Allow Scripts');
		const prompt = localizeNative('Allow the scripts of this workspace, as shown, to respond on your behalf?');
		if ((await notify('information', prompt, agree)) === agree) {
			await (takesNotificationClicks() ? this.give(...sources) : this.#askAfterReading(sources));
		}
	}

	get #consented(): Readonly<Record<string, string>> {
		return kept<Readonly<Record<string, string>>>(this.memory, KEY, {});
	}
}

/** What the user consents to. Only its hash is stored, because scripted answers may be private. */
function fingerprint({ answers }: ScriptSource): string {
	return createHash('sha256').update(JSON.stringify(answers)).digest('hex');
}

/** Each answer in full on its own line; undefined if the list does not fit in a modal dialog. */
function list(sources: readonly ScriptSource[]): readonly string[] | undefined {
	const lines = sources.flatMap(({ name, answers }) => [
		'',
		localize('{0}:', visibleOnOneLine(name)),
		...answers.map((answer, index) => `${index + 1}. ${answerText(answer)}`),
	]);
	return lines.length <= MAX_LINES && lines.join('\n').length <= MAX_CHARACTERS ? lines : undefined;
}

/** The detail of a modal dialog is plain text. */
function describe(
	sources: readonly ScriptSource[],
	listed: readonly string[] | undefined,
	{ origin, request }: Elicitation,
): string {
	const names = sources.map(({ name }) => visibleOnOneLine(name)).join(', ');
	return [
		localize('Their responses are sent without asking you, whenever a request matches, until they change.'),
		localize(
			'Current request from {0}: {1}',
			visibleOnOneLine(origin.server),
			visibleOnOneLine(shorten(request.message, MAX_MESSAGE_LENGTH)),
		),
		...(listed ?? [
			'',
			localize('They are too long to be shown here: {0}.', names),
			localize('Review all of them, then decide.'),
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
		...(Number.isFinite(times) ? [times === 1 ? localize('once at most') : localize('{0} times at most', times)] : []),
	];
	const condition = conditions.length > 0 ? conditions.join(' · ') : localize('every request');
	return [decisionText(condition, decision), ...limits].join(' · ');
}

function decisionText(condition: string, decision: ScriptedAnswer['decision']): string {
	switch (decision?.action) {
		case undefined:
			return localize('{0} → is left to you', condition);
		case 'accept':
			return localize('{0} → accept {1}', condition, visibleOnOneLine(writeJson(decision.content ?? {})));
		case 'decline':
			return localize('{0} → decline', condition);
		case 'cancel':
			return localize('{0} → cancel', condition);
		case 'error':
			return localize('{0} → error {1}: {2}', condition, String(decision.code), visibleOnOneLine(decision.message));
	}
}

/** All scripts as readable JSON, with hidden characters escaped. */
function readableJson(sources: readonly ScriptSource[]): string {
	const scripts = sources.map(({ name, answers }) => ({
		source: name,
		answers: answers.map(({ match, decision, delayMs, times }) => ({
			...match,
			// Without an action, the elicitation is left to the user.
			...decision,
			...(delayMs > 0 && { delayMs }),
			...(Number.isFinite(times) && { times }),
		})),
	}));
	return visible(writeJson(scripts, 2));
}
