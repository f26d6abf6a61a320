/**
 * The module `vscode` in unit tests, which share it: see `resolve.alias` in test/vitest.config.mjs. Everything is as in the
 * editor, or does nothing, until a test file replaces single members with `fakeVscode`; after the file, the defaults are back.
 * What asks or tells the user has no default, nor has access to files: no test may miss that they are used.
 */
import type * as vscode from 'vscode';
import { URI, Utils } from 'vscode-uri';
import { Emitter } from '../../../src/elicitation/emitter.ts';

type Editor = typeof vscode;

/** What may replace a member of the editor: any function for a function; a value of the same type for a plain value. */
type Replacement<T> = T extends (...args: never) => unknown
	? (...args: never[]) => unknown
	: T extends string | number | boolean
		? T
		: unknown;

/** Parts of the editor, under its own names. */
type Parts = {
	readonly [Name in keyof Editor]?: { readonly [Member in keyof Editor[Name]]?: Replacement<Editor[Name][Member]> };
};

export class Disposable {
	#end: (() => unknown) | undefined;

	static from(...all: readonly { dispose(): unknown }[]): Disposable {
		return new Disposable(() => all.forEach((each) => void each.dispose()));
	}

	constructor(end: () => unknown) {
		this.#end = end;
	}

	dispose(): void {
		const end = this.#end;
		this.#end = undefined;
		end?.();
	}
}

export class EventEmitter extends Emitter<unknown> {
	dispose(): void {}
}

/** Nobody asks its token in tests. */
export class CancellationTokenSource {
	readonly token = {};

	cancel(): void {}
}

export class CancellationError extends Error {
	override readonly name = 'Canceled';

	constructor() {
		super('Canceled');
	}
}

export class FileSystemError extends Error {
	readonly code = 'FileNotFound';
}

/** The texts of the edits that were applied. */
export class WorkspaceEdit {
	readonly texts: string[] = [];

	replace(_file: unknown, _range: unknown, text: string): void {
		this.texts.push(text);
	}
}

export const Uri = Object.assign(URI, { joinPath: Utils.joinPath });
export type Uri = URI;

/** Every range meets every other. */
export class Range {
	intersection(): this {
		return this;
	}
}

/** The version of the editor. */
export let version = '1.139.0';

/** Makes it another version. */
export function inVersion(other: string): void {
	version = other;
}

/** A class of what only holds values, under these names. */
function holding(...names: readonly string[]): new (...values: unknown[]) => object {
	return class {
		constructor(...values: unknown[]) {
			Object.assign(this, Object.fromEntries(names.map((name, at) => [name, values[at]])));
		}
	};
}

/** An event that does not happen, or a registration that is not used. */
const unused = (): Disposable => new Disposable(() => {});

const registered = new Map<string, (...args: unknown[]) => unknown>();

export const CodeAction = holding('title', 'kind');
export const CodeActionKind = { QuickFix: { value: 'quickfix' } };
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 };
export const Diagnostic = holding('range', 'message', 'severity');
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 };
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 };
export const QuickInputButtons = { Back: {} };
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const RelativePattern = holding('baseUri', 'pattern');
export const StatusBarAlignment = { Left: 1, Right: 2 };
export const TabInputText = holding('uri');
export const TabInputWebview = holding('viewType');
export const TextEditorSelectionChangeKind = { Keyboard: 1, Mouse: 2, Command: 3 };
export const ThemeColor = holding('id');
export const ThemeIcon = holding('id', 'color');
export const TreeItem = holding('label', 'collapsibleState');
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export const UIKind = { Desktop: 1, Web: 2 };
export const ViewColumn = { Active: -1, Beside: -2 };

/** The defaults of what a test may replace. */
const DEFAULTS = {
	commands: {
		executeCommand: async (id: string, ...args: unknown[]) => registered.get(id)?.(...args),
		registerCommand: (id: string, run: (...args: unknown[]) => unknown) => {
			registered.set(id, run);
			return new Disposable(() => registered.delete(id));
		},
	},
	debug: { onDidTerminateDebugSession: unused, registerDebugAdapterTrackerFactory: unused },
	env: { language: 'en', uiKind: 1 },
	extensions: {},
	// `localize` fills in the arguments.
	l10n: { t: (text: string) => text, bundle: undefined },
	languages: { registerCodeActionsProvider: unused },
	window: {
		createStatusBarItem: () => ({ show: () => {}, hide: () => {}, dispose: () => {} }),
		createTreeView: unused,
		onDidChangeActiveTerminal: unused,
		onDidChangeNotebookEditorSelection: unused,
		onDidChangeTerminalState: unused,
		onDidChangeTextEditorSelection: unused,
		onDidStartTerminalShellExecution: unused,
		registerCustomEditorProvider: unused,
		registerUriHandler: unused,
		state: { focused: true },
		tabGroups: { all: [], activeTabGroup: {}, onDidChangeTabs: unused },
		withProgress: async (_options: object, task: (progress: object, token: object) => unknown) =>
			task({ report: () => {} }, { isCancellationRequested: false, onCancellationRequested: unused }),
	},
	workspace: {
		createFileSystemWatcher: () => ({
			onDidChange: unused,
			onDidCreate: unused,
			onDidDelete: unused,
			dispose: () => {},
		}),
		getConfiguration: () => ({ get: () => undefined, inspect: () => undefined }),
		onDidChangeConfiguration: unused,
		onDidChangeTextDocument: unused,
		onDidChangeWorkspaceFolders: unused,
		onDidCloseTextDocument: unused,
		onDidGrantWorkspaceTrust: unused,
		onDidOpenTextDocument: unused,
		onDidSaveTextDocument: unused,
		registerTextDocumentContentProvider: unused,
		textDocuments: [],
	},
} satisfies Parts;

const fakes: Record<string, object> = Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, {}]));
export const { commands, debug, env, extensions, l10n, languages, window, workspace } = fakes as unknown as Editor;

/** Replaces members of `window`, `workspace`, and so on, until the end of the test file. */
export function fakeVscode(given: Parts): void {
	for (const [name, part] of Object.entries(given)) {
		Object.defineProperties(fakes[name] as object, Object.getOwnPropertyDescriptors(part));
	}
}

/** Puts the defaults back. */
export function resetVscode(): void {
	version = '1.139.0';
	registered.clear();
	for (const fake of Object.values(fakes)) {
		for (const member of Object.keys(fake)) {
			Reflect.deleteProperty(fake, member);
		}
	}
	fakeVscode(DEFAULTS);
}

resetVscode();
