import type { Frame, Locator } from 'playwright-core';
import type { Field } from '../../../src/elicitation/form/fields.ts';
import type { Act } from '../../field/schemas/case.ts';
import { lookAt } from './index.ts';
import { QuickInput } from './workbenchElements.ts';

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
	if ((await element.locator('.pick').count()) > 0) {
		await pickIn(form, element, [label === 'Not set' ? 'Leave Blank' : label]);
	} else if ((await element.locator('select').count()) > 0) {
		await element.locator('select').selectOption({ label });
	} else {
		await element.getByRole('radio', { name: label, exact: true }).check();
	}
}

/** Chooses in the editor, which shows the options of a long choice; what was chosen before stays. */
export async function pickIn(form: Frame, element: Locator, labels: readonly string[]): Promise<void> {
	await lookAt(form);
	await element.locator('.pick').click();
	const list = new QuickInput(form.page());
	await list.input.waitFor();
	await list.look();
	for (const label of labels) {
		await list.input.fill(label);
		await list.entryNamed(label).click();
	}
	if (await list.element.isVisible()) {
		await list.input.press('Enter');
	}
	await list.element.waitFor({ state: 'hidden' });
}

async function tick(form: Frame, element: Locator, labels: readonly string[]): Promise<void> {
	if ((await element.locator('.pick').count()) > 0) {
		return pickIn(form, element, labels);
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
