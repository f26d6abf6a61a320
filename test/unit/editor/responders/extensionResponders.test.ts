import { describe, expect, it, vi } from 'vitest';
import type { Answerer, AnswererResult } from '../../../../src/api.ts';
import { ExtensionResponders } from '../../../../src/editor/responders/extensionResponders.ts';
import type { Verdict } from '../../../../src/elicitation/form/validate.ts';
import { english, render } from '../../../../src/elicitation/sentence.ts';
import { World } from '../../elicitation/world.ts';
import { memento } from '../storage.ts';
import { messages, settled } from '../surfaces.ts';
import { fakeVscode } from '../vscode.ts';

/** What the user chooses in dialogs; undefined while they decide nothing. */
let decided: readonly [button: string | undefined] | undefined;
const shown = messages(({ choose }) => decided && choose(...decided));
fakeVscode({ extensions: { getExtension: (id: string) => ({ id, packageJSON: {} }) } });

const OWN = { name: 's', source: { kind: 'user', uri: 'user' } };

/** An extension that the user has agreed to, and that takes its time to respond. */
function slowExtension() {
	const world = new World();
	const memory = memento(new Map([['agreedExtensions', '["a.slow"]']]));
	let respond!: (result: AnswererResult | undefined) => void;
	const response = new Promise<AnswererResult | undefined>((resolve) => {
		respond = resolve;
	});
	const answer = vi.fn<Answerer['answer']>(() => response);
	const responders = new ExtensionResponders(world.registry, memory, memento(), () => OWN as never);
	const { dispose } = responders.add({ id: 'a.slow', answer });
	const { registry } = world;
	const responder = () => responders.responders[0];
	return { world, registry, responders, form: world.form('One?'), answer, respond, dispose, responder };
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
	const { world, responders, form, answer, respond } = slowExtension();
	form.cancel();
	const gone = responders.add({ id: 'b.gone', answer: vi.fn() });
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
	const { responders } = slowExtension();
	expect(() => responders.add({ id: 'c.plain', answer: vi.fn(), servers: {} as never })).toThrow(TypeError);
	expect(responders.responders.map(({ name }) => name)).toEqual(['a.slow']);
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

describe('an extension that may respond to the user’s own servers', () => {
	const ofWorkspace = (uri: string) => ({ name: 's', source: { kind: 'mcpJson', uri, folder: { name: 'app' } } });
	const HERE = ofWorkspace('file:///workspaces/app/.vscode/mcp.json');
	const THERE = ofWorkspace('file:///workspaces/other/.vscode/mcp.json');

	/** A window of a workspace, in which `s` is this server. The user settings are those of every window. */
	function window(global: Map<string, string>, workspace: Map<string, string>, servers?: readonly string[]) {
		const world = new World();
		const now: { configured: object | undefined } = { configured: OWN };
		const responders = new ExtensionResponders(
			world.registry,
			memento(global),
			memento(workspace),
			() => now.configured as never,
		);
		responders.add({ id: 'a.b', answer: async () => ({ action: 'decline' }), ...(servers && { servers }) });
		/** Whether it responds to a request, after the user has chosen this about it. */
		const responds = async (configured: object | undefined, choice?: string) => {
			now.configured = configured;
			const form = world.form('Continue?');
			const before = shown.length;
			const asked = new Promise((resolve) => world.registry.onDidAsk(resolve));
			decided = [choice];
			await Promise.race([form.ended, asked]);
			decided = undefined;
			const { state } = form;
			form.cancel();
			return [state === 'declined', shown.length - before];
		};
		return { responders, responds };
	}

	const agreed = () => new Map([['agreedExtensions', '["a.b"]']]);

	it('responds to those of a workspace only once they have agreed to that, for each place that defines them', async () => {
		const { responds } = window(agreed(), new Map());
		expect(await responds(OWN)).toEqual([true, 0]);
		expect(await responds(HERE, 'Allow')).toEqual([true, 1]);
		expect(shown.at(-1)?.detail).toContain('that this workspace defines (.vscode/mcp.json)');
		expect(await responds(HERE)).toEqual([true, 0]);
		expect(await responds(THERE, undefined)).toEqual([false, 1]);
		expect(await responds(THERE, undefined)).toEqual([false, 0]);
	});

	it('is asked about again in another container, where the same path is another workspace', async () => {
		const global = agreed();
		expect(await window(global, new Map()).responds(HERE, 'Allow')).toEqual([true, 1]);
		expect(await window(global, new Map()).responds(HERE)).toEqual([false, 1]);
	});

	it('may not respond to them because it may to those of a workspace', async () => {
		const { responds } = window(new Map(), new Map());
		expect(await responds(HERE, 'Allow')).toEqual([true, 1]);
		expect(await responds(OWN)).toEqual([false, 1]);
	});

	it('means theirs by a name, not one in its place, and none that nothing defines any more', async () => {
		const { responds } = window(agreed(), new Map(), ['s']);
		expect(await responds({ ...HERE, replacesOwn: true })).toEqual([false, 0]);
		expect(await responds(undefined)).toEqual([false, 0]);
		expect(await responds(OWN)).toEqual([true, 0]);
	});

	it.each([
		['stop', 0],
		['revoke', 1],
	] as const)('responds to none any more after %s', async (choice, questions) => {
		const { responders, responds } = window(agreed(), new Map());
		await responds(HERE, 'Allow');
		await responders.responders[0]?.[choice]?.();
		expect(responders.responders[0]?.detail).toBe('needs your consent');
		expect(await responds(HERE)).toEqual([false, questions]);
		expect(await responds(OWN)).toEqual([false, questions]);
	});
});
