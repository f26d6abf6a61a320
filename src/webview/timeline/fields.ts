import type { Field } from '../../elicitation/form/fields.ts';
import { constraintOf } from '../constraint.ts';
import { bdi, type Child, el } from '../dom.ts';
import type { T, WebviewString } from '../strings.ts';

const kinds = {
	text: 'Text',
	number: 'Number',
	boolean: 'Yes or no',
	choice: 'One of several',
	choices: 'Some of several',
	list: 'List',
	const: 'Fixed value',
	json: 'JSON',
} as const satisfies Record<Field['kind'], WebviewString>;

/** What a form asks for, as a list: nothing can be entered here. */
export function fieldList(fields: readonly Field[], more: number, t: T): HTMLElement {
	const items = fields.map((field) => el('li', {}, ...fieldItem(field, t)));
	if (more > 0) {
		items.push(el('li', { class: 'note' }, t('{0} more', more)));
	}
	return el('ul', { class: 'fields' }, ...items);
}

function fieldItem(field: Field, t: T): Child[] {
	const head = el('p', {}, el('strong', {}, bdi(field.label)));
	if (field.label !== field.key) {
		head.append(' ', el('code', { class: 'key' }, bdi(field.key)));
	}
	head.append(' ', el('span', { class: 'kind' }, kindOf(field, t)));
	const facts: Child[] = [];
	if (field.description !== undefined && field.description !== '') {
		facts.push(el('p', { class: 'help' }, bdi(field.description)));
	}
	const constraint = constraintOf(field, t);
	if (constraint.length > 0) {
		facts.push(el('p', { class: 'help' }, ...constraint));
	}
	if ((field.kind === 'choice' || field.kind === 'choices') && field.options.length > 0) {
		const labels = field.options.flatMap(({ label }, at): Child[] => (at === 0 ? [bdi(label)] : [' · ', bdi(label)]));
		facts.push(el('p', { class: 'help' }, ...labels));
	}
	return [head, ...facts];
}

function kindOf(field: Field, t: T): string {
	const kind = field.kind === 'text' && field.entry === 'password' ? t('Text, masked') : t(kinds[field.kind]);
	return [kind, ...(field.required ? [t('required')] : [])].join(' · ');
}
