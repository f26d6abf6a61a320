import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { registerEscape } from '../../../../../src/editor/common/guardedPicker.ts';
import { Draft } from '../../../../../src/editor/elicitations/form/draft.ts';
import {
	type PickerOutcome,
	type PickerTexts,
	runPickers,
} from '../../../../../src/editor/elicitations/form/pickers.ts';
import { native } from '../../../../../src/elicitation/display.ts';
import type { Field } from '../../../../../src/elicitation/form/fields.ts';
import { Form } from '../../../../../src/elicitation/form/form.ts';
import type { Validator } from '../../../../../src/elicitation/form/validate.ts';
import type { JsonObject } from '../../../../../src/elicitation/json.ts';
import { type Act, cases } from '../../../../field/schemas/case.ts';
import { isOptional } from '../../../../field/schemas/person.ts';
import { Bench } from '../../../validation/validationBench.ts';
import { type FakePicker, passTime, pickers, settled } from '../../surfaces.ts';
import { commands, inVersion } from '../../vscode.ts';

const bench = new Bench();
/** Validations that have not finished, so that what follows has not followed yet. */
let running = 0;
const validator: Validator = {
	validate: (schema, content) => {
		running++;
		return bench.validate(schema, content).finally(() => running--);
	},
};
const screen = pickers();

const text = { type: 'string' };
const yesNo = { type: 'boolean' };
const person: JsonObject = {
	type: 'object',
	properties: {
		name: { ...text, title: 'Name', minLength: 2 },
		color: { ...text, title: 'Color', enum: ['red', 'green'] },
		terms: { ...yesNo, title: 'Terms' },
		days: { type: 'array', title: 'Days', items: { ...text, enum: ['Mon', 'Tue', 'Wed'] } },
	},
	required: ['name', 'terms'],
};
/** A field that is asked after others, so that a form has more than one. */
const more = { more: text };

beforeEach(() => {
	const registered = registerEscape();
	onTestFinished(() => void registered.dispose());
});

/** A user in front of the pickers of a form. */
class User {
	outcome: PickerOutcome | undefined;
	readonly #abort = new AbortController();

	/** Someone who is asked, and looks at the first picker until it takes keys. */
	static async asked(schema: JsonObject, texts: Partial<PickerTexts> = {}, draft?: Draft): Promise<User> {
		const user = new User(texts, draft ?? new Draft(new Form(schema, validator)));
		await user.looks();
		return user;
	}

	private constructor(
		texts: Partial<PickerTexts>,
		readonly draft: Draft,
	) {
		const all = { server: 's', calls: [], message: 'Who are you?', ...texts };
		void runPickers(draft, all, this.#abort.signal).then((outcome) => {
			this.outcome = outcome;
		});
	}

	async looks(): Promise<void> {
		for (let at = 0; at < 5 || running > 0; at++) {
			await settled();
		}
		passTime(1_000);
	}

	get picker(): FakePicker {
		expect(screen.current).toBeDefined();
		return screen.current as FakePicker;
	}

	get title(): string {
		return this.picker.title;
	}

	/** Labels of the rows of the list. */
	get labels(): string[] {
		return this.picker.items.filter(({ kind }) => kind === undefined).map(({ label }) => label);
	}

	get buttons(): string[] {
		return this.picker.buttons.map(({ tooltip }) => tooltip ?? 'Back');
	}

	/** Everything in the rows, except what accepting them would send. */
	get rows(): string {
		return JSON.stringify(this.picker.items.map(({ label, description, detail }) => ({ label, description, detail })));
	}

	/** What is said to be wrong. */
	get problem(): string | undefined {
		const { isBox, validationMessage, prompt } = this.picker;
		return isBox ? validationMessage : prompt?.match(/^\$\(error\) (.*)/)?.[1];
	}

	async enters(value: string): Promise<void> {
		this.picker.type(value);
		this.picker.accept();
		await this.looks();
	}

	async picks(...labels: string[]): Promise<void> {
		const { items } = this.picker;
		const named = (label: string) =>
			items.find((item) => item.label === label) ?? items.find((item) => item.label.endsWith(label));
		expect(labels.filter((label) => !named(label))).toEqual([]);
		this.picker.accept(...labels.map(named));
		await this.looks();
	}

	/** Presses Enter without having moved. */
	async pressesEnter(): Promise<void> {
		this.picker.pressEnter();
		await this.looks();
	}

	async presses(button: string): Promise<void> {
		this.picker.pressButton(button);
		await this.looks();
	}

	async escapes(): Promise<void> {
		await commands.executeCommand('mcpElicitation.escapePicker');
		await this.looks();
	}

	/** Something else takes the place of the picker, or its request has ended. */
	async isInterrupted(how: 'hidden' | 'aborted'): Promise<void> {
		how === 'hidden' ? this.picker.hide() : this.#abort.abort();
		await this.looks();
	}

	/** What would be sent. */
	async content(): Promise<JsonObject> {
		return (await this.draft.review()).content;
	}
}

