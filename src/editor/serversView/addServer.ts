import * as vscode from 'vscode';
import { isHttpUrl } from '../../config/definition.ts';
import { fullId, SECTION } from '../contributions.ts';
import { showError } from '../notices.ts';
import { line, t } from '../words.ts';

/** The command `addServer`: asks for a program or a URL, a name and a place, and writes the setting. */
export function registerAddServer(): vscode.Disposable {
	return vscode.commands.registerCommand(fullId('addServer'), () => addServer().catch(showError));
}

async function addServer(): Promise<void> {
	const kind = await vscode.window.showQuickPick(
		[
			{
				label: `$(terminal) ${t('Program')}`,
				description: t('started here, spoken to over its input and output'),
				url: false,
			},
			{ label: `$(globe) ${t('URL')}`, description: t('an HTTP server that runs already'), url: true },
		],
		{ placeHolder: t('What kind of MCP server is it?') },
	);
	if (!kind) {
		return;
	}
	const definition = kind.url ? await askUrl() : await askCommand();
	const name = definition && (await askName());
	const target = name ? await askTarget() : undefined;
	if (!definition || !name || target === undefined) {
		return;
	}
	const configuration = vscode.workspace.getConfiguration(SECTION);
	const inspected = configuration.inspect<Record<string, unknown>>('servers');
	const before = target === vscode.ConfigurationTarget.Global ? inspected?.globalValue : inspected?.workspaceValue;
	await configuration.update('servers', { ...before, [name]: definition }, target);
	const start = t('Start Server');
	const choice = await vscode.window.showInformationMessage(line('The server "{0}" was added.', name), start);
	if (choice === start) {
		await vscode.commands.executeCommand(fullId('startServer'), name);
	}
}

async function askUrl(): Promise<object | undefined> {
	const url = await vscode.window.showInputBox({
		prompt: t('The address of the MCP endpoint'),
		placeHolder: 'https://example.com/mcp',
		ignoreFocusOut: true,
		validateInput: (text) => (isHttpUrl(text) ? undefined : t('An http: or https: address, please.')),
	});
	return url === undefined ? undefined : { url };
}

async function askCommand(): Promise<object | undefined> {
	const text = await vscode.window.showInputBox({
		prompt: t('The command with its arguments; put an argument with spaces in quotes'),
		placeHolder: 'npx -y @modelcontextprotocol/server-everything',
		ignoreFocusOut: true,
		validateInput: (value) => (value.trim() === '' ? t('A command, please.') : undefined),
	});
	const [command, ...args] = (text?.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((part) =>
		part.replace(/^(["'])(.*)\1$/, '$2'),
	);
	return command === undefined ? undefined : args.length > 0 ? { command, args } : { command };
}

function askName(): Thenable<string | undefined> {
	return vscode.window.showInputBox({
		prompt: t('Its name: the one under which it will ask you'),
		ignoreFocusOut: true,
		validateInput: (text) => (text.trim() === '' ? t('A name, please.') : undefined),
	});
}

async function askTarget(): Promise<vscode.ConfigurationTarget | undefined> {
	if (!vscode.workspace.workspaceFolders?.length) {
		return vscode.ConfigurationTarget.Global;
	}
	const chosen = await vscode.window.showQuickPick(
		[
			{ label: t('User settings'), description: t('for all your windows'), target: vscode.ConfigurationTarget.Global },
			{
				label: t('Workspace settings'),
				description: t('for everyone who opens this workspace'),
				target: vscode.ConfigurationTarget.Workspace,
			},
		],
		{ placeHolder: t('Where should the definition be stored?') },
	);
	return chosen?.target;
}
