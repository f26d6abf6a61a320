import type { ShownTrial, TrialOutcome, TrialsModel } from '../trialsProtocol.ts';
import { bdi, button, el, fill } from './dom.ts';
import { duration } from './duration.ts';
import type { T } from './strings.ts';
import { icon } from './timeline/icons.ts';

/** What a user can have done with the table. */
export interface TrialsActions {
	/** Shows the call of a row in the timeline. */
	open(index: number): void;
	copy(): void;
	stop(): void;
}

const ICONS = {
	result: 'succeeded',
	isError: 'failed',
	error: 'failed',
	waiting: 'running',
	failed: 'failed',
	cancelled: 'cancelled',
} as const satisfies Record<TrialOutcome, string>;

/** The table of trials. Only rows that have changed are drawn anew, so that the focus stays where it is. */
export class TrialsView {
	readonly #status = el('p', { class: 'note', role: 'status' });
	readonly #stop: HTMLButtonElement;
	readonly #body = el('tbody');
	/** The rows as they are drawn. */
	readonly #drawn: string[] = [];
	#built = false;

	constructor(
		private readonly root: HTMLElement,
		private readonly t: T,
		private readonly actions: TrialsActions,
	) {
		this.#stop = button(t('Stop'), { class: 'secondary' }, actions.stop);
	}

	show(model: TrialsModel): void {
		if (!this.#built) {
			this.#built = true;
			this.root.replaceChildren(this.#header(model), this.#table(model));
		}
		const hadFocus = document.activeElement === this.#stop;
		this.#stop.hidden = !model.running;
		if (hadFocus && !model.running) {
			this.root.querySelector<HTMLElement>('#copy')?.focus();
		}
		this.say(model.progress);
		for (const [index, row] of model.rows.entries()) {
			const drawn = JSON.stringify(row);
			if (this.#drawn[index] !== drawn) {
				this.#drawn[index] = drawn;
				const element = this.#row(row, index, model.revisions);
				const before = this.#body.children[index];
				before ? before.replaceWith(element) : this.#body.append(element);
			}
		}
	}

	say(text: string): void {
		this.#status.textContent = text;
	}

	#header({ heading, about, call, server }: TrialsModel): HTMLElement {
		const { t } = this;
		return el(
			'header',
			{},
			el(
				'div',
				{ class: 'top' },
				el('h1', {}, heading),
				el('p', { class: 'origin' }, el('span', {}, ...fill(t('{0} on {1}'), bdi(call.name), bdi(server)))),
			),
			el('p', { class: 'about' }, about),
			el(
				'div',
				{ class: 'bar' },
				this.#status,
				this.#stop,
				button(t('Copy as Markdown'), { class: 'secondary', id: 'copy' }, this.actions.copy),
			),
		);
	}

	#table({ heading, revisions }: TrialsModel): HTMLElement {
		const { t } = this;
		const head = [
			t('Trial'),
			...(revisions ? [t('Revision')] : []),
			t('What the server did'),
			t('Questions'),
			t('Server time'),
			t('Timeline'),
		];
		return el(
			'div',
			{ class: 'table', role: 'region', tabindex: 0, 'aria-label': heading },
			el(
				'table',
				{},
				el('thead', {}, el('tr', {}, ...head.map((text) => el('th', { scope: 'col' }, text)))),
				this.#body,
			),
		);
	}

	#row(row: ShownTrial, index: number, revisions: boolean): HTMLElement {
		const { t } = this;
		const title = row.name;
		return el(
			'tr',
			{ class: row.state },
			el(
				'th',
				{ scope: 'row' },
				el(
					'span',
					{ class: 'name' },
					bdi(title),
					...(row.mark === undefined ? [] : [' ', el('span', { class: 'mark' }, row.mark)]),
				),
				...(row.sent === undefined ? [] : [bdi(row.sent, { class: 'sent' })]),
			),
			...(revisions ? [el('td', { class: 'number' }, row.revision ?? '')] : []),
			el('td', { class: 'did' }, ...this.#did(row)),
			el('td', { class: 'number' }, row.questions === undefined ? '' : String(row.questions)),
			el('td', { class: 'number' }, row.serverTime === undefined ? '' : duration(row.serverTime, t)),
			el(
				'td',
				{},
				...(row.called
					? [
							button(t('Show'), { class: 'link', 'aria-label': t('Show {0} in the timeline', title) }, () =>
								this.actions.open(index),
							),
						]
					: []),
			),
		);
	}

	#did({ outcome, outcomeText, words, notes }: ShownTrial): HTMLElement[] {
		return [
			el(
				'p',
				{ class: `outcome ${outcome ?? ''}` },
				...(outcome ? [icon(ICONS[outcome])] : []),
				el('span', {}, outcomeText),
			),
			...(words ? [el('p', { class: 'words' }, bdi(words))] : []),
			...notes.map(({ text, warning }) => el('p', { class: warning ? 'warning' : 'hint' }, bdi(text))),
		];
	}
}
