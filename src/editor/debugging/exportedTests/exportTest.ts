import { basename, isAbsolute, join, relative } from 'node:path';
import { parseEnv } from 'node:util';
import * as vscode from 'vscode';
import { capabilitiesForCall } from '../../../config/capabilities.ts';
import { hasUrl, isProgram, type ServerDefinition, type StdioDefinition } from '../../../config/definition.ts';
import { effectiveDefinition } from '../../../config/launch.ts';
import type { Call } from '../../../elicitation/call.ts';
import { native } from '../../../elicitation/display.ts';
import { render } from '../../../elicitation/sentence.ts';
import type { CaseSecrets } from '../../../trace/case/caseSecrets.ts';
import { recordCase } from '../../../trace/case/record.ts';
import type { CaseServer, RecordedCase } from '../../../trace/case/recordedCase.ts';
import { scenarioFile } from '../../../trace/case/scenario.ts';
import { FORMATS, type Format, plainName, runCommand, type Shell, shellPath } from '../../../trace/case/testFile.ts';
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
	const format = await pickFormat();
	const file = format && (await askWhere(format, plainName(recorded.name), folder));
	if (!format || !file) {
		return;
	}
	const version = String(context.extension.extension.packageJSON.version);
	const command = format.command(pathInCommand(file, folder), version);
	const scenario = format.text ? await scenarioFor(file) : file;
	const texts: [vscode.Uri, string][] = [[scenario, scenarioFile(recorded, workspaceFolderFrom(file, folder))]];
	if (format.text) {
		const run = runCommand(basename(scenario.path), version);
		texts.push([file, `${format.text(plainName(recorded.name), run).join('\n')}\n`]);
	}
	await refuseLinks(scenario, file);
	for (const [uri, text] of texts) {
		await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
	}
	await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file), { preview: false });
	showDone(recorded, command);
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

async function pickFormat(): Promise<Format | undefined> {
	const items = Object.entries(FORMATS).map(([name, format]) => ({
		format,
		label: name === 'scenario' ? localize('JSON scenario') : native(name),
		description: name === 'scenario' ? localize('for the command line') : native(format.language),
	}));
	return (await showQuickPick(items, { placeHolder: localize('Choose a test framework') }))?.format;
}

async function askWhere(
	{ fileName, language, extension }: Format,
	name: string,
	folder = vscode.workspace.workspaceFolders?.[0],
): Promise<vscode.Uri | undefined> {
	return vscode.window.showSaveDialog({
		...(folder && {
			defaultUri: await unusedFile(folder.uri, name, (each) => [fileName(each), scenarioOf(fileName(each))]),
		}),
		filters: { [language]: [extension] },
		title: localize('Export Call as Test'),
	});
}

/** The name of the scenario that a test file of this name runs. */
function scenarioOf(file: string, suffix = ''): string {
	const [name = ''] = file.split('.');
	return FORMATS.scenario.fileName(`${plainName(name)}${suffix}`);
}

/** The scenario of a test file: the one that it has run until now, or else a new one. Others are left alone. */
async function scenarioFor(file: vscode.Uri): Promise<vscode.Uri> {
	const folder = vscode.Uri.joinPath(file, '..');
	const { text = '' } = await readText(file);
	const [known] = /\b[\w-]+\.scenario\.json\b/.exec(text) ?? [];
	return known !== undefined
		? vscode.Uri.joinPath(folder, known)
		: unusedFile(folder, '', (suffix) => [scenarioOf(basename(file.path), suffix)]);
}

/** The first of some files; with a number after the name if any of them exists. */
async function unusedFile(
	folder: vscode.Uri,
	name: string,
	filesOf: (name: string) => readonly [string, ...string[]],
): Promise<vscode.Uri> {
	// Many file systems do not tell upper case from lower case.
	const taken = new Set((await vscode.workspace.fs.readDirectory(folder)).map(([file]) => file.toLowerCase()));
	let files = filesOf(name);
	for (let number = 2; files.some((file) => taken.has(file.toLowerCase())); number++) {
		files = filesOf(`${name}_${number}`);
	}
	return vscode.Uri.joinPath(folder, files[0]);
}

/** The file as an argument of a command, relative to the folder in which the server runs. Throws if no command can name it. */
function pathInCommand(file: vscode.Uri, folder: vscode.WorkspaceFolder | undefined): string {
	const path = isIn(folder, file) ? vscode.workspace.asRelativePath(file, false) : file.fsPath;
	const quoted = shellPath(path, shell());
	if (quoted === undefined) {
		throw new Error(localize('No command can name this file safely: {0} Choose another name or folder.', path));
	}
	return quoted;
}

/** The workspace folder in a scenario: relative to the folder of the file, or absolute if the file is elsewhere. */
function workspaceFolderFrom(file: vscode.Uri, folder: vscode.WorkspaceFolder | undefined): string {
	const path = folder?.uri.fsPath ?? '';
	return isIn(folder, file) ? relative(join(file.fsPath, '..'), path).replaceAll('\\', '/') || '.' : path;
}

function isIn(folder: vscode.WorkspaceFolder | undefined, file: vscode.Uri): boolean {
	return folder !== undefined && vscode.workspace.getWorkspaceFolder(file)?.uri.toString() === folder.uri.toString();
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
