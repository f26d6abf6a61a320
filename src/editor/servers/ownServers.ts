import * as vscode from 'vscode';
import { readServers } from '../../config/readDefinition.ts';
import { native } from '../../elicitation/display.ts';
import { STATELESS } from '../../elicitation/revisions.ts';
import { readLines } from '../../trace/recording/readRecording.ts';
import { fullId, REVEAL_SERVER } from '../common/contributions.ts';
import { localize } from '../common/localize.ts';
import { bytesOfRecording, chooseRecordings } from '../common/recordingFiles.ts';
import { inSlices } from '../common/scheduling.ts';
import type { ConfiguredServer } from '../common/serverEntry.ts';
import { showQuickPick } from '../common/surfaces.ts';
import type { Servers } from './servers.ts';

/** Lists the demo server again, if one of its names is that of a server that no settings define. */
export async function addDemoNamed(server: string, extensionUri: vscode.Uri, servers: Servers): Promise<void> {
	const demo = await demoServers(extensionUri, servers);
	if (demo.some(({ name }) => name === server)) {
		servers.add(demo);
	}
}

const DEMO = 'demo';

/** The demo server, once per protocol era: the same tools, over sessions and over stateless round trips. */
async function demoServers(extensionUri: vscode.Uri, servers: Servers): Promise<ConfiguredServer[]> {
	await servers.settled;
	const base = ownProgram(extensionUri, 'demo.mjs');
	return ownServers(DEMO, {
		[freeName('demo', DEMO, servers)]: { ...base, protocolVersion: STATELESS },
		[freeName('demo (2025-11-25)', DEMO, servers)]: { ...base, protocolVersion: '2025-11-25' },
	});
}

/**
 * A name that no other server has: a server of the settings takes precedence over one that comes with this extension.
 * @param uri identifies what defines the server
 */
function freeName(base: string, uri: string, servers: Servers): string {
	for (let count = 1; ; count++) {
		const name = count === 1 ? base : `${base} ${count}`;
		const known = servers.get(name);
		if (!known || known.configured.source.uri === uri) {
			return name;
		}
	}
}

/** How to run a program that comes with this extension. */
export function ownProgram(extensionUri: vscode.Uri, file: string, ...args: readonly string[]) {
	return {
		command: process.execPath,
		args: [vscode.Uri.joinPath(extensionUri, 'dist', file).fsPath, ...args],
		// VS Code's runtime acts as plain Node.js only with this variable.
		env: { ELECTRON_RUN_AS_NODE: '1' },
	};
}

/**
 * Servers that come with this extension, from their definitions by name.
 * @param uri identifies what defines them
 */
export function ownServers(uri: string, definitions: Record<string, object>): ConfiguredServer[] {
	const { servers } = readServers(definitions);
	return servers.map((definition) => ({
		name: definition.name,
		source: { kind: 'demo', uri },
		definition,
		problems: [],
		inputs: [],
		others: [],
	}));
}

/**
 * The command `startDemo`: starts the demo server and calls its tool of this name, or offers its tools. The server of
 * the older era is only listed, because two servers with the same tools would confuse.
 */
export async function startDemo(extensionUri: vscode.Uri, servers: Servers, tool: unknown): Promise<void> {
	await startOwn(servers, await demoServers(extensionUri, servers), tool);
}

/** Lists servers, starts the first one, and calls its tool of this name, or offers its tools. */
async function startOwn(servers: Servers, own: readonly ConfiguredServer[], tool?: unknown): Promise<void> {
	servers.add(own);
	const name = own[0]?.name ?? '';
	await servers.start(name);
	await vscode.commands.executeCommand(REVEAL_SERVER, name);
	// Prompts for the user's input. Not awaited, because nothing depends on the result.
	void vscode.commands.executeCommand(fullId('callTool'), name, tool);
}

/** Max length of the recorded server's name in that of the new one (characters). */
const MAX_NAME = 60;

/**
 * The command `serveRecording`: lists a server that does what a recorded one did, starts it, and offers its tools. It
 * is this extension's own program and runs nothing of the recording, so it needs no consent.
 */
export async function serveRecording(extensionUri: vscode.Uri, servers: Servers, target: unknown): Promise<void> {
	const [file] = await chooseRecordings(target, false);
	if (!file) {
		return;
	}
	if (file.scheme !== 'file') {
		throw new Error(localize('Only a recording on disk can be served. Save it first.'));
	}
	const names = new Set<string>();
	await inSlices(readLines(await bytesOfRecording(file), ({ server }) => names.add(server)));
	const recorded = await chooseRecorded([...names]);
	if (recorded === undefined) {
		return;
	}
	const uri = `recording:${file}`;
	const name = freeName(localize('{0} (recorded)', native(recorded, MAX_NAME)), uri, servers);
	const program = ownProgram(extensionUri, 'recording.mjs', file.fsPath, `--server=${recorded}`);
	// The file may have changed since it was served last.
	await servers.stop(name);
	await startOwn(servers, ownServers(uri, { [name]: program }));
}

/** Resolves to the recorded server to play back; undefined if the user dismissed the choice. */
async function chooseRecorded(names: readonly string[]): Promise<string | undefined> {
	const [only] = names;
	if (only === undefined) {
		throw new Error(localize('There are no messages in this recording.'));
	}
	if (names.length === 1) {
		return only;
	}
	const items = names.map((name) => ({ label: native(name, 100), name }));
	const placeHolder = localize('Choose a recorded server');
	return (await showQuickPick(items, { placeHolder }))?.name;
}