describe('schemas of real servers', () => {
	/** Does to a field what a case says. Resolves to the problem. */
	async function answer(user: User, field: Field, act: Act | undefined): Promise<string | undefined> {
		const blank = field.required ? 'Empty (null)' : 'Leave Blank';
		const { picker } = user;
		const entry = act === undefined ? undefined : [act ?? []].flat().join(', ');
		if (picker.isBox) {
			await (entry === '' && isOptional(field)
				? user.presses(blank)
				: entry === undefined
					? user.pressesEnter()
					: user.enters(entry));
		} else if (picker.canSelectMany) {
			await (act === undefined ? user.pressesEnter() : user.picks(...[act ?? []].flat().map((label) => native(label))));
		} else if (act === undefined && picker.activeItems.length > 0) {
			await user.pressesEnter();
		} else if (act === undefined && !isOptional(field)) {
			// There is no way past it.
			expect(user.labels).not.toContain(blank);
			return 'This is required.';
		} else {
			await user.picks(typeof act === 'string' ? native(act) : blank);
		}
		return screen.current === picker ? user.problem : undefined;
	}

	it.each(cases.filter(({ blocked }) => blocked === undefined))(
		'are answered as they are meant, $row: $name',
		async ({ params, enter, content, problems }) => {
			const user = await User.asked((params.requestedSchema ?? params.schema ?? {}) as JsonObject);
			const told: string[] = [];
			for (const field of user.draft.form.fields.filter(({ kind }) => kind !== 'const')) {
				if (told.length === 0 && !user.outcome && user.title.includes(native(field.label.slice(0, 8)))) {
					const problem = await answer(user, field, Object.hasOwn(enter, field.key) ? enter[field.key] : undefined);
					told.push(...(problem === undefined ? [] : [`${field.key}: ${problem}`]));
				}
			}
			const [first] = problems ?? [];
			if (first === undefined) {
				if (!user.outcome) {
					await user.picks('Accept');
				}
				expect(JSON.stringify(user.outcome)).toBe(JSON.stringify({ action: 'accept', content }));
			} else if (told.length === 0) {
				// It is no field's own: the review says it.
				expect(user.rows + user.problem).toContain(first.replace(/^\S+: /, ''));
			} else {
				expect(told).toEqual([expect.stringContaining(first)]);
			}
		},
	);
});

