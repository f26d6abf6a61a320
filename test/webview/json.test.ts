import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Field } from '../../src/elicitation/form/fields.ts';
import type { Input } from '../../src/elicitation/form/inputs.ts';
import type { FormModel } from '../../src/protocol.ts';
import {
	alerts,
	button,
	byName,
	type FormPage,
	formPage,
	modelOf,
	openForm,
	pause,
	press,
	startForm,
	type,
} from './page.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

const base = { required: false, nullable: false };
const fields: Field[] = [
	{ ...base, kind: 'number', integer: true, key: 'replicas', label: 'Replicas' },
	{ ...base, kind: 'text', entry: 'line', key: 'name', label: '\u202eName' },
];
const inputs = (replicas: string, name = ''): Input[] => [
	{ kind: 'text', text: replicas },
	{ kind: 'text', text: name },
];
const broken = { problems: [{ text: 'This is not JSON.' }] };

const area = () => byName<HTMLTextAreaElement>('textarea', 'Response as JSON');
const box = (name: string) => byName<HTMLInputElement>('input', name);
const types = (page: FormPage) => page.sent.map((message) => message.type);
const isShown = (element: Element | null | undefined) => element !== undefined && element?.closest('[hidden]') === null;
const fieldsShown = () => isShown(document.querySelector('.fields'));
const said = () => document.querySelector('form > [role=status]')?.textContent;
const restLine = () => {
	const line = document.querySelector<HTMLElement>('.body > .note');
	return line?.hidden ? undefined : line?.textContent;
};

/** A form of two fields that was reviewed once. */
async function open(model: Partial<FormModel> = {}): Promise<FormPage> {
	const page = await openForm({ fields, inputs: inputs('3'), ...model });
	page.review([], false, '{\n  "replicas": 3\n}');
	return page;
}

/** Edits the JSON instead of the form, and types a text. */
function write(text: string): void {
	if (fieldsShown()) {
		button('Edit as JSON').click();
	}
	type(area(), text);
}

/** Lets it be sent, too. */
function edit(text: string): void {
	write(text);
	pause();
}

describe('the JSON under the form', () => {
	it('is folded, and shows exactly what would be sent, with hidden characters as escapes', async () => {
		const page = await open();
		expect(document.querySelector<HTMLDetailsElement>('details.json')?.open).toBe(false);
		expect(area().value).toBe('{\n  "replicas": 3\n}');
		const content = { name: 'a\u202e\u{e0001}é\\\u200b' };
		type(box('Replicas'), '');
		pause();
		page.review([], false, JSON.stringify(content));
		expect(area().value).toBe(String.raw`{"name":"a\u202e\udb40\udc01é\\\u200b"}`);
		expect(JSON.parse(area().value)).toEqual(content);
	});

	it('is masked until it is shown where the form asks for a secret', async () => {
		const [, name] = fields;
		await open({ fields: [{ ...(name as Field), secret: true }], inputs: [{ kind: 'text', text: '' }] });
		const label = document.getElementById(button('Show').getAttribute('aria-describedby') ?? '');
		expect(label?.textContent).toBe('‹U+202E›Name');
		const toggle = button('Show JSON');
		expect([area().className, toggle.getAttribute('aria-pressed')]).toEqual(['code masked', 'false']);
		toggle.click();
		expect([area().className, toggle.getAttribute('aria-pressed')]).toEqual(['code', 'true']);
	});

	it('is edited where that is asked for, and begins with what was entered last', async () => {
		const page = await open({ pickers: true });
		expect(area().readOnly).toBe(true);
		type(box('Replicas'), '4');
		button('Edit as JSON').click();
		expect([fieldsShown(), page.sent.at(-1)?.type]).toEqual([true, 'change']);
		page.review([], false, '{"replicas": 4}');
		expect([fieldsShown(), area().readOnly, area().value]).toEqual([false, false, '{"replicas": 4}']);
		expect(document.activeElement).toBe(area());
		expect(said()).toBe('You are editing the response as JSON.');
		expect([isShown(button('Back to Form')), isShown(button('Use Pickers'))]).toEqual([true, false]);
		const sent = page.sent.length;
		button('Back to Form').click();
		page.reviewJson({ inputs: inputs('4') });
		expect([fieldsShown(), box('Replicas').value]).toEqual([true, '4']);
		expect(types(page).slice(sent)).toEqual(['json', 'change']);
	});

	it('brings along what is wrong, once that was shown', async () => {
		const page = await open();
		button('Accept').click();
		page.review([{ field: 0, text: 'At most 20.' }], true, '{"replicas": 30}');
		button('Edit as JSON').click();
		expect(document.getElementById('json-error')?.textContent).toBe('Replicas: At most 20.');
		expect(document.querySelector('footer .invalid')?.textContent).toBe('1 problem · Next');
	});

	it('cannot be edited while what was entered is on its way, nor where it is what another client sends', async () => {
		await open();
		button('Accept').click();
		button('Edit as JSON').click();
		expect(fieldsShown()).toBe(true);
		await open({ purpose: 'preview', notice: ['As Client 1.0'] });
		expect(isShown(button('Edit as JSON'))).toBe(false);
	});
});

