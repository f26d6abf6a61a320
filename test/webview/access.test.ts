import { afterEach, describe, expect, it, vi } from 'vitest';
import { entries, everything } from './models.ts';
import { byName, openForm } from './page.ts';

afterEach(() => vi.restoreAllMocks());

/** What assistive technology says of an element beside its name. */
const descriptionOf = (element: Element) =>
	(element.getAttribute('aria-describedby') ?? '')
		.split(' ')
		.map((id) => document.getElementById(id)?.textContent)
		.join(' ');

describe('a form, to those who do not see it', () => {
	it('is named after the server and described by the message', async () => {
		await openForm(everything);
		expect(descriptionOf(byName('[role=form]', 'demo'))).toBe('Deploy to production?');
	});

	it('has each control labelled and described, and what is required said in words', async () => {
		await openForm(everything);
		for (const name of [...entries, 'many', 'few of many', 'const', 'json']) {
			const control = byName('input, textarea, button', name);
			expect(descriptionOf(control), name).toMatch(/^What it is\..* x$/);
			expect(control.getAttribute('aria-required'), name).toBe(name === 'line' ? 'true' : null);
		}
		for (const name of ['boolean', 'few', 'few of few', 'list']) {
			expect(byName('fieldset', name).querySelector('input'), name).not.toBeNull();
		}
		const group = byName('fieldset', 'required boolean');
		expect(descriptionOf(group)).toContain('Required.');
		expect(group.querySelector('.mark')?.getAttribute('aria-hidden')).toBe('true');
	});
});
