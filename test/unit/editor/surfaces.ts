import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, onTestFinished, vi } from 'vitest';
import { registerNotices } from '../../../src/editor/common/notifications.ts';
import { Emitter } from '../../../src/elicitation/emitter.ts';
import { KEY_GUARD } from '../../../src/elicitation/keyGuard.ts';
import { commands, Disposable, fakeVscode, Uri } from './vscode.ts';

// Some tests replace the timers.
const { setImmediate } = globalThis;

const clock = performance.now.bind(performance);
let stopped: number | undefined;
let passed = 0;
performance.now = () => (stopped ?? clock()) + passed;

/** Stops the clock that nothing sets back until the test ends: only the test lets time pass. */
export function stopClock(): void {
	// Whole, so that sums of times are exact.
	stopped = Math.ceil(clock());
	onTestFinished(() => {
		stopped = undefined;
	});
}

/** Lets time pass (ms) on that clock. Timers do not notice. */
export function passTime(milliseconds: number): void {
	passed += milliseconds;
}

/** Waits for all follow-up work that waits for nothing else. */
export const settled = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** The last element of a list, once there are this many. */
export async function nth<T>(list: readonly T[], count: number): Promise<T> {
	await vi.waitUntil(() => list.length >= count, { interval: 5 });
	if (list.length > count) {
		throw new Error(`There are ${list.length}, not ${count}.`);
	}
	return list[count - 1] as T;
}

/** The only element of a list, once there is one. */
export const only = <T>(list: readonly T[]): Promise<T> => nth(list, 1);

/** A notification or a dialog. */
export interface Message {
	readonly kind: 'information' | 'warning' | 'error';
	readonly text: string;
	readonly detail: string | undefined;
	readonly buttons: readonly string[];
	/** Chooses a button, or dismisses it, once it takes clicks. */
	choose(button?: string): void;
	/** The same at once: a click that may have been meant for something else. */
	click(button?: string): void;
}

/**
 * The messages that the editor shows in the running test.
 * @param answer what the user does about each of them at once; otherwise they wait for the test
 */
export function messages(answer: (message: Message) => void = () => {}): Message[] {
	const shown: Message[] = [];
	const show =
		(kind: Message['kind']) =>
		(text: string, ...rest: (string | { readonly detail?: string })[]) => {
			// VS Code closes the one that says the same.
			shown.findLast((message) => message.text === text)?.click();
			return new Promise<string | undefined>((resolve) => {
				const message: Message = {
					kind,
					text,
					detail: rest.map((each) => (typeof each === 'object' ? each.detail : undefined)).find(Boolean),
					buttons: rest.filter((each) => typeof each === 'string'),
					click: resolve,
					choose: (button) =>
						void setImmediate(() => {
							passTime(2 * KEY_GUARD);
							resolve(button);
						}),
				};
				shown.push(message);
				answer(message);
			});
		};
	fakeVscode({
		window: {
			showErrorMessage: show('error'),
			showInformationMessage: show('information'),
			showWarningMessage: show('warning'),
		},
	});
	beforeEach(() => void shown.splice(0));
	return shown;
}

/** A notification that goes by itself, with its links. */
export interface FakeNotice {
	readonly text: string;
	readonly actions: readonly string[];
	/** What stands behind the links. */
	readonly hint: string;
	isOpen: boolean;
	press(action: string): unknown;
	/** Presses its button. */
	cancel(): void;
}

