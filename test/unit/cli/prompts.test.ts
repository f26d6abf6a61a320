import { PassThrough } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
import { Prompts } from '../../../src/cli/prompts.ts';
import type { JsonObject } from '../../../src/elicitation/json.ts';
import { World } from '../elicitation/world.ts';

const KEYS: Readonly<Record<string, string>> = { '⏎': '\r', '^X': '\u0018', '^C': '\u0003', '⇧': '\u001b[A' };

/** A person at a terminal, who types what a test says when a question appears. */
class Terminal {
	readonly world = new World();
	readonly input = new PassThrough();
	readonly output = new PassThrough();
	readonly prompts: Prompts;
	screen = '';
	interruptions = 0;
	#read = 0;

	constructor() {
		this.output.on('data', (data) => {
			this.screen += data;
		});
		const { registry } = this.world;
		const tell = (text: string) => this.output.write(`${text}\n`);
		this.prompts = new Prompts(this, registry, tell, () => this.interruptions++);
		registry.onDidAsk((elicitation) => this.prompts.ask(elicitation));
	}

	/** Shows a request to the person. */
	ask(request: JsonObject) {
		const calls = [this.world.call()];
		const origin = { server: 's', connection: 'c', intake: 'request', revision: '2025-11-25', calls } as const;
		return this.world.registry.add(request as never, { ...origin, params: request });
	}

