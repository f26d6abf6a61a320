import { isAbsolute, join, relative } from 'node:path';
import { parseEnv } from 'node:util';
import * as vscode from 'vscode';
import { capabilitiesForCall } from '../../../config/capabilities.ts';
import {
	hasUrl,
	isProgram,
	type ServerDefinition,
	type StdioDefinition,
	socketOf,
} from '../../../config/definition.ts';
import { effectiveDefinition } from '../../../config/launch.ts';
import type { Call } from '../../../elicitation/call.ts';
import { native } from '../../../elicitation/display.ts';
import { render } from '../../../elicitation/sentence.ts';
import type { CaseSecrets } from '../../../trace/case/caseSecrets.ts';
import { pytestCommand, pytestFile, pytestName } from '../../../trace/case/pytest.ts';
import { recordCase } from '../../../trace/case/record.ts';
import type { CaseServer, RecordedCase } from '../../../trace/case/recordedCase.ts';
import { scenarioCommand, scenarioFile, scenarioName } from '../../../trace/case/scenario.ts';
import { type Shell, type Site, shellPath } from '../../../trace/case/testFile.ts';
import { vitestCommand, vitestFile, vitestName } from '../../../trace/case/vitest.ts';
import { caseServer } from '../../../trials/caseServer.ts';
import { receivingServer } from '../../calls/changedServer.ts';
import { readText, refuseLinks } from '../../common/files.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { notify } from '../../common/notifications.ts';
import type { ConfiguredServer, Source } from '../../common/serverEntry.ts';
import { showQuickPick } from '../../common/surfaces.ts';
import { folderOf } from '../../servers/configSource.ts';
import { ServerError } from '../../servers/serverError.ts';
import { inFolder, variablesOf } from '../../servers/variables.ts';
import type { DebuggingContext } from '../debuggingContext.ts';

const FRAMEWORKS = {
	vitest: { name: vitestName, command: vitestCommand, text: vitestFile, language: 'JavaScript', extension: 'mjs' },
	pytest: { name: pytestName, command: pytestCommand, text: pytestFile, language: 'Python', extension: 'py' },
	scenario: { name: scenarioName, command: scenarioCommand, text: scenarioFile, language: 'JSON', extension: 'json' },
} as const;

/**
 * The command `exportTest`: exports a finished call, with its elicitations, responses and result, as a test that runs
 * without VS Code. Rejects with an error that can be shown to the user if the call cannot be exported.
 */
export async function exportTest(context: DebuggingContext, call: Call): Promise<void> {
	// The test sends it to the server as it is defined now.
	if ((await receivingServer(call, context.servers)) === undefined) {
		return;
	}
	const { recorded, folder } = await record(context, call);
	const { server } = recorded;
	// Neither of the two languages can reach a socket without a package.
	const isSocket = server.type === 'http' && socketOf(server.url) !== undefined;
	const framework = await pickFramework(isSocket ? ['scenario'] : ['vitest', 'pytest', 'scenario']);
	const file = framework && (await askWhere(framework, recorded, folder));
	if (!framework || !file) {
		return;
	}
	const site = siteOf(file, folder);
	await refuseLinks(file);
	await vscode.workspace.fs.writeFile(file, Buffer.from(FRAMEWORKS[framework].text(recorded, site)));
	await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file), { preview: false });
	showDone(recorded, FRAMEWORKS[framework].command(site));
}

async function record(
	{ registry, trace, servers }: DebuggingContext,
	call: Call,
): Promise<{ recorded: RecordedCase; folder: vscode.WorkspaceFolder | undefined }> {
	const { configured, connection } = servers.get(call.server) ?? {};
	if (!configured?.definition) {
		throw refused(call, localize('The server is no longer configured.'));
	}
	const { definition, source } = configured;
	if (definition.type === 'sse' || connection?.usesSse) {
		throw refused(call, localize('Tests do not support the older SSE transport.'));
	}
	const result = recordCase({
		call,
		elicitations: registry.elicitations,
		trace,
		revision: connection?.revision,
		capabilities: capabilitiesForCall(definition, call.task !== undefined),
		server: await exportedServer({ ...configured, definition }, connection?.signedInAt !== undefined),
	});
	if ('refusal' in result) {
		throw refused(call, render(result.refusal, localize));
	}
	return { recorded: result.recorded, folder: folderOf(source) };
}

function refused({ server, name }: Call, reason: string): ServerError {
	return new ServerError(
		server,
		localize('The call of "{0}" cannot become a test. {1}', name, reason),
		localize('Choose another call, or make this one again.'),
	);
}

type Framework = keyof typeof FRAMEWORKS;

