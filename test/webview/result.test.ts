import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ResultModel } from '../../src/protocol.ts';
import { button, openResult, resultModelOf } from './page.ts';

afterEach(() => vi.restoreAllMocks());

const FAILURE = { what: 'It was lost.', fix: 'Find it.', signIn: false, restart: false };
const text = (words: string) => ({ type: 'text', text: words });

const body = () => document.querySelector('.body')?.textContent;

describe('a result', () => {
	it('says what ran where, how it ended and how long it took', async () => {
		await openResult({ content: [{ type: 'text', text: 'Done.\n\tReally.' }] });
		expect(document.querySelector('h1')?.textContent).toBe('deploy on demo');
		expect(document.querySelector('.origin')?.textContent).toBe('12:30:05 · server 3.2 s · you 41 s');
		expect(document.querySelector('[role=status]')?.textContent).toBe('The tool finished.');
		expect(body()).toBe('The tool finished.Done.\n\tReally.');
	});

	it('says what it was called with, folded', async () => {
		await openResult({}, { args: { size: 'M', extras: { cheese: true } } });
		const args = document.querySelector('.arguments');
		expect(args?.querySelector('summary')?.textContent).toBe('Arguments {"size":"M","extras":{"cheese":true}}');
		expect(args?.hasAttribute('open')).toBe(false);
		await openResult({});
		expect(document.querySelector('.arguments')).toBeNull();
	});

	it('gives way to the next one of the same tool, with nothing left of itself and the focus where it was', async () => {
		const page = await openResult({ structuredContent: { a: Array(99).fill(0) } });
		document.querySelector('.body details details')?.dispatchEvent(new Event('toggle'));
		expect(document.querySelectorAll('.leaf')).toHaveLength(99);
		button('Call Again').focus();
		page.receive({ type: 'show', model: resultModelOf({ structuredContent: { a: Array(98).fill(0) } }) });
		expect(document.querySelectorAll('.leaf')).toHaveLength(0);
		expect(document.activeElement).toBe(button('Call Again'));
	});

	it('tells of requests that were refused', async () => {
		await openResult({}, { refusals: ['The URL has a user name in it.'] });
		expect(document.querySelector('.warning')?.textContent).toBe(
			'A request of the server was refused: The URL has a user name in it.',
		);
	});

	it.each([
		[0, 0, 0, 'server 0 ms'],
		[59_400, 61_000, 0, 'server 59 s · you 1 min 1 s'],
		[119_800, 0, 0, 'server 2 min 0 s'],
		[30, 0, 41, 'server 30 ms · automatic 41 ms'],
		[30, 2000, 41, 'server 30 ms · you 2.0 s · automatic 41 ms'],
	])('tells times: %d, %d and %d ms', async (server, person, automatic, shown) => {
		await openResult({}, { times: { server, person, automatic } });
		expect(document.querySelector('.origin')?.textContent).toBe(`12:30:05 · ${shown}`);
	});

	it('has an error on top, in the words of the tool', async () => {
		await openResult({ content: [{ type: 'text', text: 'The disk is full.' }] }, { isError: true });
		expect(document.querySelector('.blocked')?.textContent).toBe('The tool reported an error.');
		expect(body()).toBe('The tool reported an error.The disk is full.');
	});

	it.each<[string, Partial<ResultModel>, string[], string[]]>([
		['success', {}, [], ['Open as JSON']],
		['a tool error', { isError: true }, [], ['Open as JSON', 'Show Log']],
		['a failure', { failure: { ...FAILURE, signIn: true } }, ['Sign In'], ['Show Log']],
		['a lost server', { failure: { ...FAILURE, restart: true } }, ['Restart Server'], ['Show Log']],
	])('has its buttons in one place and order after %s', async (_what, model, primary, last) => {
		await openResult({}, model);
		const texts = (selector: string) =>
			[...document.querySelectorAll(`header ${selector}`)].map(({ textContent }) => textContent);
		const again = model.failure?.signIn ? [] : ['Call Again'];
		expect(texts('button')).toEqual([...primary, ...again, 'Edit Arguments…', 'Show Timeline', ...last]);
		expect(texts('button.primary')).toEqual(primary);
	});

	it('of a call that failed says what happened and what to do, and offers to call again', async () => {
		const page = await openResult(undefined, { failure: FAILURE });
		expect(document.querySelector('.blocked')?.textContent).toBe('The call failed.');
		expect(body()).toBe('The call failed.It was lost.Find it.');
		button('Call Again').click();
		button('Show Log').click();
		expect(page.sent.slice(1)).toEqual([{ type: 'callAgain' }, { type: 'log' }]);
	});

	it('offers to call again, and to edit the arguments if there are any', async () => {
		const page = await openResult({});
		button('Call Again').click();
		button('Edit Arguments…').click();
		expect(page.sent.slice(1)).toEqual([{ type: 'callAgain' }, { type: 'editArguments' }]);
		await openResult({}, { takesArguments: false });
		expect(() => button('Edit Arguments…')).toThrow();
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
		const page = await openResult(undefined, { failure: { ...FAILURE, signIn: true } });
		button('Sign In').click();
		expect(page.sent.slice(1)).toEqual([{ type: 'callAgain' }]);
	});

	it('of a call that needs a restart offers that, too', async () => {
		const page = await openResult(undefined, { failure: { ...FAILURE, restart: true } });
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
		expect(body()).toContain('This image cannot be shown (image/png).Done.');
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
		expect(body()).toBe(`The tool finished.${shown}`);
	});

	it.each<[string, object, string]>([
		['text that is JSON', { content: [text('{"n":{"x":[1]}}')] }, '{1}n: {1}x: [1]0: 1'],
		['text in a member', { structuredContent: { a: '[7]' } }, 'Structured content{1}a: text, as JSON: [1]0: 7'],
		['a scalar', { content: [text('42')] }, '42'],
		['nothing much', { content: [text('{}')] }, '{}'],
		['what is none', { content: [text('{"a":')] }, '{"a":'],
		[
			'structured content that is sent as text, too',
			{ content: [text('{ "a": 725653563933458433 }')], structuredContent: { a: '\udc00725653563933458433' } },
			'Structured content, also sent as text{1}a: 725653563933458433',
		],
	])('shows %s as the tree that it is', async (_what, result, shown) => {
		await openResult(result);
		expect(body()).toBe(`The tool finished.${shown}`);
	});

	it('does not read text that is nested beyond reason', async () => {
		const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
		await openResult({ content: [text(deep)] });
		expect(document.querySelector('.tree')).toBeNull();
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
			'The server sent the prompt.A greeting.userHello.assistantEmbedded resourcea:bInside.userUnknown kind of content[0]?Unknown kind of contentundefined',
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
		expect(json).toMatchObject({ text: 'a:jsonapplication/json{1}a: 1Save As…' });
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
		expect(body()).toContain('The result is empty.');
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
		button('Open as JSON').click();
		button('Show Timeline').click();
		expect(page.sent).toEqual([{ type: 'ready' }, { type: 'openJson' }, { type: 'timeline' }]);
	});
});
