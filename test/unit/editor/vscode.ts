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

type Class = new (...args: never[]) => object;

/** Parts of the editor, under its own names. */
type Parts = {
	readonly [Name in keyof Editor]?:
		| { readonly [Member in keyof Editor[Name]]?: Replacement<Editor[Name][Member]> }
		| Class;
};

class Disposable {
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

class EventEmitter extends Emitter<unknown> {
	dispose(): void {}
}

class CancellationError extends Error {
	override readonly name = 'Canceled';

	constructor() {
		super('Canceled');
	}
}

export const Uri = Object.assign(URI, { joinPath: Utils.joinPath });

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

const DEFAULTS = {
	CancellationError,
	CodeActionKind: { QuickFix: { value: 'quickfix' } },
	CodeLens: holding('range', 'command'),
	ConfigurationTarget: { Global: 1, Workspace: 2, WorkspaceFolder: 3 },
	Diagnostic: holding('range', 'message', 'severity'),
	DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
	Disposable,
	EventEmitter,
	FileType: { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 },
	ProgressLocation: { SourceControl: 1, Window: 10, Notification: 15 },
	QuickInputButtons: { Back: {} },
	QuickPickItemKind: { Separator: -1, Default: 0 },
	Range: holding(),
	RelativePattern: holding('baseUri', 'pattern'),
	StatusBarAlignment: { Left: 1, Right: 2 },
	TabInputText: holding('uri'),
	TabInputWebview: holding('viewType'),
	TextEditorSelectionChangeKind: { Keyboard: 1, Mouse: 2, Command: 3 },
	ThemeColor: holding('id'),
	ThemeIcon: holding('id', 'color'),
	TreeItem: holding('label', 'collapsibleState'),
	TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
	UIKind: { Desktop: 1, Web: 2 },
	Uri,
	ViewColumn: { Active: -1, Beside: -2 },

	commands: {
		executeCommand: async (id: string, ...args: unknown[]) => registered.get(id)?.(...args),
		registerCommand: (id: string, run: (...args: unknown[]) => unknown) => {
			registered.set(id, run);
			return new Disposable(() => registered.delete(id));
		},
	},
	debug: { onDidTerminateDebugSession: unused, registerDebugAdapterTrackerFactory: unused },
	env: { language: 'en', uiKind: 1 },
	// `localize` fills in the arguments.
	l10n: { t: (text: string) => text, bundle: undefined },
	languages: { registerCodeActionsProvider: unused, registerCodeLensProvider: unused },
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
		registerFileSystemProvider: unused,
		registerTextDocumentContentProvider: unused,
		textDocuments: [],
	},
} satisfies Parts;

/**
 * The module `vscode` for `vi.mock`: the defaults, in which a test replaces single members of `window`, `workspace`, and
 * so on. What asks or tells the user has no default, nor has access to files: no test may miss that they are used.
 */
export function fakeVscode(given: Parts = {}): object {
	const fake: Record<string, unknown> = { ...DEFAULTS };
	for (const [name, part] of Object.entries(given)) {
		fake[name] = typeof part === 'function' ? part : { ...(fake[name] as object), ...part };
	}
	return fake;
}
