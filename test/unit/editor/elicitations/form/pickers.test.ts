import { describe, expect, it } from 'vitest';
import { Draft } from '../../../../../src/editor/elicitations/form/draft.ts';
import {
	type Picker,
	type PickerItem,
	PickerSequence,
	type PickerTexts,
} from '../../../../../src/editor/elicitations/form/pickerModel.ts';
import { native } from '../../../../../src/elicitation/display.ts';
import type { Field } from '../../../../../src/elicitation/form/fields.ts';
import { Form } from '../../../../../src/elicitation/form/form.ts';
import type { JsonObject } from '../../../../../src/elicitation/json.ts';
import { english } from '../../../../../src/elicitation/sentence.ts';
import { type Act, cases } from '../../../../field/schemas/case.ts';
import { isOptional } from '../../../../field/schemas/person.ts';
import { Bench } from '../../../validation/validationBench.ts';

const bench = new Bench();

const person: JsonObject = {
	type: 'object',
	properties: {
		name: { type: 'string', title: 'Name', minLength: 2 },
		color: { type: 'string', title: 'Color', enum: ['red', 'green'] },
		terms: { type: 'boolean', title: 'Terms' },
		days: { type: 'array', title: 'Days', items: { type: 'string', enum: ['Mon', 'Tue', 'Wed'] } },
	},
	required: ['name', 'terms'],
};

/** A user in front of the pickers of a form. */
class User {
	readonly #sequence: PickerSequence;
	#picker: Picker | undefined;
	readonly draft: Draft;

	constructor(schema: JsonObject, texts: Partial<PickerTexts> = {}, draft = new Draft(new Form(schema, bench))) {
		this.draft = draft;
		const all = { server: 's', calls: [], message: 'Who are you?', warnings: [], ...texts };
		this.#sequence = new PickerSequence(draft, all, english);
	}

	get outcome(): unknown {
		return this.#sequence.outcome;
	}

	/** The picker on the screen. */
	async sees(): Promise<Picker> {
		if (!this.#sequence.current) {
			this.#picker = await this.#sequence.next();
		}
		return this.#picker as Picker;
	}

	async title(): Promise<string> {
		return (await this.sees()).title;
	}

	async rows(): Promise<readonly PickerItem[]> {
		const picker = await this.sees();
		return picker.kind === 'text' ? [] : picker.items;
	}

	/** Labels of all rows but separators. */
	async labels(): Promise<string[]> {
		return (await this.rows()).filter(({ kind }) => kind === undefined).map(({ label }) => label);
	}

	async value(): Promise<string | undefined> {
		const picker = await this.sees();
		return picker.kind === 'text' ? picker.value : undefined;
	}

	/** Types and presses Enter. Resolves to the problem. */
	async enters(text: string): Promise<string | undefined> {
		await this.sees();
		return this.#sequence.accept(text);
	}

	/** Selects rows and presses Enter. */
	async picks(...labels: string[]): Promise<string | undefined> {
		const rows = await this.rows();
		const picked = labels.map(
			(label) => rows.find((row) => row.label === label) ?? rows.find((row) => row.label.endsWith(label)),
		);
		expect(picked).not.toContain(undefined);
		return this.#sequence.accept(picked as PickerItem[]);
	}

	/** Presses Enter without having moved. */
	async pressesEnter(): Promise<string | undefined> {
		const picker = await this.sees();
		if (picker.kind === 'text') {
			return this.#sequence.accept(picker.value);
		}
		const selected = picker.kind === 'one' ? [picker.active] : picker.selected;
		return this.#sequence.accept(selected.filter((row) => row !== undefined));
	}

	/** Presses a button of the title bar while this text stands in the box. */
	async presses(kind: Picker['buttons'][number]['kind'], text?: string): Promise<void> {
		const { buttons } = await this.sees();
		expect(buttons.map((button) => button.kind)).toContain(kind);
		this.#sequence.press(kind, text ?? (await this.value()) ?? []);
	}

	/** Everything in the rows, except what accepting them would send. */
	async shows(): Promise<string> {
		return JSON.stringify((await this.rows()).map(({ choice, ...shown }) => shown));
	}

	async escapes(text?: string): Promise<void> {
		const value = await this.value();
		this.#sequence.escape(text ?? value ?? []);
	}

