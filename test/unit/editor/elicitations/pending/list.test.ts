import { beforeEach, expect, it, vi } from 'vitest';
import { nextMoment } from '../../../../../src/elicitation/clock.ts';
import { KEY_GUARD } from '../../../../../src/elicitation/keyGuard.ts';
import { Registry } from '../../../../../src/elicitation/registry.ts';

/** VS Code under the control of the test. */
const editor = vi.hoisted(() => {
	class Emitter {
		readonly #listeners = new Set<(value: never) => void>();
		readonly event = (listener: (value: never) => void) => {
			this.#listeners.add(listener);
			return { dispose: () => this.#listeners.delete(listener) };
		};
		fire(value?: unknown): void {
			for (const listener of [...this.#listeners]) {
				listener(value as never);
			}
		}
		dispose(): void {}
	}
	interface FakePicker {
		readonly title: string;
		readonly items: readonly { readonly label: string; readonly detail?: string; readonly buttons?: unknown[] }[];
		selectedItems: readonly unknown[];
		accept(item: unknown): void;
		press(button: unknown): void;
		hide(): void;
	}
	class Disposable {
		constructor(readonly dispose: () => void = () => {}) {}
		static from(...all: { dispose(): void }[]) {
			return new Disposable(() => all.forEach((each) => void each.dispose()));
		}
	}
	const state = {
		/** The picker on the screen. A second one closes the first. */
		picker: undefined as FakePicker | undefined,
		panels: 0,
		commands: new Map<string, (...args: unknown[]) => unknown>(),
	};
	const createQuickPick = () => {
		const [accepted, hidden, pressed] = [new Emitter(), new Emitter(), new Emitter()];
		const picker = {
			title: '',
			items: [],
			activeItems: [],
			selectedItems: [] as unknown[],
			onDidAccept: accepted.event,
			onDidHide: hidden.event,
			onDidTriggerButton: () => new Disposable(),
			onDidTriggerItemButton: pressed.event,
			onDidChangeValue: () => new Disposable(),
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
	};
	return {
		state,
		vscode: {
			Disposable,
			EventEmitter: Emitter,
			ThemeIcon: class {},
			ThemeColor: class {},
			CancellationError: class extends Error {},
			QuickPickItemKind: { Separator: -1 },
			StatusBarAlignment: { Left: 1 },
			TextEditorSelectionChangeKind: { Keyboard: 1, Mouse: 2 },
			ProgressLocation: { Notification: 15 },
			l10n: { t: (text: string) => text, bundle: undefined },
			workspace: {
				getConfiguration: () => ({ get: () => 'auto' }),
			},
			commands: {
				registerCommand: (id: string, run: (...args: unknown[]) => unknown) => {
					state.commands.set(id, run);
					return new Disposable();
				},
				executeCommand: async (id: string, ...args: unknown[]) => state.commands.get(id)?.(...args),
			},
			window: {
				state: { focused: true },
				createQuickPick,
				createInputBox: createQuickPick,
				createTreeView: () => ({ dispose: () => {} }),
				createStatusBarItem: () => ({ show: () => {}, hide: () => {}, dispose: () => {} }),
				withProgress: () => Promise.resolve(),
				onDidChangeTextEditorSelection: () => new Disposable(),
				onDidChangeNotebookEditorSelection: () => new Disposable(),
				onDidChangeActiveTerminal: () => new Disposable(),
				onDidChangeTerminalState: () => new Disposable(),
				onDidStartTerminalShellExecution: () => new Disposable(),
			},
		},
	};
});

vi.mock('vscode', () => editor.vscode);
vi.mock('../../../../../src/editor/elicitations/form/formPanel.ts', () => ({
	FormPanel: class {
		readonly outcome = new Promise(() => {});
		constructor() {
			editor.state.panels++;
		}
	},
}));

const { registerPending } = await import('../../../../../src/editor/elicitations/pending/pending.ts');
const { FormElicitations } = await import('../../../../../src/editor/elicitations/form/formElicitations.ts');
const { UserFocus } = await import('../../../../../src/editor/elicitations/userFocus.ts');
const { state } = editor;

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
	const closed = state.commands.get('mcpElicitation.showPending')?.();
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
