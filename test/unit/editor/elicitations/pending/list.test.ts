import { beforeEach, expect, it, vi } from 'vitest';
import { commands, EventEmitter } from 'vscode';
import { nextMoment } from '../../../../../src/elicitation/clock.ts';
import { KEY_GUARD } from '../../../../../src/elicitation/keyGuard.ts';
import { Registry } from '../../../../../src/elicitation/registry.ts';

interface FakePicker {
	readonly title: string;
	readonly items: readonly { readonly label: string; readonly detail?: string; readonly buttons?: unknown[] }[];
	selectedItems: readonly unknown[];
	accept(item: unknown): void;
	press(button: unknown): void;
	hide(): void;
}

const state = vi.hoisted(() => ({
	/** The picker on the screen. A second one closes the first. */
	picker: undefined as FakePicker | undefined,
	panels: 0,
}));

vi.mock('vscode', async () =>
	(await import('../../vscode.ts')).fakeVscode({
		workspace: { getConfiguration: () => ({ get: () => 'auto' }) },
		window: { createQuickPick: () => createPicker(), createInputBox: () => createPicker() },
	}),
);
vi.mock('../../../../../src/editor/elicitations/form/formPanel.ts', () => ({
	FormPanel: class {
		readonly outcome = new Promise(() => {});
		constructor() {
			state.panels++;
		}
	},
}));

const { registerPending } = await import('../../../../../src/editor/elicitations/pending/pending.ts');
const { FormElicitations } = await import('../../../../../src/editor/elicitations/form/formElicitations.ts');
const { UserFocus } = await import('../../../../../src/editor/elicitations/userFocus.ts');

function createPicker() {
	const [accepted, hidden, pressed] = [new EventEmitter<void>(), new EventEmitter<void>(), new EventEmitter<object>()];
	const picker = {
		title: '',
		items: [],
		activeItems: [],
		selectedItems: [] as unknown[],
		onDidAccept: accepted.event,
		onDidHide: hidden.event,
		onDidTriggerButton: () => ({ dispose: () => {} }),
		onDidTriggerItemButton: pressed.event,
		onDidChangeValue: () => ({ dispose: () => {} }),
		accept: (item: unknown) => {
			picker.selectedItems = [item];
			accepted.fire();
		},
		press: (button: unknown) => pressed.fire({ button }),
		show: () => {
			const before = state.picker;
			state.picker = picker;
			before?.hide();
		},
		hide: () => {
			if (state.picker === picker) {
				state.picker = undefined;
			}
			hidden.fire();
		},
		dispose: () => {
			if (state.picker === picker) {
				picker.hide();
			}
		},
	};
	return picker;
}

const done: string[] = [];
let registry: Registry;

/** A window in which a call waits that was interrupted. */
beforeEach(() => {
	Object.assign(state, { picker: undefined, panels: 0 });
	done.length = 0;
	registry = new Registry({ validate: async () => ({ status: 'valid' }) }, () => Number.POSITIVE_INFINITY);
	const forms = new FormElicitations({} as never, registry, { get: () => undefined } as never, new UserFocus(), {
		draftOf: () => undefined,
	} as never);
	const interrupted = { id: '1', server: 's', kind: 'tool', name: 'pay', startedAt: 0, at: 'round' };
	registerPending(
		registry,
		{ all: [interrupted], onDidChange: () => ({ dispose: () => {} }) } as never,
		{
			open: async (elicitation: never) => forms.open(elicitation),
			// As long as the call that it resumes.
			resumeCall: () => {
				done.push('resumed');
				return new Promise(() => {});
			},
		} as never,
	);
});

/** Requests of one call that the user has made. */
function ask(count: number): void {
	const call = registry.calls[0] ?? registry.beginCall('s', 'tool', 'deploy', {}, undefined, nextMoment());
	for (let at = 0; at < count; at++) {
		registry.add(
			{
				mode: 'form',
				message: `Elicitation ${registry.elicitations.length}`,
				requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
			},
			{
				server: 's',
				connection: 'c',
				intake: 'request',
				revision: '2025-11-25',
				calls: [call],
				params: null,
			},
		);
	}
}

const shows = (title: string) => vi.waitUntil(() => state.picker?.title.includes(title) && state.picker);
const item = (text: string) => state.picker?.items.find(({ detail }) => detail?.includes(text));

it('the list that takes the place of many requests ignores a key that was meant for the picker before it', async () => {
	ask(5);
	const list = await shows('Pending Elicitations');
	const [first] = list.items;
	list.accept(first);
	list.press(first?.buttons?.[0]);
	expect([done, state.picker, list.selectedItems]).toEqual([[], list, []]);
	await new Promise((resolve) => setTimeout(resolve, KEY_GUARD + 50));
	list.press(first?.buttons?.[0]);
	list.accept(first);
	expect([done, state.picker]).toEqual([['resumed', 'resumed'], undefined]);
});

it('the list that the user has opened takes keys at once', async () => {
	const closed = commands.executeCommand('mcpElicitation.showPending');
	const list = await shows('Pending Elicitations');
	list.accept(list.items[0]);
	expect(done).toEqual(['resumed']);
	await closed;
});

it('requests that arrive while it is open join it, and no form opens behind it', async () => {
	ask(5);
	await shows('Pending Elicitations');
	await new Promise((resolve) => setTimeout(resolve, KEY_GUARD + 50));
	ask(1);
	expect(state.panels).toBe(0);
	await vi.waitUntil(() => item('Elicitation 5'));
	state.picker?.accept(item('Elicitation 5'));
	await shows('deploy');
});

it('once the user has closed it, nothing pops up', async () => {
	ask(5);
	const list = await shows('Pending Elicitations');
	list.hide();
	await new Promise(setImmediate);
	ask(1);
	expect([state.picker, state.panels]).toEqual([undefined, 1]);
});