describe('the sequence', () => {
	it('asks one field after another, and accepts what its review shows (F02, F13)', async () => {
		const user = await User.asked(person);
		expect(user.title).toBe('s · Name * (1/5)');
		expect(user.picker).toMatchObject({ prompt: 'Who are you? — At least 2 characters.', placeholder: '' });
		await user.enters('Ada');
		expect(user.title).toBe('s · Color (2/5)');
		expect(user.picker).toMatchObject({ prompt: 'Who are you?', activeItems: [] });
		expect(user.labels).toEqual(['red', 'green', 'Leave Blank']);
		await user.picks('green');
		expect(user.title).toBe('s · Terms * (3/5)');
		expect(user.labels).toEqual(['Yes', 'No']);
		await user.picks('No');
		expect(user.title).toBe('s · Days (4/5)');
		await user.picks('Wed', 'Mon');
		expect(user.title).toBe('s · Review');
		expect(user.picker).toMatchObject({ prompt: 'Who are you?', activeItems: [] });
		const content = { name: 'Ada', color: 'green', terms: false, days: ['Mon', 'Wed'] };
		expect(user.picker.items[0]).toMatchObject({ label: '$(check) Accept', description: JSON.stringify(content) });
		expect(user.outcome).toBeUndefined();
		await user.picks('Accept');
		expect(user.outcome).toEqual({ action: 'accept', content });
	});

	it.each<[string, JsonObject, (user: User) => Promise<void>, unknown]>([
		['a yes or no', yesNo, (user) => user.picks('No'), false],
		['a choice', { enum: ['x', 'y'], default: 'y' }, (user) => user.picks('x'), 'x'],
		['several', { type: 'array', items: { enum: ['x', 'y'] } }, (user) => user.picks('y'), ['y']],
		['a text', text, (user) => user.enters('Ada'), 'Ada'],
		['leaving it blank', yesNo, (user) => user.picks('Leave Blank'), undefined],
		['leaving a proposal blank', { ...text, default: 'x' }, (user) => user.presses('Leave Blank'), undefined],
	])('sends the only field as soon as it is answered by %s', async (_what, a, answers, sent) => {
		const user = await User.asked({ type: 'object', properties: { a } });
		expect(user.title).toMatch(/^s · a$/);
		expect(user.picker.placeholder).toBe('default' in a ? '' : 'Enter sends it to s.');
		await answers(user);
		expect(user.outcome).toEqual({ action: 'accept', content: sent === undefined ? {} : { a: sent } });
	});

	it('says in every picker of a preview that nothing is sent', async () => {
		const texts = { server: 'req.json', purpose: 'preview' } as const;
		const one = await User.asked({ type: 'object', properties: { a: text } }, texts);
		expect(one.title).toBe('Preview of req.json · a');
		expect(one.picker.placeholder).toBe('Enter checks it. Nothing is sent.');
		await one.enters('x');
		expect(one.outcome).toEqual({ action: 'accept', content: { a: 'x' } });

		const several = await User.asked({ type: 'object', properties: { a: text, ...more } }, texts);
		await several.enters('x');
		await several.enters('y');
		expect(several.title).toBe('Preview of req.json · Review');
		expect(several.picker.placeholder).toBe('This is what would be sent. Check it, or choose a line to change it.');
		expect(several.labels[0]).toBe('$(check) Check Response');
	});

	it.each<[string, JsonObject, ((user: User) => Promise<void>)?]>([
		['a proposed choice', { properties: { a: { enum: ['x', 'y'], default: 'y' } } }],
		['a proposed text', { properties: { a: { ...text, default: 'x' } } }],
		['nothing', { properties: { a: { type: 'array', items: { enum: ['x'] } } }, required: ['a'] }],
		['what has a constant beside it', { properties: { a: yesNo, b: { const: 1 } } }, (user) => user.picks('Yes')],
		['what the whole does not allow', { properties: { a: yesNo }, not: {} }, (user) => user.picks('Yes')],
	])('asks again before it sends %s', async (_what, schema, answers = (user) => user.pressesEnter()) => {
		const user = await User.asked({ type: 'object', ...schema });
		await answers(user);
		expect([user.title, user.picker.activeItems, user.outcome]).toEqual(['s · Review', [], undefined]);
	});

	it('has the way back, leaving blank, the form, Decline and Cancel where they always are', async () => {
		const ways = ['Open as Form', 'Decline', 'Cancel'];
		const user = await User.asked(person);
		expect(user.buttons).toEqual(ways);
		await user.enters('Ada');
		for (const label of ['green', 'Yes']) {
			expect(user.buttons).toEqual(['Back', ...(label === 'green' ? ['Leave Blank'] : []), ...ways]);
			await user.picks(label);
		}
		expect(user.buttons).toEqual(['Back', 'Leave Blank', ...ways]);
		await user.presses('Leave Blank');
		expect(user.buttons).toEqual(['Back', ...ways]);
		expect(user.labels.slice(-3)).toEqual(['$(window) Open as Form', '$(circle-slash) Decline', '$(close) Cancel']);
		const only = await User.asked({ properties: { a: yesNo } });
		expect(only.labels).toEqual(['Yes', 'No', 'Leave Blank', ...user.labels.slice(-3)]);
	});

	it('stays at a field with a problem, and says what it is beside what is asked', async () => {
		const days = { type: 'array', title: 'Days', description: 'Of work', maxItems: 1 };
		const user = await User.asked({
			properties: {
				code: { ...text, title: 'Code', description: 'Of the door', maxLength: 5 },
				days: { ...days, items: { enum: ['Mon', 'Tue'] } },
				numbers: { ...days, items: { type: 'integer' } },
			},
			required: ['code'],
		});
		expect(user.picker.prompt).toBe('Who are you? — Of the door · At most 5 characters.');
		await user.enters('');
		expect(user.problem).toBe('This is required. — Who are you? — Of the door');
		await user.enters('123456');
		expect(user.problem).toBe('At most 5 characters; you have 6. — Who are you? — Of the door');
		await user.enters('12345');
		expect(user.picker.prompt).toBe('Who are you? — Of work · Choose at most 1.');
		await user.picks('Mon', 'Tue');
		expect(user.problem).toBe('At most one entry; you have 2. — Who are you? — Of work');
		await user.picks('Mon');
		expect(user.picker.prompt).toBe(
			'Who are you? — Of work · At most 1 entry. Whole numbers only. — Separate the entries with commas.',
		);
	});

	it('shows what the form and its field say, each on one line and as text (F04)', async () => {
		const title = 'Delete the 25 files in $(old) and all that refer to them?';
		const user = await User.asked({
			title: 'Visitors',
			description: 'Deletes $(all) data.\n',
			properties: { size: { enum: ['S'], title, description: 'Which one?\nAsk if in doubt.' }, '$(check)': text },
		});
		const form = 'Who are you? — Visitors — Deletes $\u200b(all) data.';
		expect(user.picker.prompt).toBe(`${form} — ${title.replace('$', '$\u200b')} — Which one? Ask if in doubt.`);
		await user.picks('S');
		await user.presses('Leave Blank');
		expect(user.picker.prompt).toBe(form);
		expect(user.labels.filter((label) => label.startsWith('$(check)'))).toEqual(['$(check) Accept']);
	});

	it('says it in the placeholder where the editor has no prompt for lists', async () => {
		inVersion('1.107.1');
		onTestFinished(() => inVersion('1.139.0'));
		const user = await User.asked({ properties: { a: { enum: ['x'], description: 'Which one?' }, ...more } });
		expect(user.picker).toMatchObject({ prompt: undefined, placeholder: 'Who are you? — Which one?' });
	});

	it.each([
		['Name', 'Two or more letters', 'Two or more letters · At least 2 characters.'],
		['Name', 'As in the passport.', 'As in the passport. At least 2 characters.'],
		['Name', 'At least 2 letters', 'At least 2 letters'],
		['Name (min. 2 letters)', undefined, ''],
	])('does not repeat what the server has said: %s, %s', async (title, description, shown) => {
		const name = { ...text, minLength: 2, title, ...(description && { description }) };
		const user = await User.asked({ properties: { name } });
		expect(user.picker.prompt).toBe(['Who are you?', shown].filter(Boolean).join(' — '));
	});

	it.each([
		[['Doe, Jane', 'Max'], '"Doe, Jane", Max', ', Ann', ['Doe, Jane', 'Max', 'Ann']],
		[['two\nlines', ' x '], '"two\\nlines", " x "', ',"a\\q", "b" c,', ['two\nlines', ' x ', '"a\\q"', '"b" c']],
		[['5" pipe', '"'], '5" pipe, "\\""', ' ', ['5" pipe', '"']],
		[['a', 'b'], 'a, b', ',,"c,d" ,', ['a', 'b', 'c,d']],
		[[], '', ',a, b', ['a', 'b']],
		[['', 'a'], ', a', ',b', ['', 'a', 'b']],
	])('keeps the entries of the list %j when another is added', async (entries, line, added, sent) => {
		const user = await User.asked({ properties: { p: { type: 'array', items: text, default: entries } } });
		expect(user.picker.value).toBe(line);
		await user.enters(line + added);
		expect(await user.content()).toEqual({ p: sent });
	});

	it('keeps line breaks and lists, which an input box has no room for', async () => {
		const list = { type: 'array', items: { type: 'integer' }, default: [1, 2] };
		const user = await User.asked({ properties: { text: { ...text, default: 'a\nb' }, list } });
		expect(user.picker.value).toBe('a⏎b');
		await user.enters('a⏎b⏎c');
		expect(user.picker.value).toBe('1, 2');
		await user.enters('1,2, 3');
		expect(await user.content()).toEqual({ text: 'a\nb\nc', list: [1, 2, 3] });
	});

	it.each<[string, JsonObject]>([
		['text', { ...text, default: ' '.repeat(200_000) }],
		['JSON', { type: 'object', default: { a: ' '.repeat(200_000) } }],
	])('shows a default of many spaces at once: %s', async (_what, p) => {
		const start = performance.now();
		const user = await User.asked({ type: 'object', properties: { p } });
		expect(user.picker.value.length).toBeGreaterThanOrEqual(200_000);
		expect(performance.now() - start).toBeLessThan(2_000 + 1_000);
	});

	it('leaves out what is left blank, also where the server proposes an empty text', async () => {
		const note = { ...text, default: '' };
		const user = await User.asked({ properties: { note, b: yesNo, c: { type: 'array' }, ...more } });
		await user.pressesEnter();
		expect(await user.content()).toEqual({ note: '' });
		await user.presses('Back');
		user.picker.type('typed');
		await user.presses('Leave Blank');
		await user.picks('Leave Blank');
		await user.presses('Leave Blank');
		await user.presses('Leave Blank');
		await user.picks('Accept');
		expect(user.outcome).toEqual({ action: 'accept', content: {} });
	});

	it('offers no way around a required field, unless the schema allows null', async () => {
		const properties = { a: text, b: { type: ['string', 'null'] }, c: { type: ['boolean', 'null'] } };
		const user = await User.asked({ properties, required: ['a', 'b', 'c'] });
		expect(user.buttons).toEqual(['Open as Form', 'Decline', 'Cancel']);
		await user.enters('x');
		await user.presses('Empty (null)');
		await user.picks('Empty (null)');
		await user.picks('Accept');
		expect(user.outcome).toEqual({ action: 'accept', content: { a: 'x', b: null, c: null } });
	});

	it('chooses nothing on Enter that the server has not proposed', async () => {
		const user = await User.asked({ properties: { a: yesNo, b: { enum: ['x', 'y'], default: 'y' } }, required: ['a'] });
		await user.pressesEnter();
		expect(user.title).toBe('s · a * (1/3)');
		await user.picks('Yes');
		await user.pressesEnter();
		expect(user.title).toBe('s · Review');
		await user.pressesEnter();
		expect(user.outcome).toBeUndefined();
		expect(await user.content()).toEqual({ a: true, b: 'y' });
	});

	it('keeps what was typed when the user goes back', async () => {
		const user = await User.asked({ properties: { a: text, b: text } });
		await user.enters('one');
		user.picker.type('two');
		await user.presses('Back');
		expect([user.title, user.picker.value]).toEqual(['s · a (1/3)', 'one']);
		await user.pressesEnter();
		expect([user.title, user.picker.value]).toEqual(['s · b (2/3)', 'two']);
	});

	it.each([
		['door', { type: 'string', format: 'password' }, 'planted'],
		['door', { type: 'integer', writeOnly: true }, '987654'],
		['api_key', { type: 'array', items: text }, 'planted'],
	])('hides the secret of %s, %j, also in the review until the user wants to see it', async (name, schema, secret) => {
		const user = await User.asked({ properties: { [name]: schema, other: text } });
		expect(user.picker.password).toBe(true);
		expect(user.picker.prompt).toContain('This looks like a secret. Servers must not ask for secrets in forms.');
		await user.enters(secret);
		expect(user.picker.password).toBe(false);
		await user.enters('Ada');
		expect(user.rows).toContain('"description":"Ada"');
		expect(user.rows).toContain('"description":"••••••"');
		expect(user.rows).not.toContain(secret);
		await user.presses('Show Secrets');
		expect(user.rows).toContain(secret);
		await user.presses('Hide Secrets');
		expect(user.rows).not.toContain(secret);
		await user.picks('Accept');
		expect(JSON.stringify(user.outcome)).toContain(secret);
	});

	it('says which call asks, and shortens long names so that the field and its number stay visible', async () => {
		const title = async (schema: JsonObject, texts: Partial<PickerTexts>) => (await User.asked(schema, texts)).title;
		const calls = [{ name: 'deploy' }];
		expect(await title(person, { calls })).toBe('s · deploy · Name * (1/5)');
		expect(await title(person, { calls: [...calls, { name: 'other' }] })).toBe('s · Name * (1/5)');
		expect(await title({ properties: {} }, { calls })).toBe('s · deploy · Review');
		const field = 'field '.repeat(20);
		const long = { properties: { [field]: {}, ...more }, required: [field] };
		expect(await title(long, { server: 'server', calls: [{ name: 'tool-'.repeat(20) }] })).toBe(
			'server · tool-tool-tool-tool-t… · field field field fie… * (1/3)',
		);
	});

	it('ends with Decline at every step', async () => {
		const user = await User.asked(person);
		await user.enters('Ada');
		await user.presses('Decline');
		expect(user.outcome).toEqual({ action: 'decline' });
	});
});

