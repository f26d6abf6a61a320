import { shorten } from '../elicitation/display.ts';
import { type Input, isBlank } from '../elicitation/form/answer.ts';
import type { Field } from '../elicitation/form/fields.ts';
import { bdi, el, fill } from './dom.ts';
import type { T } from './strings.ts';

/** Names what is sent although no field shows it: it came in as JSON. */
export class RestLine {
	readonly element = el('p', { class: 'note', hidden: true });
	#keys: readonly string[] = [];

	constructor(
		private readonly fields: readonly Field[],
		private readonly t: T,
	) {}

	setKeys(keys: readonly string[]): void {
		this.#keys = keys;
	}

	/** An answer in the form goes before what came in as JSON under the same name. */
	show(inputs: readonly Input[]): void {
		const answered = new Set(this.fields.filter((_field, at) => !isBlank(inputs[at])).map((field) => field.key));
		const keys = this.#keys.filter((key) => !answered.has(key));
		const names = el('span', {});
		keys.forEach((key, at) => {
			names.append(at === 0 ? '' : ', ', el('code', {}, bdi(shorten(key, 200))));
		});
		this.element.replaceChildren(...fill(this.t('Also sent: {0} — no field shows them.'), names));
		this.element.hidden = keys.length === 0;
	}

	hide(): void {
		this.element.hidden = true;
	}
}
