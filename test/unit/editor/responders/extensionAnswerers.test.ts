import { describe, expect, it, vi } from 'vitest';
import type { Answerer, AnswererResult } from '../../../../src/api.ts';
import { ExtensionAnswerers } from '../../../../src/editor/responders/extensionAnswerers.ts';
import type { Verdict } from '../../../../src/elicitation/form/validate.ts';
import { english, render } from '../../../../src/elicitation/sentence.ts';
import { World } from '../../elicitation/world.ts';
import { memento } from '../storage.ts';
import { messages, settled } from '../surfaces.ts';
import { fakeVscode } from '../vscode.ts';

const shown = messages();
fakeVscode({ extensions: { getExtension: (id: string) => ({ id, packageJSON: {} }) } });

/** An extension that the user has agreed to, and that takes its time to respond. */
function slowExtension() {
	const world = new World();
	const memory = memento(new Map([['agreedExtensions', '["a.slow"]']]));
	let respond!: (result: AnswererResult | undefined) => void;
	const response = new Promise<AnswererResult | undefined>((resolve) => {
		respond = resolve;
	});
	const answer = vi.fn<Answerer['answer']>(() => response);
	const answerers = new ExtensionAnswerers(world.registry, memory, () => false);
	const { dispose } = answerers.add({ id: 'a.slow', answer });
	const { registry } = world;
	const responder = () => answerers.responders[0];
	return { world, registry, answerers, form: world.form('One?'), answer, respond, dispose, responder };
}

describe.each(['revoke', 'stop'] as const)('once the user has chosen %s', (choice) => {
	it('what the extension responds to an earlier request is not sent', async () => {
		const { form, answer, respond, responder } = slowExtension();
		await vi.waitFor(() => expect(answer).toHaveBeenCalled());
		await responder()?.[choice]?.();
		// The user is asked at once, even if the extension never responds.
		await vi.waitFor(() => expect(form.consulted).toBeUndefined());
		respond({ action: 'decline' });
		await settled();
		expect(form.state).toBe('asking');
	});

	it.each<[string, Verdict]>([
		['sent if it is valid', { status: 'valid' }],
		['complained of if it is not', { status: 'invalid', violations: [] }],
	])('a response that is still validated is not %s', async (_what, verdict) => {
		const { registry, form, answer, respond, responder } = slowExtension();
		const rejected = vi.fn();
		registry.autoResponders.onDidReject(rejected);
		let validated = (_verdict: Verdict) => {};
		const validate = vi.spyOn(registry.validator, 'validate').mockReturnValue(
			new Promise((resolve) => {
				validated = resolve;
			}),
		);
		await vi.waitFor(() => expect(answer).toHaveBeenCalled());
		respond({ action: 'accept', content: {} });
		await vi.waitFor(() => expect(validate).toHaveBeenCalled());
		await responder()?.[choice]?.();
		validated(verdict);
		await vi.waitFor(() => expect(form.consulted).toBeUndefined());
		await settled();
		expect(form.state).toBe('asking');
		expect(rejected).not.toHaveBeenCalled();
	});
});

it('no consent is asked for once an extension has disposed of its answerer', async () => {
	const { world, answerers, form, answer, respond } = slowExtension();
	form.cancel();
	const gone = answerers.add({ id: 'b.gone', answer: vi.fn() });
	const another = world.form('Another?');
	await vi.waitFor(() => expect(answer).toHaveBeenCalledTimes(2));
	const asked = new Promise((resolve) => world.registry.onDidAsk(resolve));
	gone.dispose();
	respond(undefined);
	expect(await asked).toBe(another);
	expect(shown).toEqual([]);
});

it.each([
	['responds at once', () => ({ action: 'decline' }) as const],
	['never responds', () => new Promise<never>(() => {})],
])(
	'the user is asked where an extension disposes of its answerer in the answerer itself and %s',
	async (_how, then) => {
		const { registry, form, answer, dispose } = slowExtension();
		const asked = new Promise((resolve) => registry.onDidAsk(resolve));
		answer.mockImplementation(() => {
			dispose();
			return then();
		});
		expect(await asked).toBe(form);
		expect(form.state).toBe('asking');
	},
);

it('an extension whose answerer is malformed is not listed as if it could respond', () => {
	const { answerers } = slowExtension();
	expect(() => answerers.add({ id: 'c.plain', answer: vi.fn(), servers: {} as never })).toThrow(TypeError);
	expect(answerers.responders.map(({ name }) => name)).toEqual(['a.slow']);
});

it('what an extension responds is sent while the user agrees', async () => {
	const { form, answer, respond } = slowExtension();
	await vi.waitFor(() => expect(answer).toHaveBeenCalled());
	respond({ action: 'decline' });
	await vi.waitFor(() => expect(form.state).toBe('declined'));
});

it('an extension whose content is nothing that JSON can hold is told so', async () => {
	const { registry, form, respond } = slowExtension();
	const reasons: string[] = [];
	registry.autoResponders.onDidReject(({ reason }) => reasons.push(render(reason, english)));
	respond({ action: 'accept', content: (() => {}) as never });
	await vi.waitFor(() => expect(reasons).toEqual(['It failed: Its content is not an object.']));
	expect(form.state).toBe('asking');
});