	/** Something else takes the place of the picker. */
	async isInterrupted(text: string): Promise<void> {
		await this.sees();
		this.#sequence.suspend(text);
	}
}

describe('schemas of real servers', () => {
	/** Does to a field what a case says. Resolves to the problem. */
	async function answer(user: User, field: Field, act: Act | undefined): Promise<string | undefined> {
		const skip = field.required ? 'Empty (null)' : 'Skip (leave out)';
		const picker = await user.sees();
		const text = act === undefined ? undefined : [act ?? []].flat().join(', ');
		if (picker.kind === 'text') {
			if (text === '' && isOptional(field)) {
				return user.presses('skip', '').then(() => undefined);
			}
			return text === undefined ? user.pressesEnter() : user.enters(text);
		}
		if (picker.kind === 'many') {
			return act === undefined ? user.pressesEnter() : user.picks(...[act ?? []].flat().map((label) => native(label)));
		}
		if (act === undefined && picker.active?.choice !== undefined) {
			return user.pressesEnter();
		}
		if (act === undefined && !isOptional(field)) {
			// There is no way past it.
			expect(await user.labels()).not.toContain(skip);
			return 'This is required.';
		}
		return user.picks(typeof act === 'string' ? native(act) : skip);
	}

	it.each(cases.filter(({ blocked }) => blocked === undefined))(
		'are answered as they are meant, $row: $name',
		async ({ params, enter, content, problems }) => {
			const user = new User((params.requestedSchema ?? params.schema ?? {}) as JsonObject);
			const told: string[] = [];
			for (const field of user.draft.form.fields.filter(({ kind }) => kind !== 'const')) {
				if (told.length === 0 && (await user.title()).includes(native(field.label.slice(0, 8)))) {
					const problem = await answer(user, field, Object.hasOwn(enter, field.key) ? enter[field.key] : undefined);
					told.push(...(problem === undefined ? [] : [`${field.key}: ${problem}`]));
				}
			}
			if (problems === undefined) {
				await user.picks('Accept');
				expect(JSON.stringify(user.outcome)).toBe(JSON.stringify({ action: 'accept', content }));
			}
			const [first] = problems ?? [];
			if (told.length === 0 && first !== undefined) {
				// It is no field's own: the review says it.
				expect(await user.shows()).toContain(first.replace(/^\S+: /, ''));
			} else {
				expect(told).toEqual([first].filter(Boolean));
			}
		},
	);
});

