import * as vscode from 'vscode';
import type { Addition } from '../../../config/addition.ts';
import { native } from '../../../elicitation/display.ts';
import { render } from '../../../elicitation/sentence.ts';
import { fullId } from '../../common/contributions.ts';
import { type Config, loadConfig } from '../../common/loadConfig.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { showError } from '../../common/notifications.ts';
import { sourceText } from '../configSource.ts';
import type { Configuration } from '../configuration.ts';
import { save, targets } from './save.ts';

/** The command `addServer`: asks for a server, a name and a config source, and saves the definition there. */
export function registerAddServer(configuration: Configuration): vscode.Disposable {
	return vscode.commands.registerCommand(fullId('addServer'), () => addServer(configuration).catch(showError));
}

async function addServer(configuration: Configuration): Promise<void> {
	const config = await loadConfig();
	const addition = await askServer(config, configuration);
	const source = addition && (await askTarget(configuration, addition));
	if (!addition || !source) {
		return;
	}
	await save(config, source, addition);
	await configuration.reload();
	const [{ name }] = addition.servers;
	const start = localize('Start Server');
	const show = localize('Show Definition');
	const others = addition.servers.length - 1;
	const text =
		others > 0
			? localizeNative('"{0}" and {1} more were added to {2}.', name, others, sourceText(source))
			: localizeNative('"{0}" was added to {1}.', name, sourceText(source));
	await vscode.commands.executeCommand(`${fullId('servers')}.focus`);
	const choice = await vscode.window.showInformationMessage(text, start, show);
	if (choice !== undefined) {
		await vscode.commands.executeCommand(fullId(choice === start ? 'startServer' : 'showDefinition'), name);
	}
}

/** The servers to add, with names; undefined if the user cancelled. */
async function askServer(config: Config, configuration: Configuration): Promise<Addition | undefined> {
	const kind = await vscode.window.showQuickPick(
		[
			{
				label: `$(terminal) ${localize('Program')}`,
				description: localize('started here, spoken to over its input and output'),
				ask: askCommand,
			},
			{ label: `$(globe) ${localize('URL')}`, description: localize('an HTTP server that runs already'), ask: askUrl },
			{
				label: `$(json) ${localize('JSON')}`,
				description: localize('a definition from a page or from another client'),
				ask: askJson,
			},
		],
		{ placeHolder: localize('What do you have of the MCP server?') },
	);
	const snippet = await kind?.ask(config);
	if (!snippet) {
		return undefined;
	}
	const [first, ...more] = snippet.servers;
	if (first?.name !== undefined) {
		return choose(snippet as Addition);
	}
	const name =
		first && more.length === 0 ? await askName(configuration, config.proposedName(first.definition)) : undefined;
	return first && name !== undefined
		? { servers: [{ name, definition: first.definition }], inputs: snippet.inputs }
		: undefined;
}

type Snippet = Exclude<ReturnType<Config['readSnippet']>, { readonly text: string }>;

async function askCommand({ definitionOf }: Config): Promise<Snippet | undefined> {
	const text = await vscode.window.showInputBox({
		prompt: localize('The command with its arguments; put an argument with spaces in quotes'),
		placeHolder: 'npx -y @modelcontextprotocol/server-everything',
		ignoreFocusOut: true,
		validateInput: (value) => (definitionOf(value) ? undefined : localize('A command, please.')),
	});
	const definition = definitionOf(text ?? '');
	return definition && { servers: [{ name: undefined, definition }], inputs: [] };
}

async function askUrl({ isHttpUrl }: Config): Promise<Snippet | undefined> {
	const url = await vscode.window.showInputBox({
		prompt: localize('The address of the MCP endpoint'),
		placeHolder: 'https://example.com/mcp',
		ignoreFocusOut: true,
		validateInput: (text) => (isHttpUrl(text) ? undefined : localize('An http: or https: address, please.')),
	});
	return url === undefined ? undefined : { servers: [{ name: undefined, definition: { url } }], inputs: [] };
}

async function askJson({ readSnippet }: Config): Promise<Snippet | undefined> {
	const read = (text: string): Snippet | string => {
		const snippet = readSnippet(text);
		return 'servers' in snippet ? snippet : render(snippet, localize);
	};
	// The clipboard most likely holds what the user wants to add. An input box has a single line.
	const copied = await vscode.env.clipboard.readText();
	const text = await vscode.window.showInputBox({
		prompt: localize('Paste the definition, or a whole mcp.json'),
		placeHolder: '{ "mcpServers": { … } }',
		ignoreFocusOut: true,
		value: typeof read(copied) === 'string' ? '' : copied,
		validateInput: (value) => {
			const snippet = read(value);
			return typeof snippet === 'string' ? native(snippet) : undefined;
		},
	});
	const snippet = text === undefined ? '' : read(text);
	return typeof snippet === 'string' ? undefined : snippet;
}

/** Lets the user pick from several servers. */
async function choose({ servers, inputs }: Addition): Promise<Addition | undefined> {
	if (servers.length === 1) {
		return { servers, inputs };
	}
	const items = servers.map((server) => ({ label: native(server.name), picked: true, server }));
	const chosen = await vscode.window.showQuickPick(items, {
		canPickMany: true,
		ignoreFocusOut: true,
		placeHolder: localize('Which servers should be added?'),
	});
	const [first, ...more] = chosen?.map(({ server }) => server) ?? [];
	return first && { servers: [first, ...more], inputs };
}

function askName(configuration: Configuration, proposed: string): Thenable<string | undefined> {
	const taken = (name: string) => configuration.servers.find((server) => server.name === name);
	return vscode.window.showInputBox({
		prompt: localize('Its name: the one under which it will ask you'),
		value: proposed,
		ignoreFocusOut: true,
		validateInput: (text) => {
			if (text.trim() === '') {
				return localize('A name, please.');
			}
			const server = taken(text);
			return server && localizeNative('There is a server of this name already, in {0}.', sourceText(server.source));
		},
	});
}

async function askTarget(configuration: Configuration, { servers }: Addition) {
	const items = targets(
		configuration.sources,
		servers.map(({ name }) => name),
	);
	if (items.length === 1) {
		return items[0]?.source;
	}
	const chosen = await vscode.window.showQuickPick(items, {
		ignoreFocusOut: true,
		placeHolder: localize('Where should the definition be stored?'),
	});
	return chosen?.source;
}
