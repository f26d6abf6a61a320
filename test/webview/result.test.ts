import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ResultModel } from '../../src/protocol.ts';
import { button, openResult } from './page.ts';

afterEach(() => vi.restoreAllMocks());

const body = () => document.querySelector('.body')?.textContent;

describe('a result', () => {
	it('says what ran where, how it ended and how long it took', async () => {
		await openResult({ content: [{ type: 'text', text: 'Done.\n\tReally.' }] });
		expect(document.querySelector('h1')?.textContent).toBe('deploy on demo');
		expect(document.querySelector('.origin')?.textContent).toBe('server 3.2 s · you 41 s');
		expect(document.querySelector('[role=status]')?.textContent).toBe('The tool finished.');
		expect(body()).toBe('Done.\n\tReally.');
	});

	it.each([
		[0, 0, 0, 'server 0 ms'],
		[59_400, 61_000, 0, 'server 59 s · you 1 min 1 s'],
		[119_800, 0, 0, 'server 2 min 0 s'],
		[30, 0, 41, 'server 30 ms · automatic 41 ms'],
		[30, 2000, 41, 'server 30 ms · you 2.0 s · automatic 41 ms'],
	])('tells times: %d, %d and %d ms', async (server, person, automatic, shown) => {
		await openResult({}, { times: { server, person, automatic } });
		expect(document.querySelector('.origin')?.textContent).toBe(shown);
	});

	it('marks an error in words', async () => {
		await openResult({ content: [] }, { isError: true });
		expect(document.querySelector('.blocked')?.textContent).toBe('The tool reported an error.');
	});

	it('of a call that failed says what happened and what to do, and offers to call again', async () => {
		const failure = { what: 'It was lost.', fix: 'Find it.', signIn: false, restart: false };
		const page = await openResult(undefined, { failure });
		expect(document.querySelector('.blocked')?.textContent).toBe('The call failed.');
		expect(body()).toBe('It was lost.Find it.');
		button('Call Again').click();
		button('Show Log').click();
		expect(page.sent.slice(1)).toEqual([{ type: 'callAgain' }, { type: 'log' }]);
	});

	it('offers to call again, and to edit the arguments if there are any', async () => {
		const page = await openResult({});
		button('Call Again').click();
		button('Edit Arguments').click();
		expect(page.sent.slice(1)).toEqual([{ type: 'callAgain' }, { type: 'editArguments' }]);
		await openResult({}, { takesArguments: false });
		expect(() => button('Edit Arguments')).toThrow();
	});

	it('is not called again over and over while Enter is held down', async () => {
		await openResult({});
		const press = (repeat: boolean) =>
			button('Call Again').dispatchEvent(
				new KeyboardEvent('keydown', { key: 'Enter', repeat, bubbles: true, cancelable: true }),
			);
		// A browser clicks unless the key is prevented.
		expect([press(false), press(true)]).toEqual([true, false]);
	});

	it('of a call that lacks a sign-in offers that, and calls again', async () => {
		const failure = { what: 'Not signed in.', fix: 'Sign in.', signIn: true, restart: false };
		const page = await openResult(undefined, { failure });
		button('Sign In').click();
		expect(page.sent.slice(1)).toEqual([{ type: 'callAgain' }]);
	});

	it('of a call that needs a restart offers that, too', async () => {
		const failure = { what: 'It is silent.', fix: 'Restart it.', signIn: false, restart: true };
		const page = await openResult(undefined, { failure });
		button('Restart Server').click();
		button('Call Again').click();
		expect(page.sent.slice(1)).toEqual([{ type: 'restart' }, { type: 'callAgain' }]);
	});

	it('shows pictures and sounds of known kinds as data', async () => {
		await openResult({
			content: [
				{ type: 'image', data: 'AA\nAA', mimeType: 'IMAGE/PNG' },
				{ type: 'audio', data: 'AAAA', mimeType: 'audio/mpeg' },
			],
		});
		expect(document.querySelector('img')?.getAttribute('src')).toBe('data:image/png;base64,AAAA');
		expect(document.querySelector('img')?.alt).toBe('Image, image/png');
		expect(document.querySelector('audio')?.getAttribute('src')).toBe('data:audio/mpeg;base64,AAAA');
		document.querySelector('img')?.dispatchEvent(new Event('error'));
		expect(document.querySelector('img')).toBeNull();
		expect(body()).toContain('This image cannot be shown (IMAGE/PNG).');
	});

	it('shows what else there is beside an image of many spaces at once', async () => {
		const start = performance.now();
		const image = { type: 'image', data: `${' '.repeat(200_000)}!`, mimeType: 'image/png' };
		await openResult({ content: [image, { type: 'text', text: 'Done.' }] });
		expect(body()).toBe('This image cannot be shown (image/png).Done.');
		expect(performance.now() - start).toBeLessThan(3_000);
	});

	it.each([
		[{ type: 'image' }, 'This image cannot be shown (?).'],
		[{ type: 'image', data: 'AAAA', mimeType: 'image/svg+xml' }, 'This image cannot be shown (image/svg+xml).'],
		[{ type: 'audio', data: 7, mimeType: 'audio/wav' }, 'This audio cannot be played (audio/wav).'],
		[{ type: 'resource_link', uri: 'file:///x', name: 'n' }, 'Link to a resourcenfile:///x'],
		[
			{ type: 'resource', resource: { uri: 'a:b', blob: 'AAAA' } },
			'Embedded resourcea:b3 bytes of binary data, not shown.',
		],
		[{ type: 'resource' }, 'Unknown kind of content{1}type: "resource"'],
		[{ type: 'text', text: 1 }, 'Unknown kind of content{2}type: "text"text: 1'],
		[null, 'Unknown kind of contentnull'],
	])('shows %j', async (block, shown) => {
		await openResult({ content: [block] });
		expect(body()).toBe(shown);
	});

	it('draws a branch of the structured content when it is opened, and bounds it', async () => {
		await openResult({ structuredContent: { list: Array.from({ length: 5000 }, (_each, at) => at) } });
		expect(document.querySelectorAll('.leaf')).toHaveLength(0);
		const branch = document.querySelector<HTMLDetailsElement>('details details');
		branch?.dispatchEvent(new Event('toggle'));
		branch?.dispatchEvent(new Event('toggle'));
		expect(document.querySelectorAll('.leaf')).toHaveLength(200);
		expect(body()).toContain('Not shown: 4800 more.');
	});

	it('shows a prompt: what it is, and its messages with their roles', async () => {
		const messages = [
			{ role: 'user', content: { type: 'text', text: 'Hello.' } },
			{ role: 'assistant', content: { type: 'resource', resource: { uri: 'a:b', text: 'Inside.' } } },
			{ role: 'user', content: [] },
			null,
		];
		await openResult({ description: 'A greeting.', messages }, { call: { kind: 'prompt', name: 'greet' } });
		expect(document.querySelector('h1')?.textContent).toBe('greet on demo');
		expect(document.querySelector('[role=status]')?.textContent).toBe('The server sent the prompt.');
		expect([...document.querySelectorAll('h2')].map(({ textContent }) => textContent)).toEqual([
			'user',
			'assistant',
			'user',
			'?',
		]);
		expect(body()).toBe(
			'A greeting.userHello.assistantEmbedded resourcea:bInside.userUnknown kind of content[0]?Unknown kind of contentundefined',
		);
	});

	it('shows a resource: text as it is, pictures as pictures, of everything else its size; each can be saved', async () => {
		const contents = [
			{ uri: 'a:json', mimeType: 'application/json', text: '{"a":\n  1}' },
			{ uri: 'a:plain', mimeType: 'text/plain; charset=utf-8', text: 'Words.' },
			{ uri: 'a:png', mimeType: 'image/png', blob: 'AAAA' },
			{ uri: 'a:zip', mimeType: 'application/zip', blob: 'AAAA' },
		];
		const page = await openResult({ contents }, { call: { kind: 'resource', name: 'a:b' } });
		expect(document.querySelector('[role=status]')?.textContent).toBe('The resource was read.');
		const [json, plain, png, zip] = [...document.querySelectorAll('.block')].map((block) => ({
			text: block.textContent,
			isCode: block.querySelector('.text.code') !== null,
			image: block.querySelector('img')?.getAttribute('src'),
		}));
		expect(json).toMatchObject({ text: 'a:jsonapplication/json{"a":\n  1}Save As…', isCode: true });
		expect(plain).toMatchObject({ text: 'a:plaintext/plain; charset=utf-8Words.Save As…', isCode: false });
		expect(png?.image).toBe('data:image/png;base64,AAAA');
		expect(zip?.text).toBe('a:zipapplication/zip3 bytes of binary data, not shown.Save As…');
		document.querySelectorAll<HTMLButtonElement>('.block button')[3]?.click();
		expect(page.sent).toContainEqual({ type: 'save', index: 3 });
	});

	it.each<[ResultModel['call']['kind'], unknown]>([
		...[{}, { content: [] }, null, 'text', [1]].map((result) => ['tool', result] as ['tool', unknown]),
		['prompt', {}],
		['prompt', { messages: [] }],
		['resource', { contents: [] }],
		['resource', null],
	])('says that a result of a %s, %j, is empty', async (kind, result) => {
		await openResult(result, { call: { kind, name: 'x' } });
		expect(body()).toBe('The result is empty.');
	});

	it.each<[what: string, kind: ResultModel['call']['kind'], result: unknown, blocks: number, more: number]>([
		['blocks', 'tool', { content: Array(300).fill({ type: 'text', text: 'x' }) }, 200, 100],
		['contents of a resource', 'resource', { contents: Array(300).fill({ uri: 'a:b', text: 'x' }) }, 200, 100],
		['characters', 'tool', { content: [{ type: 'text', text: 'x'.repeat(200_001) }] }, 1, 1],
	])('bounds the number of %s', async (_what, kind, result, blocks, more) => {
		await openResult(result, { call: { kind, name: 'a:b' } });
		expect(document.querySelectorAll('.block')).toHaveLength(blocks);
		expect(body()).toContain(`Not shown: ${more} more.`);
	});

	it('opens the raw JSON and the call in the timeline on request', async () => {
		const page = await openResult({});
		button('Open Raw JSON').click();
		button('Show Timeline').click();
		expect(page.sent).toEqual([{ type: 'ready' }, { type: 'openJson' }, { type: 'timeline' }]);
	});
});
