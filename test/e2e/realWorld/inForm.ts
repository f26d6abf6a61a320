import type { Frame, Locator } from 'playwright-core';
import { expect } from 'vitest';
import { visible } from '../../../src/elicitation/display.ts';
import type { Field } from '../../../src/elicitation/form/fields.ts';
import type { Act } from '../../field/schemas/case.ts';
import { answerIn, type Editor, lookAt, until } from '../driver/index.ts';
import type { Elicitation, Presentation } from './elicitations.ts';

/** Answers in the form's webview. */
export const inForm: Presentation = {
	async answer(editor, elicitation) {
		const form = await formOf(editor, elicitation);
		for (const deed of elicitation.deeds) {
			const field = form.locator('.field').nth(deed.at);
			expect(await field.locator('legend, .label').first().textContent()).toContain(
				visible(deed.field.label) || '(no name)',
			);
			if (deed.act !== undefined) {
				await enterInto(form, field, deed.field, deed.act);
			}
		}
		const { blocked, problems } = elicitation.realWorld;
		if (blocked !== undefined) {
			expect(await form.getByRole('button', { name: 'Accept', exact: true }).isDisabled()).toBe(true);
			await form.getByText(blocked).first().waitFor();
			return;
		}
		await answerIn(form, 'Accept');
		for (const { at, problem } of problems === undefined ? [] : elicitation.deeds) {
			if (problem !== undefined) {
				const alert = form.locator('.field').nth(at).getByRole('alert');
				await alert.waitFor();
				expect(await alert.textContent()).toBe(problem);
			}
		}
	},

	async leave(editor, elicitation) {
		await answerIn(await formOf(editor, elicitation), 'Cancel');
	},
};

function formOf(editor: Editor, { message }: Elicitation): Promise<Frame> {
	return until(`the form that asks ${message}`, async () => {
		for (const frame of editor.webviews()) {
			// A frame may go away while it is asked.
			const shown = await frame.evaluate(() => document.querySelector('#message')?.textContent).catch(() => undefined);
			if (shown === message) {
				return frame;
			}
		}
		return undefined;
	});
}

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

export function listOf(act: Act): readonly string[] {
	return typeof act === 'string' || act === null ? [] : act;
}