describe('answering as JSON', () => {
	it('sends the text at once, and after each pause', async () => {
		const page = await open();
		write('{"replicas": 4');
		vi.advanceTimersByTime(24);
		edit('{"replicas": 4}');
		expect(page.sent.slice(1)).toEqual([
			{ type: 'json', revision: 1, text: '{"replicas": 4' },
			{ type: 'json', revision: 2, text: '{"replicas": 4}' },
		]);
	});

	it('sends the text on Accept, and shows why it was refused, at the text', async () => {
		const page = await open();
		edit('{"replicas": 30}');
		button('Accept').focus();
		button('Accept').click();
		expect(page.sent.at(-1)).toEqual({ type: 'submitJson', revision: 2, text: '{"replicas": 30}' });
		expect(button('Accept').disabled).toBe(true);
		page.reviewJson({
			problems: [{ field: 0, text: 'At most 20.' }, { field: 1, text: 'Missing.' }, { text: '/x: Not allowed.' }],
			refused: true,
		});
		expect([...document.querySelectorAll('[role=alert] > p')].map((line) => line.textContent)).toEqual([
			'Replicas: At most 20.',
			'‹U+202E›Name: Missing.',
			'/x: Not allowed.',
		]);
		expect(document.activeElement).toBe(area());
		expect(button('Accept').disabled).toBe(false);
		expect(said()).toBe('3 problems');
		const alert = document.querySelector('[role=alert]');
		expect(area().getAttribute('aria-invalid')).toBe('true');
		expect(area().getAttribute('aria-describedby')).toBe(alert?.id);
		edit('{}');
		page.reviewJson({ inputs: inputs('') });
		expect(alerts()).toEqual([]);
		expect(area().hasAttribute('aria-invalid')).toBe(false);
	});

	it.each([['ctrlKey'], ['metaKey']])('%s+Enter in the text sends it, Enter alone does not', async (modifier) => {
		const page = await open();
		edit('{}');
		press('Enter');
		expect(types(page)).not.toContain('submitJson');
		press('Enter', { [modifier]: true });
		expect(types(page).at(-1)).toBe('submitJson');
	});

	it('holds edits back while a refusal may come, and sends them after it', async () => {
		const page = await open();
		edit('{}');
		button('Accept').click();
		edit('{"replicas": 5}');
		expect(types(page).at(-1)).toBe('submitJson');
		page.reviewJson({ problems: [{ text: 'No.' }], refused: true });
		expect(page.sent.at(-1)).toMatchObject({ type: 'json', revision: 3, text: '{"replicas": 5}' });
	});

	it('says what is wrong after a pause or on the way out, and at once that nothing is wrong', async () => {
		const page = await open();
		edit('{');
		page.reviewJson(broken);
		expect(alerts()).toEqual([]);
		vi.advanceTimersByTime(1000);
		expect(alerts()).toEqual(['This is not JSON.']);
		edit('{]');
		page.reviewJson({ problems: [{ text: 'Still not.' }] });
		expect(alerts()).toEqual(['This is not JSON.']);
		area().blur();
		expect(alerts()).toEqual(['Still not.']);
		edit('{}');
		page.reviewJson({ inputs: inputs('') });
		expect(alerts()).toEqual([]);
	});

	it('drops reviews of an older text, and of the form', async () => {
		const page = await open();
		edit('{');
		edit('{}');
		page.receive({ type: 'jsonReview', revision: 1, ...broken, rest: [], refused: true });
		page.receive({ type: 'review', revision: 2, problems: [{ text: 'x' }], json: 'old', refused: true });
		expect(alerts()).toEqual([]);
		expect(area().value).toBe('{}');
	});

	it('shows near the buttons what could not be checked', async () => {
		const page = await open();
		edit('{}');
		page.reviewJson({ inputs: inputs(''), unchecked: 'The server will check.' });
		expect(document.querySelector('footer [role=status]')?.textContent).toBe('The server will check.');
	});

	it('is asked about before Escape throws it away', async () => {
		const page = await open();
		write('{}');
		press('Escape');
		expect(types(page)).not.toContain('cancel');
		button('Keep Editing').click();
		expect(document.activeElement).toBe(area());
	});

	it('is still there to be copied when the request is withdrawn', async () => {
		const page = await open();
		edit('{"replicas": 9}');
		page.receive({ type: 'withdrawn', reason: 'Gone.' });
		expect([area().disabled, area().readOnly, area().value]).toEqual([false, true, '{"replicas": 9}']);
		expect(button('Back to Form').disabled).toBe(true);
	});
});

