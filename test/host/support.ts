import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { McpElicitationApi } from '../../src/api.ts';
import { type languageModelToolIds, languageModelToolName } from '../../src/editor/common/contributions.ts';
import { KEY_GUARD } from '../../src/elicitation/keyGuard.ts';
import { isAlive } from '../harness/processTree.mjs';

/** How long to wait for a condition (ms). */
export const TIMEOUT = 60_000;

export function extension(): vscode.Extension<McpElicitationApi> {
	const found = vscode.extensions.getExtension<McpElicitationApi>('mcp-elicitation.mcp-elicitation');
	assert.ok(found, 'the editor does not know the extension');
	return found;
}

/** Polls until there is a value. The error says what it waited for. */
export async function until<T>(what: string, ask: () => T | undefined | false): Promise<T> {
	const end = Date.now() + TIMEOUT;
	for (;;) {
		const answer = ask();
		if (answer !== undefined && answer !== false) {
			return answer;
		}
		assert.ok(Date.now() < end, `waited in vain for ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 25));
	}
}

/** Definition of a server from this checkout, run by VS Code's own runtime. */
function program(path: string, ...args: string[]): object {
	return {
		command: process.execPath,
		args: [join(extension().extensionPath, path), ...args],
		env: { ELECTRON_RUN_AS_NODE: '1' },
	};
}

const settings = () => vscode.workspace.getConfiguration('mcpElicitation');

/** Defines the servers of these tests in the user settings, which need no consent. */
export async function defineServers(): Promise<void> {
	await extension().activate();
	const servers = {
		demo: program('dist/demo.mjs'),
		example: program('dist/demo.mjs'),
		sdk1: program('test/servers/sdk1.mjs'),
		tasks: program('test/servers/tasks.mjs', '2025-11-25'),
		stubborn: program('test/servers/raw.mjs', 'stubborn'),
		flood: program('test/servers/raw.mjs', 'flood'),
	};
	await settings().update('servers', servers, vscode.ConfigurationTarget.Global);
}

export async function present(how: 'auto' | 'webview' | 'quickPick'): Promise<void> {
	await settings().update('form.presentation', how, vscode.ConfigurationTarget.Global);
}

/** How many requests of a server are shown in a minute; undefined for the default. */
export async function rateLimit(perMinute: number | undefined): Promise<void> {
	await settings().update('rateLimit.perMinute', perMinute, vscode.ConfigurationTarget.Global);
}

export interface ToolResult {
	readonly isError?: boolean;
	readonly content: readonly { readonly type: string; readonly text?: string }[];
	readonly structuredContent?: unknown;
}

/** Runs a command of the extension. */
export function run<T>(command: string, ...args: unknown[]): Promise<T> {
	return Promise.resolve(vscode.commands.executeCommand<T>(`mcpElicitation.${command}`, ...args));
}

export function callTool(server: string, tool: string, args: object = {}): Promise<ToolResult> {
	return run<ToolResult>('callTool', server, tool, args);
}

/** Uses a tool as a model outside of a chat does. In test runs VS Code skips the confirmation. */
export async function useTool(
	id: (typeof languageModelToolIds)[number],
	input: object,
	token?: vscode.CancellationToken,
): Promise<string[]> {
	const options = { input, toolInvocationToken: undefined };
	const { content } = await vscode.lm.invokeTool(languageModelToolName(id), options, token);
	return content.map((part) => {
		assert.ok(part instanceof vscode.LanguageModelTextPart);
		return part.value;
	});
}

/** Makes a test server send an elicitation and resolves to the response it received. */
export async function ask(params: object): Promise<unknown> {
	return (await callTool('sdk1', 'ask', { params })).structuredContent;
}

/** Tabs with forms of this server. */
export function formsOf(server: string): vscode.Tab[] {
	const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
	return tabs.filter(
		({ label, input }) =>
			label === server && input instanceof vscode.TabInputWebview && input.viewType.endsWith('mcpElicitation.form'),
	);
}

/** Waits until a form of this server is open in a tab. */
export function formIsOpen(server: string): Promise<vscode.Tab> {
	return until(`a form of ${server}`, () => formsOf(server)[0]);
}

/** Waits until the tab of the last form is closed, which VS Code reports with a delay. */
export async function formIsClosed(server: string): Promise<void> {
	await until(`no form of ${server}`, () => formsOf(server).length === 0);
}

export interface Tree {
	readonly pid: number;
	readonly child: number;
}

/** The processes of a server that ignores requests to exit. */
export async function stubbornTree(): Promise<Tree> {
	const tree = (await callTool('stubborn', 'pids')).structuredContent as Tree;
	assert.equal(alive(tree), 2);
	return tree;
}

/** Number of its processes that still run. */
function alive({ pid, child }: Tree): number {
	return [pid, child].filter(isAlive).length;
}

/** Waits until all its processes are gone. Killed processes exist until they are reaped. */
export async function gone(tree: Tree): Promise<void> {
	await until('every process of the server to be gone', () => alive(tree) === 0);
}

/**
 * Presses this button of every modal dialog, or dismisses the dialog. VS Code does not show modal dialogs in test runs.
 * @returns the messages of the dialogs, and a function that restores the original behavior
 */
export function whenAsked(press: (message: string) => string | undefined): { readonly asked: string[]; end(): void } {
	const asked: string[] = [];
	const { showWarningMessage } = vscode.window;
	const stub = async (message: string, ...rest: unknown[]) => {
		const [options, ...buttons] = rest;
		if (typeof options !== 'object') {
			return new Promise(() => {});
		}
		asked.push(message);
		const button = press(message);
		assert.ok(button === undefined || buttons.includes(button), `there is no button ${button}`);
		// An earlier choice would be ignored as an accidental key press.
		await new Promise((resolve) => setTimeout(resolve, 2 * KEY_GUARD));
		return button;
	};
	Object.assign(vscode.window, { showWarningMessage: stub });
	return { asked, end: () => Object.assign(vscode.window, { showWarningMessage }) };
}
