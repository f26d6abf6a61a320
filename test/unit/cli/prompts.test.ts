import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { Prompts } from '../../../src/cli/prompts.ts';
import type { JsonObject } from '../../../src/elicitation/json.ts';
import { World } from '../elicitation/world.ts';
import { stdio, type TestClient, testClients, testServer } from '../mcp/testClient.ts';

const world = testClients();

/** A person at a terminal, who types what a test says when a question appears. */
class Terminal {
	readonly input = new PassThrough();
	readonly output = new PassThrough();
	screen = '';
	#read = 0;

	constructor() {
		this.output.on('data', (data) => {
			this.screen += data;
		});
	}

	readonly tell = (text: string) => this.output.write(`${text}\n`);

	/** Waits until a question appears after the last one, and types. */
	async type(question: string, keys: string): Promise<void> {
		await expect.poll(() => this.screen.indexOf(question, this.#read), { timeout: 10_000 }).toBeGreaterThanOrEqual(0);
		this.#read = this.screen.indexOf(question, this.#read) + question.length;
		this.input.write(keys);
	}
}

/** Calls a tool of a real server; a person at a terminal responds. */
async function calling(here: TestClient, tool: string, args: JsonObject) {
	const terminal = new Terminal();
	let interruptions = 0;
	const prompts = new Prompts(terminal, here.registry, terminal.tell, () => interruptions++);
	here.registry.onDidAsk((elicitation) => prompts.ask(elicitation));
	const connection = await here.connect(stdio('sdk1', testServer('sdk1.mjs')));
	const result = connection.callTool(tool, args).finally(() => prompts.dispose());
	return {
		...{ terminal, connection, interruptions: () => interruptions },
		result: result.then(({ structuredContent }) => structuredContent),
	};
}

const form = (properties: JsonObject, required: readonly string[] = []) => ({
	params: { message: 'Who \u001b[31mare you?', requestedSchema: { type: 'object', properties, required } },
});

it('asks for each field of a form, keeps secrets off the screen, and sends what was entered', async () => {
	const { terminal, result } = await calling(
		world(),
		'ask',
		form(
			{
				name: { type: 'string', title: 'Your name', description: 'As in your passport' },
				code: { type: 'string', format: 'password' },
				age: { type: 'integer', minimum: 18 },
				size: { type: 'string', enum: ['S', 'M'], default: 'M' },
				colors: { type: 'array', items: { type: 'string', enum: ['red', 'blue', 'green'] } },
				member: { type: 'boolean' },
				note: { type: 'string' },
			},
			['name', 'age'],
		),
	);
	await terminal.type('Your name (text, required): ', 'Ada\r');
	await terminal.type('code (password, optional): ', 'planted\r');
	await terminal.type('age (integer, required): ', '\r');
	await terminal.type('size (a number of the list, optional, Enter for 2, Ctrl+X for no value): ', '3\r');
	await terminal.type('size (', '\r');
	await terminal.type('colors (', '1, blue\r');
	await terminal.type('member (y or n, optional): ', 'y\r');
	await terminal.type('note (text, optional): ', '\r');
	await terminal.type('Correct it (Enter), decline, or cancel?', '\r');
	await terminal.type('age (', '70\r');
	await terminal.type('Accept, edit, decline, or cancel?', 'a\r');
	expect(await result).toEqual({
		action: 'accept',
		content: { name: 'Ada', code: 'planted', age: 70, size: 'M', colors: ['red', 'blue'], member: true },
	});
	expect(terminal.screen).toContain('As in your passport');
	expect(terminal.screen).toContain('! That is none of the possible values.');
	expect(terminal.screen).toContain('! age: This is required.');
	expect(terminal.screen).not.toContain('planted');
});

it('says what Enter keeps, and keeps nothing that was wrong', async () => {
	const properties = {
		place: { type: 'string', default: 'Rome' },
		age: { type: 'integer' },
		code: { type: 'string', format: 'password' },
		colors: { type: 'array', items: { type: 'string', enum: ['red', 'blue'] }, default: [] },
	};
	const { terminal, result } = await calling(world(), 'ask', form(properties));
	await terminal.type('place (text, optional, Enter for "Rome", Ctrl+X for no value): ', 'Oslo\r');
	await terminal.type('age (integer, optional): ', 'old\r');
	await terminal.type('code (password, optional): ', 'planted\r');
	await terminal.type(
		'colors (numbers of the list, separated by commas, optional, Enter for none, Ctrl+X for no value): ',
		'\r',
	);
	await terminal.type('Correct it (Enter), decline, or cancel?', '\r');
	await terminal.type('age (integer, optional): ', '\r');
	await terminal.type('Accept, edit, decline, or cancel?', 'e\r');
	await terminal.type('place (text, optional, Enter for "Oslo", Ctrl+X for no value): ', '\r');
	await terminal.type('age (integer, optional): ', '\r');
	await terminal.type('code (password, optional, Enter for the hidden value, Ctrl+X for no value): ', '\r');
	await terminal.type('colors (', '\r');
	await terminal.type('Accept, edit, decline, or cancel?', 'a\r');
	expect(await result).toEqual({ action: 'accept', content: { place: 'Oslo', code: 'planted', colors: [] } });
	expect(terminal.screen).not.toContain('planted');
});

it('lets an optional field with a value be left blank by a key, because any text may be a value', async () => {
	const properties = {
		place: { type: 'string', default: 'Rome' },
		member: { type: 'boolean', default: true },
		code: { type: 'string', format: 'password', default: 'planted' },
		size: { type: 'string', enum: ['S', 'M'], default: 'M' },
	};
	const { terminal, result } = await calling(world(), 'ask', form(properties, ['size']));
	await terminal.type('place (text, optional, Enter for "Rome", Ctrl+X for no value): ', 'Os\u0018');
	await terminal.type('member (y or n, optional, Enter for y, Ctrl+X for no value): ', '\u0018');
	await terminal.type('code (password, optional, Enter for the hidden value, Ctrl+X for no value): ', '\u0018');
	await terminal.type('size (a number of the list, required, Enter for 2): ', '\u0018\r');
	await terminal.type('Accept, edit, decline, or cancel?', '\u0018a\r');
	expect(await result).toEqual({ action: 'accept', content: { size: 'M' } });
	expect(terminal.screen).not.toContain('planted');
});

it('lets a field be left blank whose default is wrong', async () => {
	const { terminal, result } = await calling(world(), 'ask', form({ age: { type: 'integer', default: 1.5 } }));
	await terminal.type('age (integer, optional, Enter for 1.5, Ctrl+X for no value): ', '\r');
	await terminal.type('Correct it (Enter), decline, or cancel?', '\r');
	await terminal.type('age (integer, optional): ', '\r');
	await terminal.type('Accept, edit, decline, or cancel?', 'a\r');
	expect(await result).toEqual({ action: 'accept', content: {} });
});

it('says how a date is typed, and that a long text is a text', async () => {
	const properties = { day: { type: 'string', format: 'date' }, notes: { type: 'string', maxLength: 500 } };
	const { terminal, result } = await calling(world(), 'ask', form(properties));
	await terminal.type('A date, like 2026-03-31.\n', '');
	await terminal.type('day (date, optional): ', '\r');
	await terminal.type('notes (text, optional): ', '\r');
	await terminal.type('Accept, edit, decline, or cancel?', 'a\r');
	expect(await result).toEqual({ action: 'accept', content: {} });
});

it('warns of a message that asks for a secret (F16)', async () => {
	const { params } = form({ answer: { type: 'string' } });
	const { terminal, result } = await calling(world(), 'ask', {
		params: { ...params, message: 'Enter your password.' },
	});
	await terminal.type('! The message seems to ask for a secret. Servers must not ask for secrets in forms.\n', '');
	await terminal.type('answer (', '\r');
	await terminal.type('Accept, edit, decline, or cancel?', 'd\r');
	expect(await result).toEqual({ action: 'decline' });
});

it('says what a field demands, and warns of one that asks for a secret (F16)', async () => {
	const properties = { age: { type: 'integer', description: 'In years', minimum: 18 }, password: { type: 'string' } };
	const { terminal, result } = await calling(world(), 'ask', form(properties));
	await terminal.type('In years · At least 18. Whole number.\n', '');
	await terminal.type('age (', '\r');
	await terminal.type('This looks like a secret. Servers must not ask for secrets in forms.\n', '');
	await terminal.type('password (', '\r');
	await terminal.type('Accept, edit, decline, or cancel?', 'a\r');
	expect(await result).toEqual({ action: 'accept', content: {} });
});

it('shows each option on a line of its own, with its description', async () => {
	const size = { oneOf: [{ const: 'S', title: 'Small\n  2. Large', description: 'Fits in a pocket' }, { const: 'M' }] };
	const { terminal, result } = await calling(world(), 'ask', form({ size: { type: 'string', ...size } }));
	await terminal.type('size (', '1\r');
	await terminal.type('Accept, edit, decline, or cancel?', 'a\r');
	expect(await result).toEqual({ action: 'accept', content: { size: 'S' } });
	expect(terminal.screen).toContain('  1. Small‹U+000A›  2. Large — Fits in a pocket\n  2. M\n');
});

it('reads entries in quotes, which may have commas', async () => {
	const properties = {
		authors: { type: 'array', items: { type: 'string' }, default: ['Doe, Jane', 'Max'] },
		of: { type: 'array', items: { type: 'string', enum: ['Red, dark', 'Blue'] } },
	};
	const { terminal, result } = await calling(world(), 'ask', form(properties));
	const kept = 'Enter for "Doe, Jane", Max';
	await terminal.type(
		`authors (values, separated by commas, optional, ${kept}, Ctrl+X for no value): `,
		'Max, "Doe, Jane"\r',
	);
	await terminal.type('of (', '2, "Red, dark"\r');
	await terminal.type('Accept, edit, decline, or cancel?', 'a\r');
	const content = { authors: ['Max', 'Doe, Jane'], of: ['Blue', 'Red, dark'] };
	expect(await result).toEqual({ action: 'accept', content });
});

it('takes the number of an option in the list, or what the option says, which may be a number', async () => {
	const { terminal, result } = await calling(world(), 'ask', form({ a: { enum: [1024, 2] }, b: { enum: [1024, 2] } }));
	await terminal.type('a (a number of the list, optional): ', '1024\r');
	await terminal.type('b (a number of the list, optional): ', '2\r');
	await terminal.type('Accept, edit, decline, or cancel?', 'a\r');
	expect(await result).toEqual({ action: 'accept', content: { a: 1024, b: 2 } });
});

it('says of a list whose default is empty that Enter is for none', async () => {
	const properties = { tags: { type: 'array', items: { type: 'string' }, default: [] } };
	const { terminal, result } = await calling(world(), 'ask', form(properties));
	await terminal.type('tags (values, separated by commas, optional, Enter for none, Ctrl+X for no value): ', '\r');
	await terminal.type('Accept, edit, decline, or cancel?', 'a\r');
	expect(await result).toEqual({ action: 'accept', content: { tags: [] } });
});

it('offers nothing that was entered before to whoever presses Up', async () => {
	const properties = { code: { type: 'string', format: 'password' }, note: { type: 'string' } };
	const { terminal, result } = await calling(world(), 'ask', form(properties));
	await terminal.type('code (password, optional): ', 'planted\r');
	await terminal.type('note (text, optional): ', '\u001b[A\r');
	await terminal.type('Accept, edit, decline, or cancel?', 'a\r');
	expect(await result).toEqual({ action: 'accept', content: { code: 'planted' } });
	expect(terminal.screen).not.toContain('planted');
});

it('says what the schema says about the form as a whole', async () => {
	const described = { type: 'object', description: 'It is kept for a year.', properties: { name: { type: 'string' } } };
	const { terminal, result } = await calling(world(), 'ask', {
		params: { message: 'Who are you?', requestedSchema: described },
	});
	await terminal.type('Who are you?\nIt is kept for a year.', '');
	await terminal.type('name (', '\r');
	await terminal.type('Accept, edit', 'c\r');
	expect(await result).toEqual({ action: 'cancel' });
});

it('declines and cancels', async () => {
	for (const [key, action] of [
		['d', 'decline'],
		['c', 'cancel'],
	] as const) {
		const { terminal, result } = await calling(world(), 'ask', form({}));
		await terminal.type('Accept, edit, decline, or cancel?', `${key}\r`);
		expect(await result).toEqual({ action });
	}
});

it('asks again when a server repeats a request that was declined', async () => {
	const here = new World();
	const { registry } = here;
	const calls = [here.call()];
	const terminal = new Terminal();
	const prompts = new Prompts(terminal, registry, terminal.tell, () => {});
	registry.onDidAsk((elicitation) => prompts.ask(elicitation));
	const declined = here.form('Sure?', { calls });
	await terminal.type('Accept, edit, decline, or cancel?', 'd\r');
	await declined.ended;
	const repeated = here.form('Sure?', { calls });
	await terminal.type('Accept, edit, decline, or cancel?', 'a\r');
	expect(await repeated.ended).toBe('accepted');
	prompts.dispose();
});

it('asks about one request after the other; Ctrl+C cancels them all', async () => {
	const { params } = form({});
	const { terminal, result } = await calling(world(), 'ask-many', { params: [params, params, params] });
	await terminal.type('Accept, edit', 'a\r');
	await terminal.type('Accept, edit', '\u0003');
	expect(await result).toEqual({
		answers: [{ action: 'accept', content: {} }, { action: 'cancel' }, { action: 'cancel' }],
	});
});

it('interrupts the call when Ctrl+C is pressed while nothing is asked', async () => {
	const { terminal, result, interruptions } = await calling(world(), 'ask', form({}));
	terminal.input.write('\u0003');
	await expect.poll(interruptions).toBe(1);
	await terminal.type('Accept, edit, decline, or cancel?', 'a\r');
	expect(await result).toEqual({ action: 'accept', content: {} });
});

it('shows a URL whole with its host, and accepts it only after consent', async () => {
	const url = 'https://xn--bcher-kva.example/in?state=abcdef';
	const params = { mode: 'url', message: 'Sign in', url, elicitationId: 'e' };
	for (const [answer, action] of [
		['y', 'accept'],
		['', 'decline'],
	] as const) {
		const { terminal, result } = await calling(world(), 'ask', { params });
		await terminal.type('Do you consent to this URL? It is not opened for you. [y/N] ', `${answer}\r`);
		expect(terminal.screen).toContain(`URL: ${url}\nHost: xn--bcher-kva.example\n! The host has letters`);
		expect(await result).toEqual({ action });
	}
});
