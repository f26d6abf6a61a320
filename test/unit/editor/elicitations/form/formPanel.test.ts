import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Draft } from '../../../../../src/editor/elicitations/form/draft.ts';
import { FormPanel, type FormPanelOptions } from '../../../../../src/editor/elicitations/form/formPanel.ts';
import { native } from '../../../../../src/elicitation/display.ts';
import { Form } from '../../../../../src/elicitation/form/form.ts';
import type { Verdict } from '../../../../../src/elicitation/form/validate.ts';
import type { JsonObject } from '../../../../../src/elicitation/json.ts';
import { KEY_GUARD } from '../../../../../src/elicitation/keyGuard.ts';
import type { FromForm, ToForm } from '../../../../../src/protocol.ts';
import { type FakePanel, pages, passTime, pickers, settled } from '../../surfaces.ts';

const { panels, extensionUri } = pages<ToForm, FromForm>();
const screen = pickers();

const valid = async (): Promise<Verdict> => ({ status: 'valid' });
const objectOf = (...names: readonly string[]): JsonObject => ({
	type: 'object',
	properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});
const typed = [{ kind: 'text', text: 'a long answer' }] as const;

const model: FormPanelOptions['model'] = {
	...{ purpose: 'elicitation', server: 'weather', calls: [], receivedAt: 0, message: 'What to note?' },
	...{ warnings: [], findings: [], pickers: false },
};

function open(schema: JsonObject, validate = valid, more: Partial<FormPanelOptions> = {}) {
	const draft = new Draft(new Form(schema, { validate }));
	const userFocus = { watch: () => ({ dispose() {} }) } as never;
	const panel = new FormPanel({
		...{ extensionUri, title: native('weather'), draft, model, background: false, userFocus },
		...more,
	});
	return { draft, panel, page: panels.at(-1) as FakePanel<ToForm, FromForm> };
}

describe('a form that is withdrawn while what was accepted is still checked', () => {
	it.each<[string, FromForm]>([
		['the fields', { type: 'submit', revision: 1, inputs: typed }],
		['JSON', { type: 'submitJson', revision: 1, text: '{"note": "a long answer"}' }],
	])('stays open, says so, and keeps %s', async (_what, submit) => {
		const checks: ((verdict: Verdict) => void)[] = [];
		const { draft, panel, page } = open(objectOf('note'), () => new Promise((resolve) => checks.push(resolve)));
		const outcome = vi.fn();
		void panel.outcome.then(outcome);
		page.send(submit);
		await settled();
		panel.withdraw('The connection has ended.', false);
		for (const check of checks) check({ status: 'valid' });
		await settled();
		expect(page.posted.at(-1)).toEqual({ type: 'withdrawn', reason: 'The connection has ended.', cancelled: false });
		expect([page.closed, outcome.mock.calls]).toEqual([false, []]);
		expect(draft.inputs).toEqual(typed);
	});
});

it('an edit of the JSON is kept whole, with what belongs to no field', async () => {
	const { draft, page } = open(objectOf('note'));
	const kept = vi.fn();
	draft.onChange = () => kept(draft.inputs, draft.rest);
	page.send({ type: 'json', revision: 1, text: '{"note": "a long answer", "extra": 1}' });
	await settled();
	expect(kept.mock.calls).toEqual([[typed, { extra: 1 }]]);
});

it('the server that suggests values gets no secret, neither as what is typed nor beside it', async () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const suggest = vi.fn(async () => []);
	const { page } = open(objectOf('city', 'api_key'), valid, { suggest });
	const change = (...texts: readonly string[]) => {
		page.send({ type: 'change', revision: 1, inputs: texts.map((text) => ({ kind: 'text', text })) });
		return vi.advanceTimersByTimeAsync(1000);
	};
	await change('', 'hunter2');
	expect(suggest).not.toHaveBeenCalled();
	await change('Ber', 'hunter2');
	expect(suggest.mock.calls).toEqual([['city', { city: 'Ber' }, expect.anything()]]);
});

it('what was left out as JSON stays left out in the form, also where the server proposes an empty text', async () => {
	const { panel, page } = open({ type: 'object', properties: { note: { type: 'string', default: '' } } });
	page.send({ type: 'json', revision: 1, text: '{}' });
	await settled();
	page.send({ type: 'submit', revision: 2, inputs: page.last('jsonReview')?.inputs ?? [] });
	expect(await panel.outcome).toEqual({ action: 'accept', content: {} });
});

