import { afterEach, describe, expect, it, vi } from 'vitest';
import type { StartModel } from '../../src/protocol.ts';
import { button, openStart, press } from './page.ts';

afterEach(() => vi.restoreAllMocks());

const model: StartModel = {
	server: 'evil\u202e <b>',
	reason: 'This workspace defines it.',
	place: 'Defined in: .mcp.json',
	sections: [
		{ rows: [{ label: 'Command', text: '<img src=x>', notes: ['in this workspace'] }] },
		{ title: 'These decide', level: 'warning', rows: [{ text: 'NODE_OPTIONS=x‹U+000A›', notes: [] }] },
	],
};

describe('the page that asks before a server is started', () => {
	it('shows everything as text, and suggests nothing suspicious', async () => {
		await openStart(model);
		expect(document.querySelector('h1')?.textContent).toBe('Start the MCP server "evil‹U+202E› <b>"?');
		const shown = [...document.querySelectorAll('.exact')].map((element) => element.textContent);
		expect(shown).toEqual(['<img src=x>', 'NODE_OPTIONS=x‹U+000A›']);
		expect(document.querySelectorAll('img, a, b')).toHaveLength(0);
		expect(document.querySelectorAll('.warning + .rows .exact')).toHaveLength(1);
		expect(button('Start Server').className).toBe('secondary');
		expect([...document.querySelectorAll('header p')].map((element) => element.textContent)).toEqual([
			'This workspace defines it.',
			'Defined in: .mcp.json',
		]);
	});

	it('takes no key within half a second of its appearing, and has no button focused', async () => {
		const opened = performance.now();
		const page = await openStart(model);
		expect(document.activeElement?.tagName).toBe('H1');
		for (const at of [100, 400]) {
			const pressed = (key: string) => press(key, {}, opened + at - performance.now());
			button('Start Server').focus();
			expect(pressed('Enter')).toBe(true);
			expect(pressed(' ')).toBe(true);
			expect(pressed('Escape')).toBe(true);
		}
		expect(page.sent.map(({ type }) => type)).toEqual(['ready']);
	});

	it('tells of everything that is unusual, each with its text, in the order of what it shows', async () => {
		const notes = ['The host is a number, not a name.', 'The port is not the usual one: 81.'];
		const sections = [
			{ title: 'Suspicious', level: 'alarm' as const, rows: [{ text: 'https://10.0.0.1:81/', notes }] },
			{ rows: [{ label: 'Host', text: '10.0.0.1:81', notes: [] }] },
			{ title: 'Variables', level: 'warning' as const, rows: [{ text: 'A=1', notes: [] }] },
		];
		await openStart({ ...model, server: 'n'.repeat(200), sections });
		expect([...document.querySelectorAll('h2')].map(({ className, textContent }) => [className, textContent])).toEqual([
			['blocked', 'Suspicious'],
			['warning', 'Variables'],
		]);
		expect([...document.querySelectorAll('.body .note')].map((element) => element.textContent)).toEqual(notes);
		expect([...document.querySelectorAll('.exact')].map((element) => element.textContent)).toEqual([
			'https://10.0.0.1:81/',
			'10.0.0.1:81',
			'A=1',
		]);
	});

	it('takes no click within half a second of its appearing', async () => {
		await openStart(model);
		// The style sheet lets no click through then.
		expect(document.body.classList).toContain('new');
		await vi.waitUntil(() => !document.body.classList.contains('new'));
	});

	it('takes one choice', async () => {
		const page = await openStart(model);
		button('Start Server').click();
		button('Start Server').click();
		press('Escape');
		expect(page.sent.map(({ type }) => type)).toEqual(['ready', 'start']);
	});

	it('is cancelled with Escape', async () => {
		const page = await openStart(model);
		press('Escape');
		expect(page.sent.at(-1)?.type).toBe('cancel');
	});
});