describe.each<[string, (user: User) => Promise<void>]>([
	['Escape', (user) => user.escapes()],
	['Cancel', (user) => user.presses('Cancel')],
])('%s', (_what, cancels) => {
	it('cancels at once when nothing was entered (F14)', async () => {
		const user = await User.asked(person);
		await cancels(user);
		expect(user.outcome).toEqual({ action: 'cancel' });
	});

	it('asks once before it throws away what was entered or only typed (F14)', async () => {
		const user = await User.asked(person);
		user.picker.type('Ada');
		await cancels(user);
		expect(user.picker.placeholder).toBe('Discard what you entered?');
		expect(user.labels).toEqual(['$(edit) Keep Editing', '$(trash) Discard what you entered and cancel']);
		await user.picks('Keep Editing');
		expect([user.title, user.picker.value]).toEqual(['s · Name * (1/5)', 'Ada']);
		await cancels(user);
		await user.escapes();
		expect(user.title).toBe('s · Name * (1/5)');
		await cancels(user);
		await user.picks('Discard what you entered and cancel');
		expect(user.outcome).toEqual({ action: 'cancel' });
	});

	it('asks also before it throws away what was entered as JSON and is in no field (F14)', async () => {
		const draft = new Draft(new Form(person, validator));
		draft.enter(draft.inputs, { extra: 'a long text' });
		const user = await User.asked(person, {}, draft);
		await cancels(user);
		expect(user.picker.placeholder).toBe('Discard what you entered?');
	});
});

