import type {
	CallDetail,
	CopyPart,
	ElicitationDetail,
	MessageDetail,
	OutsideDetail,
	RoundDetail,
	ShownDetail,
	ShownLink,
	ShownTimes,
} from '../../timelineProtocol.ts';
import { bdi, button, type Child, el, fill } from '../dom.ts';
import { duration } from '../duration.ts';
import { findingsOf, notesOf } from '../findings.ts';
import type { T } from '../strings.ts';
import { timesBar, timesLegend } from '../times.ts';
import { fieldList } from './fields.ts';
import { icon } from './icons.ts';
import { jsonBlock } from './json.ts';
import { moment } from './time.ts';

/** What a user can have done with the line that is shown. */
export interface DetailActions {
	go(key: string): void;
	open(key: string): void;
	copy(key: string, part: CopyPart): void;
	act(key: string, action: string): void;
	/** Shows nothing but this call. */
	only(key: string): void;
}

/** The selected line. */
export class DetailView {
	readonly element: HTMLElement;
	#shown: string | undefined;
	#key: string | undefined;
	#times: HTMLElement | undefined;

	constructor(
		private readonly t: T,
		private readonly actions: DetailActions,
	) {
		this.element = el('section', { class: 'details', tabindex: 0, 'aria-label': t('Details') });
		this.show(undefined);
	}

	/** What has not changed stays as it is, with what is selected and unfolded in it. */
	show(detail: ShownDetail | undefined): void {
		const times = detail?.kind === 'call' ? detail.times : undefined;
		const shown = JSON.stringify(times ? { ...detail, times: null } : detail);
		if (shown === this.#shown && detail) {
			this.#drawTimes(times);
			return;
		}
		const { scrollTop } = this.element;
		const focused = this.#focused();
		const isSame = this.#key === detail?.key;
		this.#shown = shown;
		this.#key = detail?.key;
		this.#times = undefined;
		this.element.replaceChildren(
			...(detail ? this.#draw(detail) : [el('p', { class: 'note' }, this.t('Select a line to see all of it.'))]),
		);
		this.#drawTimes(times);
		this.element.scrollTop = isSame ? scrollTop : 0;
		if (isSame && focused !== undefined) {
			this.#focusables()[focused]?.focus();
		}
	}

	#focusables(): HTMLElement[] {
		return [...this.element.querySelectorAll<HTMLElement>(':is(button,summary,[tabindex])')];
	}