describe('back to the form', () => {
	it('takes the text along, and names what no field shows', async () => {
		const page = await open();
		edit('{"replicas": 7, "name": "n", "owner": "me", "__proto__": 1}');
		page.reviewJson({ inputs: inputs('7', 'n'), rest: ['owner', '__proto__'] });
		button('Back to Form').click();
		expect(fieldsShown()).toBe(true);
		expect(box('Replicas').value).toBe('7');
		expect(document.activeElement).toBe(box('Replicas'));
		expect(restLine()).toBe('Also sent: owner, __proto__ — no field shows them.');
		expect(page.sent.at(-1)).toEqual({ type: 'change', revision: 2, inputs: inputs('7', 'n') });
		page.review([{ field: 1, text: 'Odd.' }], false, '{"replicas": 7, "owner": "me"}');
		expect(alerts()).toEqual(['Odd.']);
		expect(area().value).toBe('{"replicas": 7, "owner": "me"}');
		expect(() => button('Back to Form')).toThrow();
		type(box('Replicas'), '8');
		pause();
		expect(page.sent.at(-1)).toMatchObject({ type: 'change', revision: 3, inputs: inputs('8', 'n') });
	});

	it('waits for the newest text to be read', async () => {
		const page = await open();
		edit('{"replicas": 1}');
		page.reviewJson({ inputs: inputs('1') });
		write('{"replicas": 2}');
		button('Back to Form').click();
		expect(page.json()).toBe('{"replicas": 2}');
		expect(fieldsShown()).toBe(false);
		page.reviewJson({ inputs: inputs('2') });
		expect(box('Replicas').value).toBe('2');
		expect(fieldsShown()).toBe(true);
	});

	it('stays where the text turns out to be no object', async () => {
		const page = await open();
		write('[');
		button('Back to Form').click();
		page.reviewJson(broken);
		expect(fieldsShown()).toBe(false);
		expect(document.activeElement).toBe(area());
		expect(area().value).toBe('[');
	});

	it('is impossible with a text that is no object, says so, and offers to discard it', async () => {
		const page = await open();
		type(box('‹U+202E›Name'), 'kept');
		pause();
		page.review([], false, '{"replicas": 3, "name": "kept"}');
		edit('[');
		page.reviewJson(broken);
		vi.advanceTimersByTime(1000);
		expect(button('Back to Form').disabled).toBe(true);
		const reason = button('Back to Form').getAttribute('aria-describedby') ?? '';
		expect(document.getElementById(reason)?.textContent).toBe('Correct the JSON to go back to the form.');

		button('Discard JSON Changes').click();
		// The host keeps what no field shows, so it hears of the old text before the form takes over.
		expect(page.json()).toBe('{"replicas": 3, "name": "kept"}');
		page.reviewJson({ inputs: inputs('3', 'kept'), rest: ['before'] });
		expect(fieldsShown()).toBe(true);
		expect(box('‹U+202E›Name').value).toBe('kept');
		expect(restLine()).toBe('Also sent: before — no field shows them.');
		expect(page.sent.at(-1)).toMatchObject({ type: 'change', inputs: inputs('3', 'kept') });
		page.review([]);
		edit('{}');
		expect(button('Back to Form').disabled).toBe(false);
	});

	it('is impossible while an object has a name twice, and says why', async () => {
		const page = await open();
		const text = 'An object has "name" twice; only the last value would be sent.';
		edit('{"name": "a", "name": "b"}');
		page.reviewJson({ problems: [{ text }] });
		vi.advanceTimersByTime(1000);
		expect(alerts()).toEqual([text]);
		const reason = button('Back to Form').getAttribute('aria-describedby') ?? '';
		expect(document.getElementById(reason)?.textContent).toBe('Correct the JSON to go back to the form.');
	});

	it('is called off by typing on', async () => {
		const page = await open();
		write('{"replicas": 1}');
		button('Back to Form').click();
		write('{"replicas": 12}');
		page.reviewJson({ inputs: inputs('1') });
		expect(fieldsShown()).toBe(false);
		expect(area().value).toBe('{"replicas": 12}');
	});
});

describe('what no field shows', () => {
	it('is named from the start where the draft has it, and not mentioned where there is none', async () => {
		await open({ rest: ['a', '\u202e'] });
		expect(restLine()).toBe('Also sent: a, ‹U+202E› — no field shows them.');
		await open();
		expect(restLine()).toBeUndefined();
	});

	it('gives way to an answer in the form', async () => {
		const page = await open({ rest: ['name'] });
		expect(restLine()).toBe('Also sent: name — no field shows them.');
		type(box('‹U+202E›Name'), 'x');
		pause();
		page.review([]);
		expect(restLine()).toBeUndefined();
	});
});

