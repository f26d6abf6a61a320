import { describe, expect, it } from 'vitest';
import type { Field } from '../../../../src/elicitation/form/fields.ts';
import type { Input } from '../../../../src/elicitation/form/inputs.ts';
import { firstState, reduce } from '../../../../src/webview/form/reducer.ts';
import type { FormAction, FormEffect, FormState } from '../../../../src/webview/form/state.ts';
import { modelOf } from '../../../webview/models.ts';

const base = { required: false, nullable: false } as const;
const fields: Field[] = [
	{ ...base, kind: 'text', entry: 'line', key: 'a', label: 'A' },
	{ ...base, kind: 'json', key: 'b', label: 'B' },
];
const text = (value: string): Input => ({ kind: 'text', text: value });
const enter = (value: string, field = 0, trouble?: string): FormAction => ({
	type: 'input',
	field,
	input: text(value),
	trouble,
});

/** A form as it is after these actions, and the effects of the last one. */
function formAfter(...actions: readonly FormAction[]): { state: FormState; effects: readonly FormEffect[] } {
	const [first, ...begun] = firstState(modelOf({ fields, inputs: [text(''), text('')] }));
	let [state, effects]: [FormState, readonly FormEffect[]] = [first, begun];
	for (const action of actions) {
		[state, ...effects] = reduce(state, action);
	}
	return { state, effects };
}

const review = (revision: number, problems: readonly { field?: number; text: string }[], refused = false) =>
	({ type: 'review', revision, problems, json: '{}', refused }) as const;
const sent = (effects: readonly FormEffect[]) =>
	effects.flatMap((each) => (each.type === 'send' ? [each.message] : []));

describe('the state of a form', () => {
	it('begins with the focus on the first field, and sends only what the host does not have', () => {
		expect(formAfter().effects).toEqual([{ type: 'focus', target: 'first' }]);
		const draft = { inputs: [text('x'), text('')], revision: 4, edited: true };
		const [, ...effects] = firstState(modelOf({ fields, inputs: [text(''), text('')] }), draft);
		expect(sent(effects)).toEqual([{ type: 'change', revision: 5, inputs: draft.inputs }]);
	});

	it('leaves all other inputs alone when one changes, and everything when none does', () => {
		const before = formAfter().state;
		const [next] = reduce(before, enter('x'));
		expect(next.inputs[1]).toBe(before.inputs[1]);
		expect(reduce(next, enter('x'))).toEqual([next]);
		expect(reduce(next, enter('x'))[0]).toBe(next);
	});

	it('sends the first edit at once, and what was typed after it once, after a pause', () => {
		const paused = { type: 'typingPaused' } as const;
		expect(sent(formAfter(enter('x')).effects)).toEqual([
			{ type: 'change', revision: 1, inputs: [text('x'), text('')] },
		]);
		expect(formAfter(enter('x'), paused).effects).toEqual([]);
		expect(sent(formAfter(enter('x'), enter('xy')).effects)).toEqual([]);
		expect(sent(formAfter(enter('x'), enter('xy'), paused).effects)).toEqual([
			{ type: 'change', revision: 2, inputs: [text('xy'), text('')] },
		]);
		expect(formAfter(enter('x'), enter('xy'), paused, paused).effects).toEqual([]);
	});

	it('shows an error under a field that was left, and of JSON not before a pause', () => {
		const problems = [
			{ field: 0, text: 'Short.' },
			{ field: 1, text: 'No JSON.' },
		];
		const typed = [enter('{', 1), { type: 'typingPaused' }, review(1, problems)] as const;
		expect(formAfter(...typed).state.errors).toEqual([undefined, undefined]);
		expect(formAfter(...typed, { type: 'visited', field: 1 }).state.errors).toEqual([undefined, 'No JSON.']);
	});

	it('does not send what is no input, but goes to it', () => {
		const { state, effects } = formAfter(enter('', 0, 'Incomplete.'), { type: 'submit' });
		expect(effects).toEqual([{ type: 'focus', target: 0 }]);
		expect(state.errors[0]).toBe('Incomplete.');
	});

	it('holds a change back while a submit waits, and sends it after a refusal', () => {
		const waiting = [{ type: 'submit' }, enter('late'), { type: 'typingPaused' }] as const;
		expect(sent(formAfter(...waiting).effects)).toEqual([]);
		const { state, effects } = formAfter(...waiting, review(1, [{ field: 0, text: 'No.' }], true));
		expect(effects[0]).toEqual({ type: 'focus', target: 0 });
		expect(sent(effects)).toEqual([{ type: 'change', revision: 2, inputs: [text('late'), text('')] }]);
		expect(state.announcement).toBe(1);
	});

	it('drops what the host says about an older answer', () => {
		const { state } = formAfter(enter('x'), { type: 'typingPaused' });
		expect(reduce(state, review(0, [{ field: 0, text: 'Old.' }], true))).toEqual([state]);
	});

	it('takes nothing any more once it was declined, but that it was withdrawn', () => {
		const { state } = formAfter({ type: 'decline' });
		expect(reduce(state, enter('x'))).toEqual([state]);
		const [over] = reduce(state, { type: 'withdrawn', reason: 'Gone.' });
		expect(over.withdrawal?.reason).toBe('Gone.');
	});

	it('goes back from JSON with what is no value yet, in fields that were not changed there', () => {
		const typed = [enter('x'), enter('{', 1), { type: 'typingPaused' }] as const;
		const json = { type: 'jsonInput', text: '{"a": "y"}' } as const;
		const read = { type: 'jsonReview', revision: 3, problems: [], inputs: [text('y'), text('')], rest: [] } as const;
		const followed = { ...review(2, []), json: '{"a": "x"}' };
		const { state } = formAfter(
			...typed,
			followed,
			{ type: 'editJson' },
			json,
			{ type: 'typingPaused' },
			{ ...read, refused: false },
			{ type: 'toForm' },
		);
		expect(state.inputs).toEqual([text('y'), text('{')]);
	});

	it('goes back from JSON with the trouble of a field that was not changed there, and with its control', () => {
		const json = { type: 'jsonInput', text: '{"b": 1}' } as const;
		const read = { type: 'jsonReview', revision: 1, problems: [], inputs: [text(''), text('1')], rest: [] } as const;
		const before = [enter('', 0, 'Incomplete.'), review(0, []), { type: 'editJson' }, json] as const;
		const { state } = formAfter(...before, { ...read, refused: false }, { type: 'toForm' });
		expect([...state.troubles]).toEqual([[0, 'Incomplete.']]);
		expect(state.generations).toEqual([0, 1]);
	});
});
