import { afterEach, describe, expect, it, vi } from 'vitest';
import { button, openTrials } from './page.ts';
import { ended, trialsOf } from './trialsModel.ts';

afterEach(() => vi.restoreAllMocks());

const cells = (row: number) =>
	[...document.querySelectorAll(`tbody tr:nth-child(${row}) > *`)].map((cell) => cell.textContent);

describe('a table of trials', () => {
	it('says of every run what was tried and what the server did', async () => {
		await openTrials(trialsOf());
		expect(cells(1)).toEqual(['Accept{"n":3}', 'ResultDeployed.A note.', '1', '12 ms', 'Show']);
		expect(cells(2)[0]).toBe('n: below the minimum invalid on purpose{"n":2}');
		expect(cells(4)).toEqual(['No response', 'not run yet', '', '', '']);
		expect([...document.querySelectorAll('.warning')].map((each) => each.textContent)).toEqual(['A warning.']);
		expect(document.querySelector('[role=status]')?.textContent).toBe('2 of 4 done');
	});

	it('marks the correct refusal with a check, a warning with a triangle, and no ended run with a spinner', async () => {
		await openTrials(
			trialsOf({
				running: false,
				rows: [
					ended({ outcome: 'error', refusal: 'expected' }),
					ended({ outcome: 'failed', refusal: 'neutral' }),
					ended({ outcome: 'error' }),
					ended({ notes: [{ text: 'The server did not notice it.', warning: true }] }),
					ended({ outcome: 'waiting' }),
				],
			}),
		);
		const icons = [...document.querySelectorAll('.outcome > .icon')].map((icon) => icon.classList[1]);
		expect(icons).toEqual(['succeeded', 'cancelled', 'failed', 'warned', 'waited']);
	});

	it('draws a row anew only when it has changed, so that the focus stays where it is', async () => {
		const page = await openTrials(trialsOf());
		const link = button('Show Accept in the timeline');
		link.focus();
		const { rows } = trialsOf();
		page.receive({
			type: 'show',
			model: trialsOf({ rows: [...rows.slice(0, 2), ended({ name: 'Cancel' })] }),
		});
		expect(document.activeElement).toBe(link);
		expect(cells(3)[1]).toBe('ResultDeployed.');
		link.click();
		expect(page.sent.at(-1)).toEqual({ type: 'open', index: 0 });
	});

	it('can be stopped while it runs, and copied at any time', async () => {
		const page = await openTrials(trialsOf());
		button('Cancel').focus();
		button('Cancel').click();
		expect(page.sent.at(-1)).toEqual({ type: 'stop' });
		page.receive({ type: 'show', model: trialsOf({ running: false }) });
		expect(button('Cancel').hidden).toBe(true);
		expect(document.activeElement).toBe(button('Copy as Markdown'));
		button('Copy as Markdown').click();
		expect(page.sent.at(-1)).toEqual({ type: 'copy' });
		page.receive({ type: 'said', text: 'Copied.' });
		expect(document.querySelector('[role=status]')?.textContent).toBe('Copied.');
	});

	it('shows only the runs with a warning at a click, and each leads to its own call', async () => {
		const page = await openTrials(trialsOf());
		const [names, only] = [
			() => [...document.querySelectorAll('tbody .name > bdi')].map((name) => name.textContent),
			button('Only Warnings'),
		];
		only.click();
		expect([names(), only.getAttribute('aria-pressed')]).toEqual([['n: below the minimum'], 'true']);
		button('Show n: below the minimum in the timeline').click();
		expect(page.sent.at(-1)).toEqual({ type: 'open', index: 1 });
		only.click();
		expect(names()).toHaveLength(4);
	});

	it('counts the other clients that do the same, and names them when the count is opened', async () => {
		const rows = [
			ended({ senders: ['Claude Code', 'VS Code'] }),
			ended({ senders: ['Codex'] }),
			ended({ senders: [] }),
		];
		await openTrials(trialsOf({ senders: true, rows }));
		const opened = () =>
			[...document.querySelectorAll('tbody details')].map((each) => (each as HTMLDetailsElement).open);
		expect([1, 2, 3].map((row) => cells(row)[2])).toEqual(['2 clientsClaude CodeVS Code', 'Codex', '']);
		expect(opened()).toEqual([false]);
		document.querySelector<HTMLElement>('tbody summary')?.click();
		expect(opened()).toEqual([true]);
	});

	it('shows what a server says as text, hidden characters and all', async () => {
		await openTrials(trialsOf({ rows: [ended({ words: '<b>\u202ebold</b>' })] }));
		expect(cells(1)[1]).toBe('Result<b>‹U+202E›bold</b>');
	});
});