describe('the quick-pick sequence', () => {
	it('asks one field after another, and accepts what its review shows (F02, F13)', async () => {
		const user = new User(person);
		expect(await user.title()).toBe('s · Name * (1/5)');
		expect(await user.sees()).toMatchObject({
			kind: 'text',
			prompt: 'Who are you? — At least 2 characters.',
			placeholder: '',
		});
		await user.enters('Ada');
		expect(await user.title()).toBe('s · Color (2/5)');
		expect(await user.labels()).toEqual(['Who are you?', 'red', 'green', 'Skip (leave out)']);
		await user.picks('green');
		expect(await user.title()).toBe('s · Terms * (3/5)');
		expect(await user.labels()).toEqual(['Who are you?', 'Yes', 'No']);
		await user.picks('No');
		expect(await user.title()).toBe('s · Days (4/5)');
		await user.picks('Wed', 'Mon');
		expect(await user.title()).toBe('s · Review');
		const content = { name: 'Ada', color: 'green', terms: false, days: ['Mon', 'Wed'] };
		const accept = (await user.rows()).find(({ label }) => label === '$(check) Accept');
		expect(accept?.description).toBe(JSON.stringify(content));
		expect(user.outcome).toBeUndefined();
		await user.picks('Accept');
		expect(user.outcome).toEqual({ action: 'accept', content });
	});

	it('stays at a field with a problem, and says what it is', async () => {
		const user = new User(person);
		expect(await user.enters('A')).toBe('At least 2 characters; you have 1.');
		expect(await user.enters('')).toBe('This is required.');
		expect(await user.title()).toBe('s · Name * (1/5)');
	});

	it('says what it demands of a field once, also beside an error', async () => {
		const days = { type: 'array', title: 'Days', description: 'Of work', maxItems: 1 };
		const user = new User({
			properties: {
				code: { type: 'string', title: 'Code', description: 'Of the door', maxLength: 5 },
				days: { ...days, items: { type: 'string', enum: ['Mon', 'Tue'] } },
				numbers: { ...days, items: { type: 'integer' } },
			},
		});
		expect(await user.sees()).toMatchObject({
			prompt: 'Who are you? — Of the door · At most 5 characters.',
			besideError: 'Who are you? — Of the door',
		});
		expect(await user.enters('123456')).toBe('At most 5 characters; you have 6.');
		await user.presses('skip');
		expect(await user.sees()).toMatchObject({ placeholder: 'Of work · Choose at most 1.', besideError: 'Of work' });
		expect(await user.picks('Mon', 'Tue')).toBe('At most one entry; you have 2.');
		await user.picks('Mon');
		expect(await user.sees()).toMatchObject({
			prompt: 'Who are you? — Of work · At most 1 entry. Whole numbers only. — Separate the entries with commas.',
			besideError: 'Who are you? — Of work — Separate the entries with commas.',
		});
	});

	it('shows the title of the whole form as well as its message (F04)', async () => {
		const user = new User({ title: 'Visitors', description: 'Of today', properties: { a: { type: 'string' } } });
		expect(await user.sees()).toMatchObject({ prompt: 'Who are you? — Visitors — Of today' });
	});

	it('shows the description of the whole form at each field and before it is sent (F04)', async () => {
		const user = new User({
			description: 'Deletes $(all) data.\n',
			properties: { a: { type: 'string' }, b: { enum: ['x'] } },
		});
		expect(await user.sees()).toMatchObject({ prompt: 'Who are you? — Deletes $\u200b(all) data.' });
		await user.presses('skip');
		expect((await user.labels()).slice(0, 2)).toEqual(['Who are you?', 'Deletes $\u200b(all) data.']);
		await user.picks('x');
		expect((await user.labels()).slice(0, 2)).toEqual(['Who are you?', 'Deletes $\u200b(all) data.']);
	});

	it.each([
		[['Doe, Jane', 'Max'], '"Doe, Jane", Max', ', Ann', ['Doe, Jane', 'Max', 'Ann']],
		[['two\nlines', ' x '], '"two\\nlines", " x "', ',"a\\q", "b" c,', ['two\nlines', ' x ', '"a\\q"', '"b" c']],
		[['5" pipe', '"'], '5" pipe, "\\""', ' ', ['5" pipe', '"']],
		[['a', 'b'], 'a, b', ',,"c,d" ,', ['a', 'b', 'c,d']],
		[[], '', ',a, b', ['a', 'b']],
		[['', 'a'], ', a', ',b', ['', 'a', 'b']],
	])('keeps the entries of the list %j when another is added', async (entries, line, added, sent) => {
		const user = new User({ properties: { p: { type: 'array', items: { type: 'string' }, default: entries } } });
		expect(await user.value()).toBe(line);
		await user.enters(line + added);
		expect((await user.draft.review()).content).toEqual({ p: sent });
	});

	it('shows all of a description that a placeholder would cut off', async () => {
		const description = `${'Where it runs. '.repeat(8)}Not to be undone.`;
		const user = new User({
			properties: {
				one: { enum: ['x'], description },
				many: { type: 'array', items: { enum: ['x'] }, description },
				short: { enum: ['x'], description: 'Where it runs.' },
			},
		});
		expect((await user.labels()).join('')).toContain(description);
		await user.picks('x');
		expect(await user.sees()).toMatchObject({ prompt: `Who are you? — ${description}` });
		await user.picks('x');
		expect(await user.shows()).not.toContain('Where it runs.');
	});

	it('shows all of the name of a field that the title has to shorten', async () => {
		const title = 'Delete the 25 files in $(old) and all that refer to them?';
		const shown = title.replace('$', '$\u200b');
		const user = new User({
			properties: { a: { type: 'boolean', title }, b: { type: 'string', title }, '$(c)': { type: 'string' } },
		});
		expect(await user.labels()).toContain(shown);
		await user.picks('Yes');
		expect(await user.sees()).toMatchObject({ prompt: `Who are you? — ${shown}` });
		await user.presses('skip');
		expect(await user.sees()).toMatchObject({ prompt: 'Who are you?' });
	});

	it('puts the lines of a description on one, where a placeholder would join their words', async () => {
		const user = new User({ properties: { size: { enum: ['S'], description: 'Which one?\nAsk if in doubt.\n' } } });
		expect(await user.sees()).toMatchObject({
			placeholder: 'Which one? Ask if in doubt.',
			besideError: 'Which one? Ask if in doubt.',
		});
	});

	it('leaves out what is skipped', async () => {
		const user = new User({ properties: { a: { type: 'string' }, b: { type: 'boolean' }, c: { type: 'array' } } });
		await user.presses('skip', 'typed');
		await user.picks('Skip (leave out)');
		await user.presses('skip');
		await user.picks('Accept');
		expect(user.outcome).toEqual({ action: 'accept', content: {} });
	});

	it('leaves out what is skipped also where the server proposes an empty text', async () => {
		const schema = { type: 'object', properties: { note: { type: 'string', default: '' } } };
		const proposed = new User(schema);
		await proposed.pressesEnter();
		expect((await proposed.draft.review()).content).toEqual({ note: '' });
		const skipped = new User(schema);
		await skipped.presses('skip');
		await skipped.presses('back');
		await skipped.pressesEnter();
		expect((await skipped.draft.review()).content).toEqual({});
	});

	it('offers no way around a required field, unless the schema allows null', async () => {
		const properties = { a: { type: 'string' }, b: { type: ['string', 'null'] }, c: { type: ['boolean', 'null'] } };
		const user = new User({ properties, required: ['a', 'b', 'c'] });
		expect((await user.sees()).buttons.map(({ kind }) => kind)).toEqual(['form', 'decline']);
		await user.enters('x');
		expect((await user.sees()).buttons).toContainEqual({ kind: 'skip', tooltip: 'Empty (null)' });
		await user.presses('skip');
		await user.picks('Empty (null)');
		await user.picks('Accept');
		expect(user.outcome).toEqual({ action: 'accept', content: { a: 'x', b: null, c: null } });
	});

	it('chooses nothing on Enter that the server has not proposed', async () => {
		const user = new User({
			properties: { a: { type: 'boolean' }, b: { type: 'string', enum: ['x', 'y'], default: 'y' } },
			required: ['a', 'b'],
		});
		await user.pressesEnter();
		expect(await user.title()).toBe('s · a * (1/3)');
		await user.picks('Yes');
		await user.pressesEnter();
		expect(await user.title()).toBe('s · Review');
		await user.pressesEnter();
		expect(user.outcome).toBeUndefined();
		await user.picks('Accept');
		expect(user.outcome).toEqual({ action: 'accept', content: { a: true, b: 'y' } });
	});

	it('keeps what was typed when the user goes back', async () => {
		const user = new User({ properties: { a: { type: 'string' }, b: { type: 'string' } } });
		expect((await user.sees()).buttons.map(({ kind }) => kind)).toEqual(['skip', 'form', 'decline']);
		await user.enters('one');
		await user.presses('back', 'two');
		expect([await user.title(), await user.value()]).toEqual(['s · a (1/3)', 'one']);
		await user.pressesEnter();
		expect([await user.title(), await user.value()]).toEqual(['s · b (2/3)', 'two']);
	});

	it('keeps line breaks and lists, which an input box has no room for', async () => {
		const user = new User({
			properties: {
				text: { type: 'string', default: 'a\nb' },
				list: { type: 'array', items: { type: 'integer' }, default: [1, 2] },
			},
		});
		expect(await user.value()).toBe('a⏎b');
		await user.enters('a⏎b⏎c');
		expect(await user.value()).toBe('1, 2');
		await user.enters('1,2, 3');
		await user.picks('Accept');
		expect(user.outcome).toEqual({ action: 'accept', content: { text: 'a\nb\nc', list: [1, 2, 3] } });
	});

	it.each<[string, JsonObject]>([
		['text', { type: 'string', default: ' '.repeat(200_000) }],
		['JSON', { type: 'object', default: { a: ' '.repeat(200_000) } }],
	])('shows a default of many spaces at once: %s', async (_what, p) => {
		const user = new User({ type: 'object', properties: { p } });
		const start = performance.now();
		expect((await user.value())?.length).toBeGreaterThanOrEqual(200_000);
		expect(performance.now() - start).toBeLessThan(2_000);
	});

	it.each([
		['door', { type: 'string', format: 'password' }, 'planted'],
		['door', { type: 'integer', writeOnly: true }, '987654'],
		['api_key', { type: 'array', items: { type: 'string' } }, 'planted'],
	])('hides the secret of %s, %j, also in the review until the user wants to see it', async (name, schema, secret) => {
		const user = new User({ properties: { [name]: schema, other: { type: 'string' } } });
		expect(await user.sees()).toMatchObject({ kind: 'text', password: true });
		await user.enters(secret);
		expect(await user.sees()).toMatchObject({ password: false });
		await user.enters('Ada');
		expect(await user.shows()).toContain('"description":"Ada"');
		expect(await user.shows()).toContain('"description":"••••••"');
		expect(await user.shows()).not.toContain(secret);
		await user.presses('show');
		expect(await user.shows()).toContain(secret);
		await user.presses('hide');
		expect(await user.shows()).not.toContain(secret);
		await user.picks('Accept');
		expect(JSON.stringify(user.outcome)).toContain(secret);
	});

	it('warns of a secret at its field, and not again', async () => {
		const user = new User({ properties: { token: { type: 'string', minLength: 8 } } });
		expect(await user.sees()).toMatchObject({
			prompt:
				'Who are you? — At least 8 characters. This looks like a secret. Servers must not ask for secrets in forms.',
		});
		await user.enters('12345678');
		expect(await user.shows()).not.toContain('looks like a secret');
	});

	it.each([
		['Name', 'Two or more letters', 'Two or more letters · At least 2 characters.'],
		['Name', 'As in the passport.', 'As in the passport. At least 2 characters.'],
		['Name', 'At least 2 letters', 'At least 2 letters'],
		['Name (min. 2 letters)', undefined, ''],
	])('does not repeat what the server has said: %s, %s', async (title, description, shown) => {
		const name = { type: 'string', minLength: 2, title, ...(description && { description }) };
		const user = new User({ properties: { name } });
		expect(await user.sees()).toMatchObject({ prompt: ['Who are you?', shown].filter(Boolean).join(' — ') });
	});

	it('says which call asks, and shortens long names so that the field and its number stay visible', async () => {
		const calls = [{ name: 'deploy' }];
		expect(await new User(person, { calls }).title()).toBe('s · deploy · Name * (1/5)');
		expect(await new User(person, { calls: [...calls, { name: 'other' }] }).title()).toBe('s · Name * (1/5)');
		expect(await new User({ properties: {} }, { calls }).title()).toBe('s · deploy · Review');
		const long = { properties: { ['field '.repeat(20)]: {} }, required: ['field '.repeat(20)] };
		expect(await new User(long, { server: 'server', calls: [{ name: 'tool-'.repeat(20) }] }).title()).toBe(
			'server · tool-tool-tool-tool-t… · field field field fie… * (1/2)',
		);
	});

	it('can be declined at every step', async () => {
		const user = new User(person);
		await user.enters('Ada');
		await user.presses('decline');
		expect(user.outcome).toEqual({ action: 'decline' });
	});

	it('breaks a long message into rows, of which Enter chooses none (F04)', async () => {
		const user = new User({ properties: {} }, { message: `${'word '.repeat(20)}\n${'汉字'.repeat(50)}` });
		const [first, ...rest] = await user.labels();
		expect(first).toBe('word '.repeat(16));
		expect(rest.slice(0, 5)).toEqual([
			'word '.repeat(4),
			'汉字'.repeat(21),
			'汉字'.repeat(21),
			'汉字'.repeat(8),
			'$(check) Accept',
		]);
		await user.pressesEnter();
		expect(user.outcome).toBeUndefined();
	});
});

