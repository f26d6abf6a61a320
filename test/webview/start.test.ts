import { afterEach, describe, expect, it, vi } from 'vitest';
import { isStartMessage, type StartModel } from '../../src/protocol.ts';
import { button, openStart, press } from './page.ts';

afterEach(() => vi.restoreAllMocks());

const model: StartModel = {
	server: 'evil\u202e <b>',
	reason: 'This workspace defines it.',
	place: 'Defined in: .mcp.json',
	sections: [
		{ alarm: false, rows: [{ label: 'Command', text: '<img src=x>', notes: ['in this workspace'] }] },
		{ title: 'These decide:', alarm: true, rows: [{ text: 'NODE_OPTIONS=x‹U+000A›', notes: [] }] },
	],
};

describe('the page that asks before a server is started', () => {
	it('shows everything as text, and suggests nothing suspicious', async () => {
		await openStart(model);
		expect(document.querySelector('h1')?.textContent).toBe('Start the MCP server evil‹U+202E› <b>?');
		const shown = [...document.querySelectorAll('.exact')].map((element) => element.textContent);
		expect(shown).toEqual(['<img src=x>', 'NODE_OPTIONS=x‹U+000A›']);
		expect(document.querySelectorAll('img, a, b')).toHaveLength(0);
		expect(document.querySelectorAll('.alarm .exact')).toHaveLength(1);
		expect(button('Start Server').className).toBe('secondary');
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

	it('takes one choice', async () => {
		const page = await openStart(model);
		button('Start Server').click();
		button('Start Server').click();
		press('Escape');
		expect(page.sent.map(({ type }) => type)).toEqual(['ready', 'start']);
		expect(page.sent.every((message) => isStartMessage(message))).toBe(true);
	});

	it('is cancelled with Escape', async () => {
		const page = await openStart(model);
		press('Escape');
		expect(page.sent.at(-1)?.type).toBe('cancel');
	});
});
