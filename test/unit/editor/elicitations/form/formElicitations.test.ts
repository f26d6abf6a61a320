import { beforeEach, describe, expect, it } from 'vitest';
import { FormElicitations } from '../../../../../src/editor/elicitations/form/formElicitations.ts';
import type { Elicitation } from '../../../../../src/elicitation/elicitation.ts';
import type { Verdict } from '../../../../../src/elicitation/form/validate.ts';
import { localizable } from '../../../../../src/elicitation/sentence.ts';
import type { FromForm, ToForm } from '../../../../../src/protocol.ts';
import { World } from '../../../elicitation/world.ts';
import { messages, notices, pages, passTime, pickers, textsOf, settled as turn } from '../../surfaces.ts';
import { fakeVscode } from '../../vscode.ts';

const shown = messages();
const told = notices();
const screen = pickers();
const { panels, extensionUri } = pages<ToForm, FromForm>();
let settings: Record<string, string>;

/** Waits until what follows has followed: pickers take several turns. */
async function settled(): Promise<void> {
	for (let at = 0; at < 5; at++) {
		await turn();
	}
}

beforeEach(() => {
	settings = {};
});

fakeVscode({ workspace: { getConfiguration: () => ({ get: (key: string) => settings[key] }) } });

/** A window whose user waits for what is asked. */
function present(validate?: () => Promise<Verdict>) {
	const world = new World(undefined, validate);
	const nothing = () => ({ dispose() {} });
	const handled: Elicitation[] = [];
	const markHandled = (elicitation: Elicitation) => void handled.push(elicitation);
	const userFocus = {
		...{ isTaken: false, isWaitingFor: () => true, markHandled, markElsewhere() {} },
		...{ watch: nothing, onDidClose: nothing },
	};
	const waiting = { draftOf: () => undefined };
	const servers = { get: () => undefined };
	const forms = new FormElicitations(
		extensionUri,
		world.registry,
		servers as never,
		userFocus as never,
		waiting as never,
	);
	return { ...world, world, forms, handled };
}

it('the notification of a request leads to it, however long its message is', () => {
	settings = { 'form.reveal': 'notify' };
	const { world } = present();
	world.form('word '.repeat(1_000), { server: 'weather' });
	const [notice] = told;
	expect(notice?.text).toMatch(/^weather asks: word word .*…$/);
	expect(notice?.actions).toEqual(['Respond']);
});

describe('after requests were declined together', () => {
	it.each([6, 10])(
		'nothing of %i opens or stays: no picker that was queued, replaced or left, no notice',
		async (count) => {
			settings = { 'form.presentation': 'quickPick' };
			const { world, forms, registry } = present();
			const call = world.call();
			const elicitations = world.forms(count, { calls: [call] });
			await settled();
			// The list has taken the place of the first, from which another one is opened, and a second one.
			forms.open(elicitations[3] as never);
			forms.open(elicitations[5] as never);
			await settled();
			screen.current?.hide();
			await settled();
			expect(told.some(({ isOpen }) => isOpen)).toBe(true);
			forms.open(elicitations[0] as never);
			await settled();
			const before = screen.shown.length;
			registry.declineAll('s');
			await settled();
			expect([screen.current, screen.shown.length - before]).toEqual([undefined, 0]);
			expect(told.filter(({ isOpen }) => isOpen)).toEqual([]);
			expect(elicitations.map(({ state }) => state)).toEqual(elicitations.map(() => 'declined'));
		},
	);

	it('an Accept that is still validated says that it came too late', async () => {
		let valid = (_verdict: Verdict) => {};
		settings = { 'form.presentation': 'webview' };
		const { world, registry } = present(() => new Promise((resolve) => (valid = resolve)));
		world.form('Deploy?');
		await settled();
		panels[0]?.send({ type: 'submit', revision: 1, inputs: [] });
		await settled();
		registry.declineAll('s');
		valid({ status: 'valid' });
		await settled();
		expect(textsOf(shown)).toEqual(['s: "Deploy?" was declined already; nothing was sent.']);
	});
});

it.each([
	['pickers', 'quickPick', 1],
	['a form', 'webview', 2],
])('what is accepted in %s was validated once as it is sent', async (_, presentation, validations) => {
	settings = { 'form.presentation': presentation };
	let asked = 0;
	const { world } = present(async () => {
		asked++;
		return { status: 'valid' };
	});
	const elicitation = world.form('Deploy?');
	await settled();
	passTime(1_000);
	panels[0]?.send({ type: 'submit', revision: 1, inputs: [] });
	screen.current?.accept(screen.current.items.find(({ label }) => label.includes('Accept')));
	await settled();
	// A form is also reviewed when it opens.
	expect([elicitation.state, asked]).toEqual(['accepted', validations]);
});

describe('the tab of a form', () => {
	const note = { type: 'object', properties: { note: { type: 'string' } } };
	const open = () => {
		settings = { 'form.presentation': 'webview' };
		const here = present();
		const elicitation = here.world.add({ mode: 'form', message: 'Book?', requestedSchema: note });
		return { ...here, elicitation };
	};

	it('cancels when it is closed, if nothing was entered', async () => {
		const { elicitation, handled } = open();
		panels[0]?.dispose();
		await settled();
		expect([elicitation.state, told, handled]).toEqual(['cancelled', [], [elicitation]]);
	});

	it.each<[string, FromForm]>([
		['the fields', { type: 'change', revision: 1, inputs: [{ kind: 'text', text: 'by the window' }] }],
		['JSON that is not finished', { type: 'json', revision: 1, text: '{"note": "by the w' }],
	])('keeps what was entered in %s when it is closed: the request waits, and says so', async (_what, entered) => {
		const { elicitation } = open();
		panels[0]?.send(entered);
		await settled();
		panels[0]?.dispose();
		await settled();
		expect(elicitation.state).toBe('asking');
		expect(told).toMatchObject([{ text: expect.stringContaining('"Book?"'), isOpen: true }]);
		expect(told[0]?.actions).toEqual(['Reopen', 'Cancel Request']);
		await told[0]?.press('Reopen');
		await settled();
		const model = panels[1]?.last('show')?.model;
		expect(entered.type === 'change' ? model?.inputs : model?.json?.text).toEqual(
			entered.type === 'change' ? entered.inputs : (entered as { text: string }).text,
		);
		expect(told[0]?.isOpen).toBe(false);
		panels[1]?.dispose();
		await settled();
		await told[1]?.press('Cancel Request');
		await settled();
		expect([elicitation.state, told[1]?.isOpen]).toEqual(['cancelled', false]);
	});

	it('goes with its request unless it is in view or has what was entered, which is no answer of the user', async () => {
		const { world, registry, handled } = open();
		for (let at = 0; at < 2; at++) {
			world.add({ mode: 'form', message: 'More?', requestedSchema: note });
		}
		const [seen, typed, hidden] = panels;
		typed?.send({ type: 'change', revision: 1, inputs: [{ kind: 'text', text: 'x' }] });
		await settled();
		for (const panel of [typed, hidden]) {
			Object.assign(panel ?? {}, { visible: false });
		}
		registry.withdraw(() => true, localizable('The call ended.'));
		await settled();
		expect([seen, typed, hidden].map((panel) => panel?.closed)).toEqual([false, false, true]);
		expect(handled).toEqual([]);
		Object.assign(seen ?? {}, { visible: false });
		seen?.focus(false);
		expect(seen?.closed).toBe(true);
	});
});