it('a form that was replaced while its page was hidden does not begin with what was entered before', async () => {
	const { panel, page } = open(objectOf('note'));
	page.send({ type: 'change', revision: 1, inputs: typed });
	await settled();
	page.visible = false;
	panel.replace(new Draft(new Form(objectOf('other'), { validate: valid })), { ...model, message: 'Another?' });
	page.visible = true;
	page.posted.length = 0;
	page.send({ type: 'ready' });
	expect(page.posted).toMatchObject([{ type: 'show', instead: true, model: { message: 'Another?' } }]);
	page.send({ type: 'change', revision: 1, inputs: typed });
	await settled();
	page.posted.length = 0;
	page.send({ type: 'ready' });
	expect(page.posted).toMatchObject([{ type: 'show', model: { inputs: typed } }]);
	expect(page.posted[0]).not.toHaveProperty('instead');
});

describe('a long choice', () => {
	const labels = Array.from({ length: 10_000 }, (_each, at) => `option ${at}`);
	const one = (more: object = {}) => ({ type: 'string', enum: ['\u202e$(sync) evil', ...labels], ...more });
	const several = { type: 'array', items: { enum: labels } };

	/** The picker of the only field, which takes keys by now. */
	async function choose(field: object, required = false) {
		const schema = { type: 'object', properties: { x: field }, ...(required && { required: ['x'] }) } as JsonObject;
		const opened = open(schema);
		opened.page.send({ type: 'choose', field: 0 });
		await settled();
		const picker = screen.current as NonNullable<typeof screen.current>;
		passTime(2 * KEY_GUARD);
		const item = (label: string) => picker.items.find((each) => each.label === label);
		return { ...opened, picker, item, active: () => picker.activeItems.map(({ label }) => label) };
	}

	it('is made in a picker of the editor, and goes to the page', async () => {
		const { page, picker, item, active } = await choose(one({ default: 'option 7' }));
		expect([picker.title, picker.items.length, active()]).toEqual(['weather · x', 10_003, ['option 7']]);
		expect(picker.items[0]?.label).toBe('‹U+202E›$\u200b(sync) evil');
		picker.accept(item('option 9999'));
		await settled();
		expect(page.last('chosen')).toEqual({ type: 'chosen', field: 0, input: { kind: 'choice', index: 10_000 } });
	});

	it('chooses nothing that the user has not moved to, and can be left blank from the list and above it', async () => {
		const { page, picker, item, active } = await choose(one());
		expect(active()).toEqual([]);
		picker.pressEnter();
		await settled();
		expect(page.last('chosen')).toBeUndefined();
		picker.accept(item('Leave Blank'));
		await settled();
		expect(page.last('chosen')?.input).toEqual({ kind: 'choice', index: null });
		const chosen = await choose(one({ default: 'option 7' }));
		chosen.picker.pressButton('Leave Blank');
		await settled();
		expect(chosen.page.last('chosen')?.input).toEqual({ kind: 'choice', index: null });
	});

	it('of several is in the order of the options, and nothing where all are unticked', async () => {
		const { page, picker, item } = await choose({ ...several, default: ['option 3'] });
		expect(picker.selectedItems.map(({ label }) => label)).toEqual(['option 3']);
		picker.accept(item('option 500'), item('option 3'));
		await settled();
		expect(page.last('chosen')?.input).toEqual({ kind: 'choices', indexes: [3, 500] });
		page.send({ type: 'choose', field: 0 });
		await settled();
		passTime(2 * KEY_GUARD);
		screen.current?.accept();
		await settled();
		expect(page.last('chosen')?.input).toEqual({ kind: 'choices', indexes: null });
	});

	it.each<[string, (opened: Awaited<ReturnType<typeof choose>>) => unknown]>([
		['is over because the request was withdrawn', ({ panel }) => panel.withdraw('Gone.', false)],
		['is over because the tab was closed', ({ page }) => page.dispose()],
	])('that %s changes nothing', async (_what, end) => {
		const opened = await choose(one());
		end(opened);
		opened.picker.accept(opened.item('option 1'));
		await settled();
		expect([screen.current, opened.page.last('chosen')]).toEqual([undefined, undefined]);
	});

	it('that is dismissed changes nothing, and gives the focus back', async () => {
		const { page, picker } = await choose(one());
		picker.hide();
		await settled();
		expect(page.last('chosen')).toEqual({ type: 'chosen', field: 0 });
	});

	it('takes no key that was meant for the form', async () => {
		const { page, picker, item } = await choose(one());
		page.send({ type: 'choose', field: 0 });
		await settled();
		expect(screen.shown).toHaveLength(2);
		screen.current?.accept(item('option 1'));
		await settled();
		expect([screen.current === picker, page.last('chosen')]).toEqual([false, undefined]);
		expect(screen.current?.title).toContain('too soon');
	});

	it('is only made for a field that has options', async () => {
		const { page } = open(objectOf('note'));
		page.send({ type: 'choose', field: 0 });
		page.send({ type: 'choose', field: 9 });
		await settled();
		expect(screen.shown).toEqual([]);
	});
});
