import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import { shorten, visible } from '../../elicitation/display.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import type { ScriptedAnswer } from '../../elicitation/script.ts';
import { askModal } from '../notices.ts';
import { line, t } from '../words.ts';
import { showSource } from './showSource.ts';
import type { ScriptSource } from './sources.ts';

const KEY = 'agreedScripts';

/** How many answers the question lists, and how much it shows of each part: it must fit on a screen. */
const MOST_LISTED = 20;
const LONGEST_PART = 120;

/** The person's agreement that scripts of a workspace answer in their place: given once, asked again when they have changed. */
export class ScriptAgreement {
	/** What the person did not want in this window, by its place. */
	readonly #refused = new Map<string, string>();
	#asking: Promise<void> | undefined;

	/** @param sources all that could be asked for at the same time */
	constructor(
		private readonly memory: vscode.Memento,
		private readonly sources: () => readonly ScriptSource[],
	) {}

	/** Nobody is asked for what the person wrote into their own settings. */
	given(source: ScriptSource): boolean {
		return !source.ofWorkspace || this.#agreed[source.uri] === fingerprint(source);
	}

	/** Asks the person, unless they have decided. What they are about to have answered is shown with it. */
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

	async takeBack({ uri }: ScriptSource): Promise<void> {
		const { [uri]: _, ...rest } = this.#agreed;
		await this.memory.update(KEY, rest);
	}

	#isOpen(source: ScriptSource): boolean {
		return !this.given(source) && this.#refused.get(source.uri) !== fingerprint(source);
	}

	async #ask(elicitation: Elicitation): Promise<void> {
		const open = this.sources().filter((source) => source.answers.length > 0 && this.#isOpen(source));
		const agree = t('Let Scripts Answer');
		const show = t('Show Scripts');
		const question = line('Let the scripts of this workspace answer in your place?');
		const choice = await askModal('warning', question, describe(open, elicitation), agree, show);
		if (choice === agree) {
			await this.give(...open);
		} else if (choice === show) {
			// Whoever looks at them has not decided yet: this question is theirs, and the next one asks again.
			for (const source of open) {
				await showSource(source);
			}
		} else {
			for (const source of open) {
				this.#refused.set(source.uri, fingerprint(source));
			}
		}
	}

	get #agreed(): Readonly<Record<string, string>> {
		return this.memory.get(KEY, {});
	}
}

/** What is agreed to. Only its hash is kept: an answer may hold what is nobody's business. */
function fingerprint({ answers }: ScriptSource): string {
	return createHash('sha256').update(JSON.stringify(answers)).digest('hex');
}

/** A modal's detail is plain text. */
function describe(sources: readonly ScriptSource[], { origin, request }: Elicitation): string {
	const listed = sources.flatMap(({ name, answers }) => [
		'',
		t('{0}:', name),
		...answers.map((answer, index) => `${index + 1}. ${answerText(answer)}`),
	]);
	return visible(
		[
			t('What they answer is sent without asking you, whenever a question fits, until they change.'),
			t('{0} asks now: {1}', origin.server, part(request.message)),
			...listed.slice(0, MOST_LISTED),
			...(listed.length > MOST_LISTED ? [t('… and more: look at all of them before you agree.')] : []),
		].join('\n'),
	);
}

function answerText({ match: { server, tool, message, mode }, decision }: ScriptedAnswer): string {
	const conditions = [
		...(server === undefined ? [] : [t('server {0}', part(server))]),
		...(tool === undefined ? [] : [t('tool {0}', part(tool))]),
		...(message === undefined ? [] : [t('message {0}', part(message))]),
		...(mode === undefined ? [] : [t('mode {0}', part(mode))]),
	];
	const condition = conditions.length > 0 ? conditions.join(' · ') : t('every question');
	switch (decision?.action) {
		case undefined:
			return t('{0} → is left to you', condition);
		case 'accept':
			return t('{0} → accept {1}', condition, part(JSON.stringify(decision.content ?? {})));
		case 'decline':
			return t('{0} → decline', condition);
		case 'cancel':
			return t('{0} → cancel', condition);
		case 'error':
			return t('{0} → error {1}: {2}', condition, decision.code, part(decision.message));
	}
}

/** On one line. */
function part(text: string): string {
	return shorten(text.replace(/\s*\n\s*/g, ' '), LONGEST_PART);
}