async function pickFramework(frameworks: readonly Framework[]): Promise<Framework | undefined> {
	const items = frameworks.map((framework) => ({
		framework,
		label: framework === 'scenario' ? localize('JSON scenario') : native(framework),
		description: framework === 'scenario' ? localize('for the command line') : native(FRAMEWORKS[framework].language),
	}));
	return (await showQuickPick(items, { placeHolder: localize('Choose a test framework') }))?.framework;
}

async function askWhere(
	framework: Framework,
	recorded: RecordedCase,
	folder = vscode.workspace.workspaceFolders?.[0],
): Promise<vscode.Uri | undefined> {
	const { name, language, extension } = FRAMEWORKS[framework];
	return vscode.window.showSaveDialog({
		...(folder && { defaultUri: await unusedFile(folder, (suffix) => name(recorded, suffix)) }),
		filters: { [language]: [extension] },
		title: localize('Export Call as Test'),
	});
}

/** The first of these file names that does not exist in the folder. */
async function unusedFile(folder: vscode.WorkspaceFolder, name: (suffix: string) => string): Promise<vscode.Uri> {
	const taken = new Set((await vscode.workspace.fs.readDirectory(folder.uri)).map(([file]) => file));
	let suffix = '';
	for (let number = 2; taken.has(name(suffix)); number++) {
		suffix = `_${number}`;
	}
	return vscode.Uri.joinPath(folder.uri, name(suffix));
}

/** Where the test file is, relative to the folder in which the server runs. Throws if no command can name it. */
function siteOf(file: vscode.Uri, folder: vscode.WorkspaceFolder | undefined): Site {
	const inside = folder && vscode.workspace.getWorkspaceFolder(file)?.uri.toString() === folder.uri.toString();
	const path = inside ? vscode.workspace.asRelativePath(file, false) : file.fsPath;
	const quoted = shellPath(path, shell());
	if (quoted === undefined) {
		throw new Error(localize('No command can name this file safely: {0} Choose another name or folder.', path));
	}
	const up = folder && relative(vscode.Uri.joinPath(file, '..').fsPath, folder.uri.fsPath).replaceAll('\\', '/');
	return {
		file: quoted,
		workspaceFolder: inside ? { relative: up || '.' } : { absolute: folder?.uri.fsPath ?? '' },
	};
}

const SHELLS = new Map<string, Shell>([
	...(['sh', 'bash', 'dash', 'ksh', 'zsh'] as const).map((name) => [name, 'posix'] as const),
	...(['fish', 'powershell', 'cmd'] as const).map((name) => [name, name] as const),
	['pwsh', 'powershell'],
]);

/** The shell of the editor's terminal, into which the command is pasted. */
function shell(): Shell {
	const [, name = ''] = /([^\\/]*?)(?:\.exe)?$/i.exec(vscode.env.shell) ?? [];
	return SHELLS.get(name.toLowerCase()) ?? 'other';
}

function showDone({ variables }: RecordedCase, command: string): void {
	const copy = localize('Copy Command');
	const text =
		variables.length === 0
			? localizeNative('The test has been written. Run it with: {0}', command)
			: localizeNative(
					'The test has been written. Set {0} in the environment, then run it with: {1}',
					variables.map(({ name }) => name).join(', '),
					command,
				);
	void notify('information', text, copy).then((choice) => {
		if (choice === copy) {
			void vscode.env.clipboard.writeText(command);
		}
	});
}

/**
 * Describes how a test starts or reaches the server, see `caseServer`.
 * @param signedIn the server needs an access token from a sign-in
 */
async function exportedServer(
	{ source, definition }: ConfiguredServer & { readonly definition: ServerDefinition },
	signedIn: boolean,
): Promise<(secrets: CaseSecrets) => CaseServer> {
	const stdio = isProgram(definition) ? definition : undefined;
	const fromFile = stdio ? await namesInFile(stdio, source) : [];
	const inWorkspace = folderOf(source)?.uri.scheme === 'file' && (stdio?.cwd !== undefined || source.kind !== 'user');
	const base = inWorkspace ? 'workspaceFolder' : 'userHome';
	return (secrets) => caseServer({ definition, variables: variablesOf(source), base, fromFile, signedIn }, secrets);
}

/** Names of the variables in `envFile`; none if it cannot be read. */
async function namesInFile(definition: StdioDefinition, source: Source): Promise<string[]> {
	const effective = inFolder(effectiveDefinition(definition, variablesOf(source)).definition, source);
	if (hasUrl(effective) || effective.envFile === undefined) {
		return [];
	}
	const { envFile, cwd = '' } = effective;
	const { text = '' } = await readText(vscode.Uri.file(isAbsolute(envFile) ? envFile : join(cwd, envFile)));
	return Object.keys(parseEnv(text));
}
