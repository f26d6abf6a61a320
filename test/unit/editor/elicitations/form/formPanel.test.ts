import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FormPanelOptions } from '../../../../../src/editor/elicitations/form/formPanel.ts';
import type { Verdict } from '../../../../../src/elicitation/form/validate.ts';
import type { JsonObject } from '../../../../../src/elicitation/json.ts';
import type { FromForm, ToForm } from '../../../../../src/protocol.ts';

/** The page of a panel, under the control of the test. */
const page = vi.hoisted(() => ({
	posted: [] as ToForm[],
	isClosed: false,
	send: (_message: FromForm) => {},
}));
const disposable = vi.hoisted(() => ({ dispose: () => {} }));

vi.mock('vscode', async () => (await import('../../vscode.ts')).fakeVscode());
vi.mock('../../../../../src/editor/common/webviewPage.ts', () => ({
	createPage: () => ({
		isActive: () => false,
		panel: {
			visible: true,
			webview: {
				postMessage: (message: ToForm) => page.posted.push(message),
				onDidReceiveMessage: (receive: typeof page.send) => {
					page.send = receive;
					return disposable;
				},
			},
			onDidDispose: () => disposable,
			dispose: () => {
				page.isClosed = true;
			},
		},
	}),
}));

const { Draft } = await import('../../../../../src/editor/elicitations/form/draft.ts');
const { FormPanel } = await import('../../../../../src/editor/elicitations/form/formPanel.ts');
const { Form } = await import('../../../../../src/elicitation/form/form.ts');

const valid = () => Promise.resolve<Verdict>({ status: 'valid' });
const note: JsonObject = { type: 'object', properties: { note: { type: 'string' } } };
const typed = [{ kind: 'text', text: 'a long answer' }] as const;

beforeEach(() => {
	page.posted.length = 0;
	page.isClosed = false;
});

const model: FormPanelOptions['model'] = {
	purpose: 'elicitation',
	server: 'weather',
	calls: [],
	receivedAt: 0,
	message: 'What to note?',
	warnings: [],
	findings: [],
	pickers: false,
};

function open(schema: JsonObject, validate: () => Promise<Verdict> = valid, more: Partial<FormPanelOptions> = {}) {
	const draft = new Draft(new Form(schema, { validate }));
	const panel = new FormPanel({
		extensionUri: {} as never,
		title: 'weather',
		draft,
		model,
		background: false,
		userFocus: { watch: () => disposable } as never,
		...more,
	});
	return { draft, panel };
}

/** Waits for all follow-up work. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a form that is withdrawn while what was accepted is still checked', () => {
	it.each<[string, FromForm]>([
		['the fields', { type: 'submit', revision: 1, inputs: typed }],
		['JSON', { type: 'submitJson', revision: 1, text: '{"note": "a long answer"}' }],
	])('stays open, says so, and keeps %s', async (_what, submit) => {
		const checks: ((verdict: Verdict) => void)[] = [];
		const { draft, panel } = open(note, () => new Promise((resolve) => checks.push(resolve)));
		const outcome = vi.fn();
		void panel.outcome.then(outcome);
		page.send(submit);
		await settle();
		panel.withdraw('The connection has ended.', false);
		checks[0]?.({ status: 'valid' });
		await settle();
		expect(page.posted.at(-1)).toEqual({ type: 'withdrawn', reason: 'The connection has ended.', cancelled: false });
		expect([page.isClosed, outcome.mock.calls]).toEqual([false, []]);
		expect(draft.inputs).toEqual(typed);
	});
});

it('an edit of the JSON is kept whole, with what belongs to no field', async () => {
	const { draft } = open(note);
	const kept = vi.fn();
	draft.onChange = () => kept(draft.inputs, draft.rest);
	page.send({ type: 'json', revision: 1, text: '{"note": "a long answer", "extra": 1}' });
	await settle();
	expect(kept.mock.calls).toEqual([[typed, { extra: 1 }]]);
});

it('the server that suggests values gets no secret, neither as what is typed nor beside it', async () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const suggest = vi.fn(async () => []);
	open({ type: 'object', properties: { city: { type: 'string' }, api_key: { type: 'string' } } }, valid, { suggest });
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
	const { panel } = open({ type: 'object', properties: { note: { type: 'string', default: '' } } });
	page.send({ type: 'json', revision: 1, text: '{}' });
	await settle();
	const review = page.posted.at(-1);
	page.send({ type: 'submit', revision: 2, inputs: (review?.type === 'jsonReview' && review.inputs) || [] });
	expect(await panel.outcome).toEqual({ action: 'accept', content: {} });
});

it('a form that was replaced while its page was hidden does not begin with what was entered before', async () => {
	const { panel } = open(note);
	page.send({ type: 'change', revision: 1, inputs: typed });
	await settle();
	const other: JsonObject = { type: 'object', properties: { other: { type: 'string' } } };
	panel.replace(new Draft(new Form(other, { validate: valid })), { ...model, message: 'Another?' });
	// Messages to a hidden page are lost. It says when it is back.
	page.posted.length = 0;
	page.send({ type: 'ready' });
	expect(page.posted).toMatchObject([{ type: 'show', instead: true, model: { message: 'Another?' } }]);
	page.send({ type: 'change', revision: 1, inputs: typed });
	await settle();
	page.posted.length = 0;
	page.send({ type: 'ready' });
	expect(page.posted).toMatchObject([{ type: 'show', model: { inputs: typed } }]);
	expect(page.posted[0]).not.toHaveProperty('instead');
});