describe('Escape', () => {
	it('cancels at once when nothing was entered (F14)', async () => {
		const user = new User(person);
		await user.escapes();
		expect(user.outcome).toEqual({ action: 'cancel' });
	});

	it('asks once before it throws away what was entered or only typed (F14)', async () => {
		const user = new User(person);
		await user.escapes('Ada');
		expect(await user.sees()).toMatchObject({ placeholder: 'Discard what you entered?' });
		expect(await user.labels()).toEqual(['$(edit) Keep Editing', '$(trash) Discard what you entered and cancel']);
		await user.pressesEnter();
		expect([await user.title(), await user.value()]).toEqual(['s · Name * (1/5)', 'Ada']);
		await user.escapes();
		await user.escapes();
		expect(await user.title()).toBe('s · Name * (1/5)');
		await user.escapes();
		await user.picks('Discard what you entered and cancel');
		expect(user.outcome).toEqual({ action: 'cancel' });
	});

	it('asks also before it throws away what was entered as JSON and is in no field (F14)', async () => {
		const draft = new Draft(new Form(person, bench));
		draft.enter(draft.inputs, { extra: 'a long text' });
		const user = new User(person, {}, draft);
		await user.escapes();
		expect(await user.sees()).toMatchObject({ placeholder: 'Discard what you entered?' });
	});
});

