import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Field } from '../../src/elicitation/form/fields.ts';
import type { FormModel } from '../../src/protocol.ts';
import { HOSTILE_VALUES, replaced } from '../replaced.ts';
import { openForm, openResult, startTimeline } from './page.ts';
import { callDetail, elicitationDetail, messageDetail, NO_FILTER, rowsOf, TimelineHost } from './timelineHost.ts';

afterEach(() => vi.restoreAllMocks());

const evil = '<img src=x onerror=alert(1)><script>alert(1)</script><a href="command:x">a</a>\u202e{0}';
const shown = evil.replace('\u202e', '‹U+202E›');
const base = { key: `__proto__${evil}`, label: evil, description: evil, required: true, nullable: false };
const options = (count: number) =>
	Array.from({ length: count }, () => ({ value: evil, label: evil, description: evil }));

const fields: Field[] = [
	{ ...base, kind: 'text', entry: 'line', pattern: evil, format: evil },
	{ ...base, kind: 'text', entry: 'date-time' },
	{ ...base, kind: 'number', integer: true },
	{ ...base, kind: 'boolean' },
	{ ...base, kind: 'choice', options: options(3) },
	{ ...base, kind: 'choice', options: options(30).map(({ description: _, ...option }) => option) },
	{ ...base, kind: 'choices', options: options(3) },
	{ ...base, kind: 'choices', options: options(30) },
	{ ...base, kind: 'list', item: 'text' },
	{ ...base, kind: 'const', value: evil },
	{ ...base, kind: 'json' },
];

const model: Partial<FormModel> = {
	server: evil,
	serverTitle: `${evil} `,
	calls: [
		{ kind: 'tool', name: evil },
		{ kind: 'resource', name: evil },
	],
	message: evil,
	title: evil,
	description: evil,
	blocked: evil,
	warnings: [evil],
	findings: [{ pointer: evil, rule: 'x', severity: 'info', text: evil }],
	fields,
	inputs: fields.map(() => ({ kind: 'text', text: evil })),
};

function expectNoMarkup(): void {
	expect(document.body.querySelectorAll('script, a, [onerror], [src]')).toHaveLength(0);
	expect(document.body.textContent).not.toContain('\u202e');
}

