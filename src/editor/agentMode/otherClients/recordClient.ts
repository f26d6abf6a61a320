import { createHash } from 'node:crypto';
import { appendFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { type HttpDefinition, hasUrl, type StdioDefinition } from '../../../config/definition.ts';
import { effectiveDefinition } from '../../../config/launch.ts';
import type { HandedOut } from '../../../config/otherClients.ts';
import { inputsOf } from '../../../config/variables.ts';
import { namesSecret } from '../../../elicitation/secretNames.ts';
import { parseUrl } from '../../../elicitation/url/parseUrl.ts';
import type { Commands } from '../../common/commands.ts';
import type { JsonDocuments } from '../../common/jsonDocuments.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { notify } from '../../common/notifications.ts';
import { RECORDING_EDITOR } from '../../common/recordingFiles.ts';
import type { ServerEntry } from '../../common/serverEntry.ts';
import { createTerminal } from '../../common/surfaces.ts';
import { ownProgram } from '../../servers/ownServers.ts';
import { variablesOf } from '../../servers/variables.ts';
import { handOut } from './handOut.ts';

/** The ports at which servers with a URL are served, each always at the same: a definition is to be used again. */
const PORTS = { first: 20_000, count: 20_000 };

export interface RecordingContext {
	readonly extensionUri: vscode.Uri;
	/** Where recordings of this workspace are kept. */
	readonly storage: vscode.Uri;
	readonly commands: Commands;
	readonly documents: JsonDocuments;
}

/** What another client is given in place of a server. */
interface Tapped {
	readonly program: HandedOut;
	/** Variables that the server needs, and that are not handed out. */
	readonly missing: readonly string[];
	/** Has it served, if the client does not start it itself. */
	start?(): void;
}

/**
 * Registers the command that has another client's use of a server recorded: it gives the client a definition with a tap in front of the
 * server, and shows the recording, which the timeline reads again as it grows.
 */
export function registerRecordClient(context: RecordingContext): vscode.Disposable {
	const { commands, documents, storage } = context;
	return commands.register('recordClient', async (entry) => {
		const { name } = entry.configured;
		const recording = vscode.Uri.joinPath(
			storage,
			'recordings',
			`${name.replace(/[^\w.-]+/g, '-')}-${hashOf(name)}.jsonl`,
		);
		const tapped = tappedFrom(entry, recording.fsPath, context);
		await handOut(documents, commands.title('recordClient'), name, tapped.program, [], async () => {
			await createFile(recording.fsPath);
			tapped.start?.();
			await vscode.commands.executeCommand('vscode.openWith', recording, RECORDING_EDITOR, { preview: false });
			if (tapped.missing.length > 0) {
				const list = tapped.missing.join(', ');
				void notify(
					'warning',
					localizeNative('{0} needs values that are not handed out. Enter them for the client: {1}', name, list),
				);
			}
		});
	});
}

function tappedFrom({ configured }: ServerEntry, file: string, { extensionUri }: RecordingContext): Tapped {
	const { definition, name, source } = configured;
	if (!definition) {
		throw new Error(localize('The definition of "{0}" is not valid.', name));
	}
	const options = ['--name', name, '--timeline', file];
	const tap = (...args: string[]) => ownProgram(extensionUri, 'clients.mjs', 'tap', ...options, ...args);
	const effective = effectiveDefinition(definition, variablesOf(source)).definition;
	return hasUrl(effective) ? tappedUrl(effective, tap) : tappedProgram(effective, tap);
}

type Tap = (...args: string[]) => ReturnType<typeof ownProgram>;

function tappedProgram(definition: StdioDefinition, tap: Tap): Tapped {
	const { command, args } = definition;
	const program = tap('--', command, ...args);
	const variables = Object.entries(definition.env).filter(([, value]) => value !== null);
	const isHandedOut = ([variable, value]: (typeof variables)[number]) =>
		!namesSecret(variable) && value?.includes('${') === false;
	const env = Object.fromEntries(variables.filter(isHandedOut)) as Record<string, string>;
	const missing = variables.filter((each) => !isHandedOut(each)).map(([variable]) => variable);
	const inputs = inputsOf({ ...definition, env: {} }).map((input) => `\${input:${input}}`);
	return { program: { ...program, env: { ...env, ...program.env } }, missing: [...missing, ...inputs] };
}

/** The client sends what it signs in with, so nothing of the headers is needed here. */
function tappedUrl(definition: HttpDefinition, tap: Tap): Tapped {
	const { name, url, headers } = definition;
	const port = PORTS.first + (Number.parseInt(hashOf(name + url), 16) % PORTS.count);
	const { pathname = '/', search = '' } = parseUrl(url) ?? {};
	const { command, args, env } = tap('--url', url, '--port', String(port));
	return {
		program: { url: `http://127.0.0.1:${port}${pathname}${search}` },
		missing: Object.keys(headers),
		start: () => {
			const title = localizeNative('Recording of {0}', name);
			createTerminal({ name: title, shellPath: command, shellArgs: args, env }).show(true);
		},
	};
}

function hashOf(text: string): string {
	return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/** Creates a file that only this user can read. One that is there stays as it is: the recording is continued. */
async function createFile(file: string): Promise<void> {
	await mkdir(dirname(file), { recursive: true });
	await appendFile(file, '', { mode: 0o600 });
}