describe('the review', () => {
	it('leads back to each field, and says what is wrong with it', async () => {
		const draft = new Draft(new Form(person, bench));
		draft.step = 4;
		const user = new User(person, {}, draft);
		const rows = await user.rows();
		expect(rows.find(({ label }) => label === '$(error) Name *')).toMatchObject({
			description: 'no response yet',
			detail: 'This is required.',
		});
		expect(rows.find(({ label }) => label.includes('Accept'))).toBeUndefined();
		await user.picks('Terms *');
		expect(await user.title()).toBe('s · Terms * (3/5)');
		await user.picks('Yes');
		expect(await user.title()).toBe('s · Review');
		await user.picks('Name *');
		await user.presses('back', 'Ada');
		expect(await user.title()).toBe('s · Review');
		await user.picks('Accept');
		expect(user.outcome).toEqual({ action: 'accept', content: { name: 'Ada', terms: true } });
	});

	it('does not speak of lines to change where there are none', async () => {
		expect(await new User({ properties: {} }).sees()).toMatchObject({
			placeholder: 'There is nothing to enter. Accept or decline.',
		});
		expect(await new User(person, { blocked: 'Not possible.' }).sees()).toMatchObject({ placeholder: '' });
	});

	it.each(['Decline', 'Cancel'])('ends with %s', async (label) => {
		const user = new User({ properties: {} });
		await user.picks(label);
		expect(user.outcome).toEqual({ action: label.toLowerCase() });
	});

	it('shows warnings, and why a request cannot be accepted', async () => {
		const user = new User(person, { warnings: ['Careful.'], blocked: 'Not possible.' });
		expect(await user.rows()).toEqual(
			expect.arrayContaining([
				{ label: '$(warning)', description: 'Careful.' },
				{ label: '$(error)', description: 'Not possible.' },
			]),
		);
		expect(await user.labels()).not.toContain('$(check) Accept');
	});

	it('shows no icon of the server', async () => {
		const user = new User({ properties: { '$(check) Accept': { type: 'string' } } }, { message: '$(check) Accept' });
		await user.presses('skip');
		expect((await user.labels()).filter((label) => label.startsWith('$(check)'))).toEqual(['$(check) Accept']);
	});
});

