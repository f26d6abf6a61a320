import type { Frame, Locator } from 'playwright-core';
import type { Field } from '../../../src/elicitation/form/fields.ts';
import type { Act } from '../../field/schemas/case.ts';
import { lookAt } from './index.ts';

/** Does to a field of a form what a case says. */
export async function enterInto(form: Frame, element: Locator, field: Field, act: Act): Promise<void> {
	switch (field.kind) {
		case 'boolean':
		case 'choice':
			return choose(form, element, act === null ? (field.required ? 'Empty (null)' : 'Not set') : String(act));
		case 'choices':
			return tick(form, element, listOf(act));
		case 'list':
			return list(element, listOf(act));
		default:
			return type(element, act === null ? '' : String(act));
	}
}

async function choose(form: Frame, element: Locator, label: string): Promise<void> {
	const box = element.getByRole('combobox');
	if ((await box.count()) > 0) {
		await box.fill(label);
		await lookAt(form);
		await box.press('Enter');
	} else {
		await element.getByRole('radio', { name: label, exact: true }).check();
	}
}

async function tick(form: Frame, element: Locator, labels: readonly string[]): Promise<void> {
	const search = element.getByRole('searchbox');
	if ((await search.count()) > 0) {
		for (const label of labels) {
			await search.fill(label);
			await lookAt(form);
			await search.press('ArrowDown');
			await element.getByRole('listbox').press('Space');
		}
		return;
	}
	const boxes = element.getByRole('checkbox');
	for (let at = 0; at < (await boxes.count()); at++) {
		const label = await boxes.nth(at).locator('xpath=ancestor::label').innerText();
		await boxes.nth(at).setChecked(labels.includes(label));
	}
}

async function list(element: Locator, items: readonly string[]): Promise<void> {
	const remove = element.getByRole('button', { name: 'Remove entry 1', exact: true });
	while ((await remove.count()) > 0) {
		await remove.click();
	}
	for (const [at, item] of items.entries()) {
		await element.getByRole('button', { name: 'Add Entry', exact: true }).click();
		await element.getByRole('textbox').nth(at).fill(item);
	}
}

async function type(element: Locator, text: string): Promise<void> {
	const toggle = element.getByRole('button', { name: 'Type as Text', exact: true });
	if ((await toggle.count()) > 0) {
		await toggle.click();
	}
	await element.locator('input, textarea').first().fill(text);
}

function listOf(act: Act): readonly string[] {
	return typeof act === 'string' || act === null ? [] : act;
}