	/**
	 * Follows a transcript: waits until the text before each `→` appears after the one before, and types what is after it. A
	 * line without `→` only has to appear; all of it, unless it ends with `…`.
	 */
	async follow(transcript: string): Promise<void> {
		for (const line of transcript.trim().split(/\n\t*/)) {
			const [question = '', keys] = line.split('→');
			const text = keys === undefined ? `${question}\n`.replace('…\n', '') : question;
			await expect.poll(() => this.screen.indexOf(text, this.#read), { interval: 5 }).toBeGreaterThanOrEqual(0);
			this.#read = this.screen.indexOf(text, this.#read) + text.length;
			this.input.write((keys ?? '').replaceAll(/⏎|\^.|⇧/g, (key) => KEYS[key] ?? ''));
		}
	}
}

let terminal: Terminal;
afterEach(() => terminal.prompts.dispose());

const form = (properties: JsonObject, more: JsonObject = {}, message = 'Who are you?') => ({
	...{ mode: 'form', message },
	requestedSchema: { type: 'object', properties, ...more },
});
const password = { type: 'string', format: 'password' };
const listOf = (...values: string[]) => ({ type: 'array', items: { type: 'string', enum: values } });

const ACCEPT = 'Accept, edit, decline, or cancel?→a⏎';

it.each<[what: string, request: JsonObject, transcript: string, content: JsonObject | 'decline' | 'cancel']>([
	[
		'asks for each field of a form, keeps secrets off the screen, and sends what was entered',
		form(
			{
				name: { type: 'string', title: 'Your name', description: 'As in your passport' },
				code: password,
				age: { type: 'integer', minimum: 18 },
				size: { type: 'string', enum: ['S', 'M'], default: 'M' },
				colors: listOf('red', 'blue', 'green'),
				member: { type: 'boolean' },
				note: { type: 'string' },
			},
			{ required: ['name', 'age'] },
		),
		`As in your passport
		Your name (text, required): →Ada⏎
		code (password, optional): →planted⏎
		age (integer, required): →⏎
		size (a number of the list, optional, Enter for 2, Ctrl+X for no value): →3⏎
		! That is none of the possible values.…
		size (→⏎
		colors (→1, blue⏎
		member (y or n, optional): →y⏎
		note (text, optional): →⏎
		! age: This is required.…
		Correct it (Enter), decline, or cancel?→⏎
		age (→70⏎
		${ACCEPT}`,
		{ name: 'Ada', code: 'planted', age: 70, size: 'M', colors: ['red', 'blue'], member: true },
	],
	[
		'says what Enter keeps, and keeps nothing that was wrong',
		form({
			place: { type: 'string', default: 'Rome' },
			age: { type: 'integer' },
			code: password,
			colors: { ...listOf('red', 'blue'), default: [] },
		}),
		`place (text, optional, Enter for "Rome", Ctrl+X for no value): →Oslo⏎
		age (integer, optional): →old⏎
		code (password, optional): →planted⏎
		colors (numbers of the list, separated by commas, optional, Enter for none, Ctrl+X for no value): →⏎
		Correct it (Enter), decline, or cancel?→⏎
		age (integer, optional): →⏎
		Accept, edit, decline, or cancel?→e⏎
		place (text, optional, Enter for "Oslo", Ctrl+X for no value): →⏎
		age (integer, optional): →⏎
		code (password, optional, Enter for the hidden value, Ctrl+X for no value): →⏎
		colors (→⏎
		${ACCEPT}`,
		{ place: 'Oslo', code: 'planted', colors: [] },
	],
	[
		'lets an optional field with a value be left blank by a key, because any text may be a value',
		form(
			{
				place: { type: 'string', default: 'Rome' },
				member: { type: 'boolean', default: true },
				code: { ...password, default: 'planted' },
				size: { type: 'string', enum: ['S', 'M'], default: 'M' },
			},
			{ required: ['size'] },
		),
		`place (text, optional, Enter for "Rome", Ctrl+X for no value): →Os^X
		member (y or n, optional, Enter for y, Ctrl+X for no value): →^X
		code (password, optional, Enter for the hidden value, Ctrl+X for no value): →^X
		size (a number of the list, required, Enter for 2): →^X⏎
		Accept, edit, decline, or cancel?→^Xa⏎`,
		{ size: 'M' },
	],
	[
		'lets a field be left blank whose default is wrong',
		form({ age: { type: 'integer', default: 1.5 } }),
		`age (integer, optional, Enter for 1.5, Ctrl+X for no value): →⏎
		Correct it (Enter), decline, or cancel?→⏎
		age (integer, optional): →⏎
		${ACCEPT}`,
		{},
	],
	[
		'says how a date is typed, and that a long text is a text',
		form({ day: { type: 'string', format: 'date' }, notes: { type: 'string', maxLength: 500 } }),
		`A date, like 2026-03-31.
		day (date, optional): →⏎
		notes (text, optional): →⏎
		${ACCEPT}`,
		{},
	],
	[
		'says what a field demands, and warns of one that asks for a secret (F16)',
		form({ age: { type: 'integer', description: 'In years', minimum: 18 }, password: { type: 'string' } }),
		`In years · At least 18. Whole number.
		age (→⏎
		This looks like a secret. Servers must not ask for secrets in forms.
		password (→⏎
		${ACCEPT}`,
		{},
	],
	[
		'warns of a message that asks for a secret (F16), and declines',
		form({ answer: { type: 'string' } }, {}, 'Enter your password.'),
		`! The message seems to ask for a secret. Servers must not ask for secrets in forms.
		answer (→⏎
		Accept, edit, decline, or cancel?→d⏎`,
		'decline',
	],
	[
		'says what the schema says about the form as a whole, and cancels',
		form({ name: { type: 'string' } }, { description: 'It is kept for a year.' }),
		`Who are you?
		It is kept for a year.
		name (→⏎
		Accept, edit, decline, or cancel?→c⏎`,
		'cancel',
	],
	[
		'shows each option on a line of its own, with its description',
		form({
			size: { oneOf: [{ const: 'S', title: 'Small\n  2. Large', description: 'Fits in a pocket' }, { const: 'M' }] },
		}),
		`  1. Small‹U+000A›  2. Large — Fits in a pocket
		  2. M
		size (→1⏎
		${ACCEPT}`,
		{ size: 'S' },
	],
	[
		'reads entries in quotes, which may have commas',
		form({
			authors: { type: 'array', items: { type: 'string' }, default: ['Doe, Jane', 'Max'] },
			of: listOf('Red, dark', 'Blue'),
		}),
		`authors (values, separated by commas, optional, Enter for "Doe, Jane", Max, Ctrl+X for no value): →Max, "Doe, Jane"⏎
		of (→2, "Red, dark"⏎
		${ACCEPT}`,
		{ authors: ['Max', 'Doe, Jane'], of: ['Blue', 'Red, dark'] },
	],
	[
		'takes the number of an option in the list, or what the option says, which may be a number',
		form({ a: { enum: [1024, 2] }, b: { enum: [1024, 2] } }),
		`a (a number of the list, optional): →1024⏎
		b (a number of the list, optional): →2⏎
		${ACCEPT}`,
		{ a: 1024, b: 2 },
	],
	[
		'says of a list whose default is empty that Enter is for none',
		form({ tags: { type: 'array', items: { type: 'string' }, default: [] } }),
		`tags (values, separated by commas, optional, Enter for none, Ctrl+X for no value): →⏎
		${ACCEPT}`,
		{ tags: [] },
	],
	[
		'offers nothing that was entered before to whoever presses Up',
		form({ code: password, note: { type: 'string' } }),
		`code (password, optional): →planted⏎
		note (text, optional): →⇧⏎
		${ACCEPT}`,
		{ code: 'planted' },
	],
])('%s', async (_, request, transcript, content) => {
	terminal = new Terminal();
	const elicitation = terminal.ask(request);
	await terminal.follow(transcript);
	await elicitation.ended;
	expect(elicitation.response).toEqual(
		typeof content === 'string' ? { action: content } : { action: 'accept', content },
	);
	expect(terminal.screen).not.toContain('planted');
});

it.each([
	['y', 'accept'],
	['', 'decline'],
])('shows a URL whole with its host, and accepts it only after consent: %j', async (answer, action) => {
	terminal = new Terminal();
	const url = 'https://xn--bcher-kva.example/in?state=abcdef';
	const elicitation = terminal.ask({ mode: 'url', message: 'Sign in', url, elicitationId: 'e' });
	await terminal.follow(`Do you consent to this URL? It is not opened for you. [y/N] →${answer}⏎`);
	await elicitation.outcome;
	expect(terminal.screen).toContain(`URL: ${url}\nHost: xn--bcher-kva.example\n! The host has letters`);
	expect(elicitation.response).toEqual({ action });
});

it('asks again when a server repeats a request that was declined', async () => {
	terminal = new Terminal();
	const { world } = terminal;
	const calls = [world.call()];
	for (const [key, state] of [
		['d', 'declined'],
		['a', 'accepted'],
	]) {
		const asked = world.form('Sure?', { calls });
		await terminal.follow(`Accept, edit, decline, or cancel?→${key}⏎`);
		expect(await asked.ended).toBe(state);
	}
});

it('asks about one request after the other; Ctrl+C cancels them all', async () => {
	terminal = new Terminal();
	const elicitations = [1, 2, 3].map(() => terminal.ask(form({})));
	await terminal.follow(`${ACCEPT}\nAccept, edit, decline, or cancel?→^C`);
	await Promise.all(elicitations.map(({ ended }) => ended));
	const [first, ...others] = elicitations.map(({ response }) => response);
	expect(first).toEqual({ action: 'accept', content: {} });
	expect(others).toEqual([{ action: 'cancel' }, { action: 'cancel' }]);
});

it('interrupts the call when Ctrl+C is pressed while nothing is asked', async () => {
	terminal = new Terminal();
	terminal.input.write('\u0003');
	await expect.poll(() => terminal.interruptions).toBe(1);
	const elicitation = terminal.ask(form({}));
	await terminal.follow(ACCEPT);
	expect(await elicitation.ended).toBe('accepted');
});