describe('the review', () => {
	it('leads back to each field, and says what is wrong with it', async () => {
		const draft = new Draft(new Form(person, validator));
		draft.step = 4;
		const user = await User.asked(person, {}, draft);
		expect(user.picker.items.find(({ label }) => label === '$(error) Name *')).toMatchObject({
			description: 'no response yet',
			detail: 'This is required.',
		});
		expect(user.labels.join()).not.toContain('Accept');
		await user.picks('Terms *');
		expect(user.title).toBe('s · Terms * (3/5)');
		await user.picks('Yes');
		expect(user.title).toBe('s · Review');
		await user.picks('Name *');
		user.picker.type('Ada');
		await user.presses('Back');
		expect(user.title).toBe('s · Review');
		await user.picks('Accept');
		expect(user.outcome).toEqual({ action: 'accept', content: { name: 'Ada', terms: true } });
	});

	it('does not speak of lines to change where there are none', async () => {
		const user = await User.asked({ properties: {} });
		expect(user.picker.placeholder).toBe('There is nothing to enter. Accept or decline.');
	});

	it.each([
		['Decline', 'decline'],
		['Cancel', 'cancel'],
		['Open as Form', 'form'],
	])('ends with %s', async (label, action) => {
		const user = await User.asked({ properties: {} });
		await user.picks(label);
		expect(user.outcome).toEqual({ action });
	});
});