/** The notices of the running test. */
export function notices(): FakeNotice[] {
	const shown: FakeNotice[] = [];
	const withProgress = async (
		{ title = '' }: { title?: string },
		task: (progress: object, token: object) => unknown,
	) => {
		const links = [...title.matchAll(/\[([^\]]+)\]\(command:([^?]+)\?([^)]*)\)/g)];
		const cancelled = new Emitter<void>();
		const notice: FakeNotice = {
			cancel: () => cancelled.fire(),
			text: title.replace(/ \[.*$/, ''),
			hint: links.length > 0 ? title.replace(/^.*\) (?=\()/, '') : '',
			actions: links.map(([, name = '']) => name),
			isOpen: true,
			press: (action) => {
				const [, , command = '', args = ''] = links.find(([, name]) => name === action) ?? [];
				return commands.executeCommand(command, ...JSON.parse(decodeURIComponent(args)));
			},
		};
		shown.push(notice);
		await task({ report: () => {} }, { onCancellationRequested: cancelled.event });
		notice.isOpen = false;
	};
	fakeVscode({ window: { withProgress } });
	beforeEach(() => {
		shown.splice(0);
		const registered = registerNotices();
		onTestFinished(() => void registered.dispose());
	});
	return shown;
}

export const textsOf = (shown: readonly Message[]): string[] => shown.map(({ text }) => text);

interface Item {
	readonly label: string;
	readonly description?: string;
	readonly detail?: string;
	readonly kind?: number;
	readonly buttons?: readonly unknown[];
}

interface Button {
	readonly tooltip?: string;
}

/** A list or a box at the top of the window. */
export class FakePicker {
	title = '';
	value = '';
	prompt: string | undefined;
	placeholder: string | undefined;
	validationMessage: string | undefined;
	password = false;
	canSelectMany = false;
	buttons: readonly Button[] = [];
	items: readonly Item[] = [];
	activeItems: readonly Item[] = [];
	selectedItems: readonly Item[] = [];
	readonly #accepted = new Emitter<void>();
	readonly #changed = new Emitter<string>();
	readonly #hidden = new Emitter<void>();
	readonly #pressed = new Emitter<unknown>();
	readonly #buttonPressed = new Emitter<unknown>();
	readonly onDidAccept = this.#accepted.event;
	readonly onDidChangeValue = this.#changed.event;
	readonly onDidHide = this.#hidden.event;
	readonly onDidTriggerButton = this.#buttonPressed.event;
	readonly onDidTriggerItemButton = this.#pressed.event;

	constructor(
		private readonly screen: { current: FakePicker | undefined; readonly shown: FakePicker[] },
		readonly isBox = false,
	) {
		if (isBox) {
			// A box has no items.
			for (const member of ['items', 'activeItems', 'selectedItems']) {
				Reflect.deleteProperty(this, member);
			}
		}
	}

	show(): void {
		const before = this.screen.current;
		this.screen.current = this;
		this.screen.shown.push(this);
		// There is room for one.
		before?.hide();
	}

	hide(): void {
		if (this.screen.current === this) {
			this.screen.current = undefined;
		}
		this.#hidden.fire();
	}

	dispose(): void {
		if (this.screen.current === this) {
			this.hide();
		}
	}

	type(value: string): void {
		this.value = value;
		this.#changed.fire(value);
	}

	/** Selects these items, and presses Enter. */
	accept(...items: readonly (Item | undefined)[]): void {
		if (!this.isBox) {
			this.selectedItems = items as readonly Item[];
		}
		this.#accepted.fire();
	}

	/** Presses Enter, which selects what is active in a list of which one item is chosen. */
	pressEnter(): void {
		const selected =
			this.canSelectMany || !this.activeItems?.length ? this.selectedItems : this.activeItems.slice(0, 1);
		this.accept(...(selected ?? []));
	}

	/** Presses a button of the title bar. */
	pressButton(tooltip: string): void {
		const pressed = this.buttons.find((button) => (button.tooltip ?? 'Back') === tooltip);
		if (!pressed) {
			throw new Error(`There is no ${tooltip} in ${this.title}.`);
		}
		this.#buttonPressed.fire(pressed);
	}

	/** Presses a button of an item. */
	press(button: unknown): void {
		this.#pressed.fire({ button });
	}
}