describe('a sequence that is left', () => {
	it('for the form hands over what was typed (F03)', async () => {
		const user = new User(person);
		await user.presses('form', 'Ada');
		expect(user.outcome).toEqual({ action: 'form' });
		expect(user.draft.inputs[0]).toEqual({ kind: 'text', text: 'Ada' });
	});

	it('enters no empty list into a required selection that nobody has touched', async () => {
		const days = { type: 'array', title: 'Days', items: { type: 'string', enum: ['Mon', 'Tue'] } };
		const schema = { type: 'object', properties: { days }, required: ['days'] };
		const user = new User(schema);
		await user.presses('form');
		expect(user.draft.inputs).toEqual([{ kind: 'choices', indexes: null }]);
		const canceled = new User(schema);
		await canceled.escapes();
		expect(canceled.outcome).toEqual({ action: 'cancel' });
		const confirmed = new User(schema);
		await confirmed.picks();
		expect(confirmed.draft.inputs).toEqual([{ kind: 'choices', indexes: [] }]);
	});

	it('because something else opened goes on where it was', async () => {
		const user = new User(person);
		await user.enters('Ada');
		await user.picks('Skip (leave out)');
		await user.presses('back');
		await user.presses('back');
		await user.isInterrupted('Grace');
		expect(user.outcome).toEqual({ action: 'suspended' });
		const back = new User(person, {}, user.draft);
		expect([await back.title(), await back.value()]).toEqual(['s · Name * (1/5)', 'Grace']);
	});
});
