import axe from 'axe-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { itByNight } from '../nightly.ts';
import { entries, everyField, everything } from './models.ts';
import { byName, openForm, openResult, openTrials, startTimeline } from './page.ts';
import { callDetail, elicitationDetail, messageDetail, rowsOf, TimelineHost } from './timelineHost.ts';
import { trialsOf } from './trialsModel.ts';

// axe asks for a canvas, which the simulated page does not have; without this it only says so, loudly.
beforeEach(() => void vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null));
afterEach(() => vi.restoreAllMocks());

const openAll = () => openForm(everything);

/** What axe finds. Colors need a real page, and are looked at there. */
async function violations(): Promise<string[]> {
	const { violations: found } = await axe.run(document, { rules: { 'color-contrast': { enabled: false } } });
	return found.map((each) => `${each.id}: ${each.nodes.map((node) => node.html).join(' ')}`);
}

// axe is slow in a simulated page, and slower on a busy machine.
describe('accessibility', { timeout: 120_000 }, () => {
	itByNight('axe finds nothing in a form of every kind, with errors and an open list', async () => {
		const page = await openAll();
		expect(await violations()).toEqual([]);
		page.review(
			[...everyField.map((_field, field) => ({ field, text: 'Wrong.' })), { text: 'Wrong as a whole.' }],
			true,
		);
		byName<HTMLElement>('input', 'many').click();
		for (const details of document.querySelectorAll('details')) {
			details.open = true;
		}
		expect(document.querySelectorAll('[role=alert]')).toHaveLength(everyField.length + 1);
		expect(await violations()).toEqual([]);
	});

	it('axe finds nothing in an empty form, a blocked one and a withdrawn one', async () => {
		const page = await openForm({ blocked: 'It cannot be met.' });
		expect(await violations()).toEqual([]);
		page.receive({ type: 'withdrawn', reason: 'Gone.' });
		expect(await violations()).toEqual([]);
	});

	it('axe finds nothing in a result', async () => {
		await openResult({
			content: [
				{ type: 'text', text: 'x' },
				{ type: 'image', data: 'AAAA', mimeType: 'image/png' },
			],
			structuredContent: { a: { b: [1] } },
		});
		expect(await violations()).toEqual([]);
	});

	itByNight('axe finds nothing in the timeline, whatever is selected, and in an empty one', async () => {
		const page = await startTimeline();
		const host = new TimelineHost((message) => page.receive(message), rowsOf(1_000));
		host.show();
		host.receive({ type: 'rows', first: 0, count: 100, origin: 0 });
		expect(document.querySelectorAll('[role=treeitem]').length).toBeGreaterThan(10);
		expect(await violations()).toEqual([]);
		for (const detail of [callDetail('a'), elicitationDetail('b'), messageDetail('c', { truncated: true })]) {
			page.receive({ type: 'detail', detail });
			expect(await violations()).toEqual([]);
		}
		host.rows = [];
		host.more = { found: { messages: 0, elicitations: 0 }, only: 'deploy' };
		host.push();
		expect(await violations()).toEqual([]);
	});

	it('axe finds nothing in a table of trials', async () => {
		await openTrials(trialsOf());
		expect(document.querySelectorAll('tbody tr')).toHaveLength(4);
		expect(await violations()).toEqual([]);
	});

	it('the form is named after the server and described by the message', async () => {
		await openAll();
		const form = byName('[role=form]', 'demo');
		expect(document.getElementById(form.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
			'Deploy to production?',
		);
	});

	it.each([...entries, 'many', 'const', 'json'])('the control of "%s" is labelled and described', async (name) => {
		await openAll();
		const control = byName<HTMLInputElement>('input, textarea', name);
		const described = (control.getAttribute('aria-describedby') ?? '')
			.split(' ')
			.map((id) => document.getElementById(id)?.textContent);
		expect(described.join(' ')).toMatch(/^What it is\..* x$/);
		expect(control.getAttribute('aria-required')).toBe(name === 'line' ? 'true' : null);
	});

	it.each(['boolean', 'few', 'few of few', 'few of many', 'list'])('"%s" is a named group', async (name) => {
		await openAll();
		expect(byName('fieldset', name).querySelector('input')).not.toBeNull();
	});

	it('a required group says so to those who do not see the mark', async () => {
		await openAll();
		const group = byName('fieldset', 'required boolean');
		const described = (group.getAttribute('aria-describedby') ?? '')
			.split(' ')
			.map((id) => document.getElementById(id)?.textContent);
		expect(described.join(' ')).toContain('Required.');
		expect(group.querySelector('.mark')?.getAttribute('aria-hidden')).toBe('true');
	});
});