/** The lists and boxes that the editor shows in the running test: the one on the screen, and all. */
export function pickers(): { readonly current: FakePicker | undefined; readonly shown: FakePicker[] } {
	const screen = { current: undefined as FakePicker | undefined, shown: [] as FakePicker[] };
	fakeVscode({
		window: {
			createQuickPick: () => new FakePicker(screen),
			createInputBox: () => new FakePicker(screen, true),
		},
	});
	beforeEach(() => {
		screen.current = undefined;
		screen.shown.length = 0;
	});
	return screen;
}

/** The panel of a page, which the test plays. */
export class FakePanel<Posted extends { readonly type: string }, Sent = unknown> {
	readonly posted: Posted[] = [];
	title: string;
	readonly background: boolean;
	/** The group of editors that it was opened in; the tests' groups have the same one. */
	column: number | undefined;
	readonly viewColumn = 1;
	active = false;
	visible = true;
	revealed = 0;
	closed = false;
	/** How many listen to the page. */
	listeners = 0;
	readonly #received = new Emitter<unknown>();
	readonly #disposed = new Emitter<void>();
	readonly #moved = new Emitter<void>();
	readonly onDidDispose = this.#disposed.event;
	readonly onDidChangeViewState = this.#moved.event;
	readonly webview;

	constructor(
		readonly viewType = '',
		title = '',
		{ preserveFocus = false, viewColumn }: { preserveFocus?: boolean; viewColumn?: number } = {},
	) {
		const received = this.#received;
		let html = '';
		this.webview = {
			get html() {
				return html;
			},
			set html(text: string) {
				html = text;
				queueMicrotask(() => received.fire({ type: 'ready' }));
			},
			onDidReceiveMessage: (listener: (message: unknown) => void) => {
				const { dispose } = received.event(listener);
				this.listeners++;
				return new Disposable(() => {
					this.listeners--;
					dispose();
				});
			},
			// A hidden panel has no page.
			postMessage: async (message: Posted) => this.visible && this.posted.push(message) > 0,
		};
		this.title = title;
		this.background = preserveFocus;
		this.column = viewColumn;
	}

	/** What the page sends. */
	send(message: Sent | { readonly type: 'ready' }): void {
		this.#received.fire(message);
	}

	/** The last message to the page that is of this type. */
	last<T extends Posted['type']>(type: T): Extract<Posted, { readonly type: T }> | undefined {
		return this.posted.findLast((message): message is Extract<Posted, { type: T }> => message.type === type);
	}

	/** The user moves to it, or elsewhere. */
	focus(active: boolean): void {
		this.active = active;
		this.#moved.fire();
	}

	reveal(column?: number): void {
		this.revealed++;
		this.column = column ?? this.column;
	}

	dispose(): void {
		if (!this.closed) {
			this.closed = true;
			this.#disposed.fire();
		}
	}
}

/**
 * The panels that open in the running test, and an extension with the files of their pages.
 * @param texts what the pages say
 */
export function pages<Posted extends { readonly type: string }, Sent = unknown>(texts: readonly string[] = []) {
	const panels: FakePanel<Posted, Sent>[] = [];
	const folder = mkdtempSync(join(tmpdir(), 'mcp-elicitation-pages-'));
	afterAll(() => rmSync(folder, { recursive: true }));
	const built = join(folder, 'dist', 'webview');
	mkdirSync(built, { recursive: true });
	const styles = ['base', 'form', 'result', 'start', 'timeline', 'trials', 'url'].map((name) => `${name}.css`);
	for (const file of [...styles, 'requests.js', 'records.js']) {
		writeFileSync(join(built, file), '');
	}
	for (const file of ['requests.json', 'records.json']) {
		writeFileSync(join(built, file), JSON.stringify(texts));
	}
	fakeVscode({
		window: {
			createWebviewPanel: (...[type, title, place]: [string, string, object]) => {
				const panel = new FakePanel<Posted, Sent>(type, title, place);
				panels.push(panel);
				return panel;
			},
		},
	});
	beforeEach(() => void panels.splice(0));
	return { panels, extensionUri: Uri.file(folder) as never };
}