describe('a whole response', () => {
	const templates = [
		{ name: 'accept', text: '{"action": "accept"}' },
		{ name: 'error', text: '{"error": {}}' },
	] as const;

	it('is JSON from the start, with no form to go to, and says at once what is wrong with it', async () => {
		const page = await openForm({ fields, inputs: inputs('3'), templates });
		expect([area().value, document.activeElement, fieldsShown()]).toEqual([templates[0].text, area(), false]);
		expect(said()).toBe('You are writing the whole response. It is sent as it is, unchecked.');
		page.reviewJson({ problems: [{ text: 'Odd.' }] });
		expect(alerts()).toEqual(['Odd.']);
		expect(() => button('Back to Form')).toThrow();
		expect(() => button('Discard JSON Changes')).toThrow();
		expect(page.sent).toEqual([{ type: 'ready' }]);
	});

	it('begins anew with another one, and is sent at once, later, or never', async () => {
		const page = await openForm({ templates });
		button('error').click();
		expect([area().value, document.activeElement]).toEqual([templates[1].text, area()]);
		button('Send Later…').click();
		button('Never Respond').click();
		button('Send Anyway').click();
		expect(page.sent.slice(1)).toEqual([
			{ type: 'json', revision: 1, text: templates[1].text },
			{ type: 'later' },
			{ type: 'never' },
			{ type: 'submitJson', revision: 2, text: templates[1].text },
		]);
	});

	it('that nobody sends is closed without a word to the server', async () => {
		const page = await openForm({ templates });
		expect(() => button('Decline')).toThrow();
		button('Close').click();
		expect(types(page)).toEqual(['ready', 'cancel']);
	});
});

describe('a hidden and restored page', () => {
	async function restore(page: FormPage): Promise<FormPage> {
		const restored = formPage(await startForm(page.state()));
		restored.receive({ type: 'show', model: modelOf({ fields, inputs: inputs('') }) });
		return restored;
	}

	it('goes on as JSON, with the text and the form as they were', async () => {
		const page = await open();
		write('[');
		const restored = await restore(page);
		expect(area().value).toBe('[');
		expect(fieldsShown()).toBe(false);
		expect(document.activeElement).toBe(area());
		expect(restored.sent.at(-1)).toEqual({ type: 'json', revision: 2, text: '[' });
		restored.reviewJson(broken);
		button('Discard JSON Changes').click();
		expect(restored.json()).toBe('{\n  "replicas": 3\n}');
		restored.reviewJson({ inputs: inputs('3') });
		expect(restored.inputs()).toEqual(inputs('3'));
	});

	it('goes on as a form after the way back', async () => {
		const page = await open();
		edit('{"replicas": 7}');
		page.reviewJson({ inputs: inputs('7') });
		button('Back to Form').click();
		const restored = await restore(page);
		expect(fieldsShown()).toBe(true);
		expect(restored.inputs()).toEqual(inputs('7'));
	});
});

describe('a field for JSON', () => {
	it('says what is wrong after a pause in typing, and at once that nothing is', async () => {
		const field: Field = { ...base, kind: 'json', key: 'x', label: 'X' };
		const page = await openForm({ fields: [field], inputs: [{ kind: 'text', text: '' }] });
		const control = () => byName<HTMLTextAreaElement>('textarea', 'X');
		const enter = (text: string, problem?: string) => {
			type(control(), text);
			pause();
			page.review(problem === undefined ? [] : [{ field: 0, text: problem }]);
		};
		enter('{', 'Not JSON.');
		expect(alerts()).toEqual([]);
		vi.advanceTimersByTime(1000);
		expect(alerts()).toEqual(['Not JSON.']);
		enter('{]', 'Still not.');
		expect(alerts()).toEqual(['Not JSON.']);
		vi.advanceTimersByTime(1000);
		expect(alerts()).toEqual(['Still not.']);
		enter('{}');
		expect(alerts()).toEqual([]);
		enter('{"a"', 'Not JSON.');
		press('Enter', { ctrlKey: true });
		page.review([{ field: 0, text: 'Not JSON.' }], true);
		expect(alerts()).toEqual(['Not JSON.']);
	});
});

it('the draft of a language model leaves JSON alone that is being edited', async () => {
	const page = await open({ purpose: 'sampling' });
	edit('{"replicas": 5}');
	const before = page.sent.length;
	page.receive({ type: 'drafted', inputs: inputs('7') });
	expect(area().value).toBe('{"replicas": 5}');
	expect(page.sent.length).toBe(before);
});