	#focused(): number | undefined {
		const at = this.#focusables().indexOf(document.activeElement as HTMLElement);
		return at < 0 ? undefined : at;
	}

	#drawTimes(times: ShownTimes | undefined): void {
		if (times && this.#times) {
			this.#times.replaceChildren(timesBar(times, this.t), timesLegend(times, this.t));
		}
	}

	#draw(detail: ShownDetail): HTMLElement[] {
		switch (detail.kind) {
			case 'call':
				return this.#call(detail);
			case 'outside':
				return this.#outside(detail);
			case 'round':
				return this.#round(detail);
			case 'elicitation':
				return this.#elicitation(detail);
			case 'message':
				return this.#message(detail);
		}
	}

	#call(detail: CallDetail): HTMLElement[] {
		const { t } = this;
		const { key, call, server, state, stateText, trial, args, result, failure, rounds, elicitations, at } = detail;
		this.#times = el('div', { class: 'clocks' });
		return [
			this.#head(detail, el('h1', {}, ...fill(t('{0} on {1}'), bdi(call.name), bdi(server)))),
			el(
				'p',
				{ class: `state ${state}` },
				icon(state),
				stateText,
				' · ',
				moment(at),
				...(rounds > 1 ? [' · ', t('{0} rounds', rounds)] : []),
				...(call.via === undefined ? [] : [' · ', call.via]),
			),
			...(trial === undefined ? [] : [el('p', { class: 'note' }, bdi(trial))]),
			this.#times,
			...(failure ? [el('p', { class: 'blocked' }, bdi(failure))] : []),
			...this.#links(elicitations),
			jsonBlock(t('Arguments'), args, () => this.actions.copy(key, 'arguments'), t),
			...(result ? [jsonBlock(t('Result'), result, () => this.actions.copy(key, 'result'), t)] : []),
		];
	}

	#outside(detail: OutsideDetail): HTMLElement[] {
		const { t } = this;
		return [
			this.#head(detail, el('h1', {}, t('Outside of calls'), ' ', el('span', { class: 'own' }, bdi(detail.server)))),
			el('p', { class: 'note' }, t('Handshakes, lists, and whatever else belongs to no call.')),
			...this.#links(detail.elicitations),
		];
	}

	#round(detail: RoundDetail): HTMLElement[] {
		const { t } = this;
		return [
			this.#head(detail, el('h1', {}, t('Round {0}', detail.number))),
			el(
				'p',
				{ class: 'state' },
				this.#link(detail.call),
				...(detail.at === undefined ? [] : [' · ', moment(detail.at)]),
			),
			...this.#links(detail.elicitations),
		];
	}

	#elicitation(detail: ElicitationDetail): HTMLElement[] {
		const { t } = this;
		const { key, mode, message, stateText, reason, intake, revision, calls, steps, url, fields, moreFields } = detail;
		const parts = [
			this.#head(detail, el('h1', {}, bdi(detail.server))),
			el('blockquote', {}, bdi(message)),
			el('p', { class: 'state' }, icon(mode), bdi(stateText), ...(reason === undefined ? [] : [' · ', bdi(reason)])),
			el('ol', { class: 'steps' }, ...steps.map(({ text, at }) => el('li', {}, text, ' ', moment(at)))),
			el('p', { class: 'note' }, t('It came {0}, in revision {1}.', intake, revision)),
			...(calls.length > 0
				? [el('p', {}, ...calls.flatMap((call, at) => [...(at > 0 ? [' · '] : []), this.#link(call)]))]
				: []),
		];
		if (url !== undefined) {
			parts.push(block(t('URL'), el('p', { class: 'code' }, el('bdo', { dir: 'ltr' }, bdi(url)))));
		}
		if (fields.length > 0) {
			parts.push(block(t('Asks for'), fieldList(fields, moreFields, t)));
		}
		const findings = findingsOf(detail.findings, t);
		if (findings) {
			(findings as HTMLDetailsElement).open = true;
			parts.push(findings);
		}
		const notes = notesOf(detail.notes, t);
		if (notes) {
			parts.push(notes);
		}
		if (detail.answer) {
			parts.push(jsonBlock(t('Answer'), detail.answer, () => this.actions.copy(key, 'answer'), t));
		}
		parts.push(jsonBlock(t('Request'), detail.request, () => this.actions.copy(key, 'request'), t));
		return parts;
	}

	#message(detail: MessageDetail): HTMLElement[] {
		const { t } = this;
		const { key, direction, label, server, at, bytes, abridged, error, call, counterpart, latency, json } = detail;
		const sent = direction === 'sent';
		const facts: Child[][] = [
			[...fill(sent ? t('sent to {0}') : t('received from {0}'), bdi(server))],
			[moment(at)],
			[t('{0} bytes', bytes)],
			...(call ? [[this.#link(call)]] : []),
		];
		const pairing = counterpart
			? [
					el(
						'p',
						{},
						...fill(counterpart.answers ? t('Answers {0}') : t('Answered by {0}'), this.#link(counterpart)),
						...(latency === undefined ? [] : [' · ', t('after {0}', duration(latency, t))]),
					),
				]
			: [];
		return [
			this.#head(detail, el('h1', { class: error ? 'error' : '' }, bdi(label))),
			el(
				'p',
				{ class: 'state' },
				icon(direction),
				...facts.flatMap((fact, index) => (index > 0 ? [' · ', ...fact] : fact)),
			),
			...pairing,
			...(abridged
				? [el('p', { class: 'warning' }, t('It was too large to be kept whole: … marks what is left out.'))]
				: []),
			jsonBlock(t('Message'), json, () => this.actions.copy(key, 'all'), t),
		];
	}

	/** What the line is, and what can be done with it. */
	#head({ key, kind, actions }: ShownDetail, heading: HTMLElement): HTMLElement {
		const { t } = this;
		const buttons = actions.map(({ id, text }) =>
			button(text, { class: 'secondary' }, () => this.actions.act(key, id)),
		);
		buttons.push(button(t('Open as JSON'), { class: 'secondary' }, () => this.actions.open(key)));
		if (kind === 'call') {
			buttons.push(button(t('Only This Call'), { class: 'secondary' }, () => this.actions.only(key)));
		}
		return el('div', { class: 'head' }, heading, el('div', { class: 'buttons' }, ...buttons));
	}

	#link({ key, text }: ShownLink): HTMLElement {
		const link = button('', { class: 'link' }, () => this.actions.go(key));
		link.append(bdi(text));
		return link;
	}

	#links(links: readonly ShownLink[]): HTMLElement[] {
		return links.length === 0
			? []
			: [
					block(
						this.t('Asked in it'),
						el('ul', { class: 'links' }, ...links.map((each) => el('li', {}, this.#link(each)))),
					),
				];
	}
}

function block(title: string, ...children: readonly HTMLElement[]): HTMLElement {
	return el('section', { class: 'block' }, el('h2', {}, title), ...children);
}
