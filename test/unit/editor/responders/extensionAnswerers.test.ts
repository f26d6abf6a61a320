import { expect, it, vi } from 'vitest';
import type { Answerer, AnswererResult } from '../../../../src/api.ts';
import { english, render } from '../../../../src/elicitation/sentence.ts';
import { World } from '../../elicitation/world.ts';

const editor = vi.hoisted(() => ({ showWarningMessage: vi.fn(() => new Promise(() => {})) }));

vi.mock('vscode', async () =>
	(await import('../vscode.ts')).fakeVscode({
		extensions: { getExtension: (id: string) => ({ id, packageJSON: {} }) },
		window: editor,
	}),
);

const { ExtensionAnswerers } = await import('../../../../src/editor/responders/extensionAnswerers.ts');

/** An extension that the user has agreed to, and that takes its time to respond. */
function slowExtension() {
	const world = new World();
	const state = new Map<string, unknown>([['agreedExtensions', ['a.slow']]]);
	const memory = {
		get: (key: string, missing: unknown) => state.get(key) ?? missing,
		update: async (key: string, value: unknown) => void state.set(key, value),
	};
	let respond!: (result: AnswererResult | undefined) => void;
	const response = new Promise<AnswererResult | undefined>((resolve) => {
		respond = resolve;
	});
	const answer = vi.fn<Answerer['answer']>(() => response);
	const answerers = new ExtensionAnswerers(world.registry, memory as never, () => false);
	const { dispose } = answerers.add({ id: 'a.slow', answer });
	const { registry } = world;
	const responder = () => answerers.responders[0];
	return { world, registry, answerers, form: world.form('One?'), answer, respond, dispose, responder };
}

it.each(['revoke', 'stop'] as const)(
	'what an extension responds to an earlier request is not sent after the user has chosen %s',
	async (choice) => {
		const { form, answer, respond, responder } = slowExtension();
		await vi.waitFor(() => expect(answer).toHaveBeenCalled());
		await responder()?.[choice]?.();
		// The user is asked at once, even if the extension never responds.
		await vi.waitFor(() => expect(form.consulted).toBeUndefined());
		respond({ action: 'decline' });
		await promiseJobs();
		expect(form.state).toBe('asking');
	},
);

it.each(['revoke', 'stop'] as const)(
	'what an extension responds is not sent if the user chooses %s while it is validated',
	async (choice) => {
		const { registry, form, answer, respond, responder } = slowExtension();
		let validated = () => {};
		const validate = vi.spyOn(registry.validator, 'validate').mockReturnValue(
			new Promise((resolve) => {
				validated = () => resolve({ status: 'valid' });
			}),
		);
		await vi.waitFor(() => expect(answer).toHaveBeenCalled());
		respond({ action: 'accept', content: {} });
		await vi.waitFor(() => expect(validate).toHaveBeenCalled());
		await responder()?.[choice]?.();
		validated();
		await promiseJobs();
		expect([form.state, form.consulted]).toEqual(['asking', undefined]);
	},
);

it.each(['revoke', 'stop'] as const)(
	'nothing is said about a response that is invalid if the user chooses %s while it is validated',
	async (choice) => {
		const { registry, form, answer, respond, responder } = slowExtension();
		const rejected = vi.fn();
		registry.autoResponders.onDidReject(rejected);
		let validated = () => {};
		const validate = vi.spyOn(registry.validator, 'validate').mockReturnValue(
			new Promise((resolve) => {
				validated = () => resolve({ status: 'invalid', violations: [] });
			}),
		);
		await vi.waitFor(() => expect(answer).toHaveBeenCalled());
		respond({ action: 'accept', content: {} });
		await vi.waitFor(() => expect(validate).toHaveBeenCalled());
		await responder()?.[choice]?.();
		validated();
		await vi.waitFor(() => expect(form.consulted).toBeUndefined());
		expect(rejected).not.toHaveBeenCalled();
	},
);

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
	expect(editor.showWarningMessage).not.toHaveBeenCalled();
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

/** Waits until nothing is left that only waits for promises. */
function promiseJobs(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}