describe('hostile text', () => {
	it('never becomes markup in a form, and is isolated', async () => {
		const page = await openForm(model);
		page.review([{ field: 0, text: evil }, { text: evil }], true);
		expectNoMarkup();
		const walker = document.createTreeWalker(page.root, NodeFilter.SHOW_TEXT);
		for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
			if (node.textContent?.includes('onerror')) {
				expect(node.parentElement?.closest('bdi, textarea, option[dir=auto]')).not.toBeNull();
			}
		}
		expect(document.querySelector('blockquote')?.textContent).toBe(shown);
		expect(document.querySelector('form')?.getAttribute('aria-label')).toBe(shown);
	});

	it('is not taken for a placeholder when it stands in a translated sentence', async () => {
		await openForm({ server: '{0}{1}' });
		expect(document.querySelector('.recipient')?.textContent).toBe('Sent to {0}{1} only');
	});

	it('never becomes markup in a result', async () => {
		const result = {
			content: [
				{ type: 'text', text: evil },
				{ type: 'image', data: evil, mimeType: 'image/png' },
				{ type: 'image', data: 'AAAA', mimeType: 'image/svg+xml' },
				{ type: 'image', data: 'AAAA', mimeType: 'image/png;base64,x" onerror="' },
				{ type: 'audio', data: 'AAAA', mimeType: `audio/${evil}` },
				{ type: 'resource_link', uri: 'command:evil', name: evil, description: evil, mimeType: evil },
				{ type: 'resource', resource: { uri: evil, text: evil } },
				{ type: evil, [evil]: evil },
			],
			structuredContent: JSON.parse(`{"__proto__": ${JSON.stringify(evil)}}`),
		};
		await openResult(result, { server: evil, call: { kind: 'tool', name: evil } });
		expectNoMarkup();
		expect(document.body.textContent).toContain('__proto__');
		expect(document.body.textContent).toContain('command:evil');
	});

	it.each([
		['prompt', { description: evil, messages: [{ role: evil, content: { type: 'text', text: evil } }] }],
		[
			'resource',
			{
				contents: [
					{ uri: evil, mimeType: evil, text: evil },
					{ uri: 'javascript:evil', mimeType: 'image/svg+xml', blob: 'AAAA' },
					{ uri: evil, mimeType: 'image/png', blob: evil },
				],
			},
		],
	] as const)('never becomes markup in a %s', async (kind, result) => {
		await openResult(result, { server: evil, call: { kind, name: evil } });
		expectNoMarkup();
		expect(document.body.textContent).toContain(shown);
	});

	it.each([
		[
			'tool',
			{
				content: [
					{ type: 'text', text: 'a' },
					{ type: 'image', data: 'AAAA', mimeType: 'image/png' },
					{ type: 'audio', data: 'AAAA', mimeType: 'audio/mp3' },
					{ type: 'resource_link', uri: 'u', name: 'n', title: 't', description: 'd', mimeType: 'text/plain' },
					{ type: 'resource', resource: { uri: 'u', text: 'a' } },
				],
				structuredContent: { a: [{ b: 1 }] },
			},
		],
		['prompt', { description: 'd', messages: [{ role: 'user', content: { type: 'text', text: 'a' } }] }],
		[
			'resource',
			{
				contents: [
					{ uri: 'u', mimeType: 'image/png', blob: 'AAAA' },
					{ uri: 'u', text: 'a' },
				],
			},
		],
	] as const)('does not keep a %s from being shown, whichever value is replaced', async (kind, result) => {
		for (const by of HOSTILE_VALUES.slice(0, 2)) {
			for (const copy of replaced(result, by)) {
				await openResult(copy, { call: { kind, name: 'n' } });
				expect(document.querySelector('.body'), JSON.stringify(copy)).not.toBeNull();
			}
		}
	});

	it('never becomes markup in the timeline', async () => {
		const page = await startTimeline();
		const host = new TimelineHost(
			(message) => page.receive(message),
			rowsOf(5).map((row) => ({ ...row, key: `${row.key}${evil}`, label: evil, detail: evil })),
		);
		host.more = { servers: [evil, 'x'], methods: [evil], only: evil, found: { messages: 1, elicitations: 1 } };
		host.show({ ...NO_FILTER, text: evil, server: evil, method: evil });
		expect(document.querySelectorAll('[role=treeitem]')).toHaveLength(6);
		expectNoMarkup();
		const json = { text: JSON.stringify({ [evil]: evil }), cut: 0 };
		const link = { key: evil, text: evil };
		for (const detail of [
			callDetail(evil, {
				server: evil,
				call: { kind: 'tool', name: evil },
				elicitations: [link],
				args: json,
				result: json,
				failure: evil,
			}),
			elicitationDetail(evil, {
				server: evil,
				message: evil,
				stateText: evil,
				reason: evil,
				calls: [link],
				url: evil,
				fields,
				findings: [{ pointer: evil, rule: evil, severity: 'warning', text: evil }],
				answer: json,
				request: json,
			}),
			messageDetail(evil, { server: evil, label: evil, call: link, counterpart: { ...link, answers: false }, json }),
		]) {
			page.receive({ type: 'detail', detail });
			expect(document.querySelector('.details')?.textContent).toContain('<script>');
			expectNoMarkup();
		}
		vi.unstubAllGlobals();
	});

	it('a message is shown whole, with its line breaks', async () => {
		const message = 'line\n'.repeat(20_000);
		await openForm({ message });
		expect(document.querySelector('blockquote')?.textContent).toBe(message);
	});
});
