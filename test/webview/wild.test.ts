// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { visible } from '../../src/elicitation/display.ts';
import type { ChoicesField, Field } from '../../src/elicitation/form/fields.ts';
import { type Input, initialInputs } from '../../src/elicitation/form/inputs.ts';
import { fieldsOf } from '../../src/elicitation/form/readFields.ts';
import type { JsonObject } from '../../src/elicitation/json.ts';
import { type Act, cases, type RealWorldCase, ROWS } from '../field/schemas/case.ts';
import { entered, isOptional } from '../field/schemas/person.ts';
import { openForm, pause, type } from './page.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

type Box = HTMLInputElement | HTMLTextAreaElement;

const inside = <E extends HTMLElement>(element: HTMLElement, selector: string) => [
	...element.querySelectorAll<E>(selector),
];
const buttonIn = (element: HTMLElement, name: string) =>
	inside<HTMLButtonElement>(element, 'button').find((each) =>
		[each.getAttribute('aria-label'), each.textContent].includes(name),
	);

/** What a boolean or a choice offers besides its options: to leave it without a response. */
const none = ({ required }: Field) => (required ? 'Empty (null)' : 'Not set');

/** Chooses in the editor, which shows the options of a long choice. */
function pick(button: HTMLElement, input: Input): void {
	button.click();
	const field = Number(button.id.replace('field-', ''));
	window.dispatchEvent(new MessageEvent('message', { data: { type: 'chosen', field, input } }));
}

/** Clicks on the option, or chooses it in a menu or in the editor. */
function choose(element: HTMLElement, field: Field, label: string): void {
	const [menu] = inside<HTMLSelectElement>(element, 'select');
	const [button] = inside<HTMLElement>(element, '.pick');
	const index = field.kind === 'choice' ? field.options.findIndex((option) => option.label === label) : -1;
	if (menu) {
		menu.value = index < 0 ? '' : String(index);
		menu.dispatchEvent(new Event('change', { bubbles: true }));
	} else if (button) {
		pick(button, { kind: 'choice', index: index < 0 ? null : index });
	} else {
		inside(element, '.option')
			.find((option) => option.querySelector('label')?.textContent === visible(label))
			?.querySelector('input')
			?.click();
	}
}

function tick(element: HTMLElement, { options }: ChoicesField, labels: readonly string[]): void {
	const [button] = inside<HTMLElement>(element, '.pick');
	if (button) {
		pick(button, {
			kind: 'choices',
			indexes: options.flatMap(({ label }, at) => (labels.includes(label) ? [at] : [])),
		});
	}
	for (const box of inside<HTMLInputElement>(element, '[type=checkbox]')) {
		if (box.checked !== labels.includes(box.closest('.option')?.querySelector('label')?.textContent ?? '')) {
			box.click();
		}
	}
}

function list(element: HTMLElement, items: readonly string[]): void {
	for (let remove = true; remove; ) {
		const first = buttonIn(element, 'Remove entry 1');
		first?.click();
		remove = first !== undefined;
	}
	for (const item of items) {
		buttonIn(element, 'Add Entry')?.click();
		type(inside<Box>(element, 'input').at(-1) as Box, item);
	}
}

function enter(element: HTMLElement, field: Field, act: Act): void {
	const { kind } = field;
	const many = Array.isArray(act) ? act : [];
	if (kind === 'boolean' || kind === 'choice') {
		choose(element, field, act === null ? none(field) : String(act));
	} else if (field.kind === 'choices') {
		tick(element, field, many);
	} else if (kind === 'list') {
		list(element, many);
	} else {
		buttonIn(element, 'Type as Text')?.click();
		type(inside<Box>(element, 'input, textarea')[0] as Box, act === null ? '' : String(act));
	}
}

/** Asserts that a field is shown as what it is. */
function expectShown(element: HTMLElement, field: Field): void {
	expect(element.querySelector('legend, .label')?.textContent).toContain(visible(field.label) || '(no name)');
	const shown = inside(element, '.option label').map((label) => label.textContent);
	const labels =
		field.kind === 'boolean' ? ['Yes', 'No'] : 'options' in field ? field.options.map(({ label }) => label) : [];
	if (shown.length > 0) {
		const left = field.kind !== 'choices' && isOptional(field) ? [none(field)] : [];
		expect(shown).toEqual([...labels.map((label) => visible(label)), ...left]);
	}
	if (field.kind === 'text' && (field.entry === 'area' || field.entry === 'password')) {
		const [box] = inside<Box>(element, 'input, textarea');
		expect(box?.tagName === 'TEXTAREA' ? 'area' : box?.type).toBe(field.entry);
	}
}

/** A field of a case with what is entered into it. To load a page takes longer than to fill it in: the fields of a shape share one. */
function fieldsIn({ name, params, enter: acts }: RealWorldCase) {
	const fields = fieldsOf((params.requestedSchema ?? params.schema) as JsonObject);
	const inputs = initialInputs(fields);
	const expected = entered(fields, inputs, acts);
	return fields.map((field, at) => {
		const act = Object.hasOwn(acts, field.key) ? acts[field.key] : undefined;
		return { name, field, input: inputs[at] as Input, expected: expected[at], act };
	});
}

describe('schemas of real servers', () => {
	const inEditor = cases.filter(({ inEditor, blocked }) => inEditor && blocked === undefined);
	const hasAlternatives = ({ fields }: RealWorldCase) => fields?.some((field) => 'variant' in field) ?? false;

	it.each(inEditor.filter(hasAlternatives))('fields of an alternative appear with its choice: $name', async (each) => {
		const all = fieldsIn(each);
		const page = await openForm({ fields: all.map(({ field }) => field), inputs: all.map(({ input }) => input) });
		for (const { field, act } of all.filter((one) => one.act !== undefined)) {
			const element = inside(document.body, '.field').find((one) =>
				one.querySelector('legend, .label')?.textContent?.includes(field.label),
			);
			enter(element as HTMLElement, field, act as Act);
			pause();
		}
		expect(page.inputs()).toEqual(all.map(({ expected }) => expected));
	});

	it.each(ROWS)('are entered as they are meant: %s', async (shape) => {
		const all = inEditor.filter((each) => each.row === shape && !hasAlternatives(each)).flatMap(fieldsIn);
		const fields = all.map(({ field }, at) => ({ ...field, key: String(at) }));
		const page = await openForm({ fields, inputs: all.map(({ input }) => input) });
		const elements = inside(document.body, '.field');
		expect(elements).toHaveLength(all.length);
		for (const [at, { field, act }] of all.entries()) {
			const element = elements[at] as HTMLElement;
			expectShown(element, field);
			if (act !== undefined) {
				enter(element, field, act);
			}
		}
		pause();
		const sent = page.inputs();
		expect(all.map(({ name }, at) => [name, sent[at]])).toEqual(all.map(({ name, expected }) => [name, expected]));
	});
});