describe('a sequence that is left', () => {
	it('for the form hands over what was typed (F03)', async () => {
		const user = await User.asked(person);
		user.picker.type('Ada');
		await user.presses('Open as Form');
		expect(user.outcome).toEqual({ action: 'form' });
		expect(user.draft.inputs[0]).toEqual({ kind: 'text', text: 'Ada' });
	});

	it.each(['hidden', 'aborted'] as const)('because it was %s goes on where it was', async (how) => {
		const user = await User.asked(person);
		await user.enters('Ada');
		await user.picks('Leave Blank');
		await user.presses('Back');
		await user.presses('Back');
		user.picker.type('Grace');
		await user.isInterrupted(how);
		expect([user.outcome, screen.current]).toEqual([{ action: 'suspended' }, undefined]);
		const back = await User.asked(person, {}, user.draft);
		expect([back.title, back.picker.value]).toEqual(['s · Name * (1/5)', 'Grace']);
	});
});

describe('a selection', () => {
	const days = { type: 'array', title: 'Days', items: { enum: ['Mon', 'Tue'] } };

	it.each<[string, readonly string[], JsonObject, (user: User) => Promise<void>, unknown]>([
		['optional', [], days, (user) => user.pressesEnter(), null],
		['required', ['days'], days, (user) => user.pressesEnter(), []],
		['required', ['days'], days, (user) => user.presses('Open as Form'), null],
		['emptied', [], { ...days, default: ['Tue'] }, (user) => user.picks(), null],
		['empty', [], { ...days, default: [] }, (user) => user.pressesEnter(), []],
		['left blank', [], { ...days, default: ['Tue'] }, (user) => user.presses('Leave Blank'), null],
		['untouched', [], { ...days, default: ['Tue'] }, (user) => user.pressesEnter(), [1]],
	])('that is %s is what it was, or what the user has made of it', async (_what, required, schema, does, indexes) => {
		const user = await User.asked({ type: 'object', properties: { days: schema, ...more }, required });
		await does(user);
		expect(user.draft.inputs[0]).toEqual({ kind: 'choices', indexes });
	});
});
