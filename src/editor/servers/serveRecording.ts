import type * as vscode from 'vscode';
import { native } from '../../elicitation/display.ts';
import { readLines } from '../../trace/recording/readRecording.ts';
import { inSlices } from '../common/inSlices.ts';
import { localize } from '../common/localize.ts';
import { bytesOfRecording, chooseRecordings } from '../common/recordingFiles.ts';
import { showQuickPick } from '../common/surfaces.ts';
import { freeName, ownProgram, ownServers, startOwn } from './demo.ts';
import type { Servers } from './servers.ts';

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
