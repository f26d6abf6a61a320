import { homedir } from 'node:os';
import * as vscode from 'vscode';
import {
	definitionFor,
	edited,
	type HandedOut,
	nameFor,
	OTHER_CLIENTS,
	type OtherClient,
	type Place,
	pathOf,
} from '../../../config/otherClients.ts';
import { type NativeText, native } from '../../../elicitation/display.ts';
import { render } from '../../../elicitation/sentence.ts';
import { documentOf, writeText } from '../../common/files.ts';
import type { JsonDocuments } from '../../common/jsonDocuments.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { notify } from '../../common/notifications.ts';
import { type NativeItem, showQuickPick } from '../../common/surfaces.ts';

type WorkspacePlace = Extract<Place, { kind: 'workspace' }>;

interface Choice extends NativeItem {
	readonly act: () => Promise<unknown>;
}

/**
 * Lets the user choose a client, and gives it a definition: in a file of the workspace, once they have seen the
 * change, or on the clipboard, with the place to paste it. Files of the user are never written.
 * @param others what else the list offers, below the clients
 * @param before is done once the user has chosen a client
 */
export async function handOut(
	documents: JsonDocuments,
	title: NativeText,
	name: string,
	program: HandedOut,
	others: readonly Choice[],
	before: () => Promise<void>,
): Promise<void> {
	const clients = OTHER_CLIENTS.flatMap((client) =>
		client.places.flatMap((place) => choiceOf(documents, client, place, name, program) ?? []),
	);
	const toGive = clients.map(({ act, ...item }): Choice => ({ ...item, act: () => before().then(act) }));
	const chosen = await showQuickPick([...toGive, ...others], {
		title,
		placeHolder: localizeNative('The client that is to have it'),
		matchOnDetail: true,
	});
	await chosen?.act();
}

/** Undefined if the client has no such place on this machine, or takes no such server. */
function choiceOf(
	documents: JsonDocuments,
	client: OtherClient,
	place: Place,
	name: string,
	program: HandedOut,
): Choice | undefined {
	const label = native(render(client.name, localize));
	if (place.kind === 'workspace') {
		const folder = vscode.workspace.workspaceFolders?.[0];
		const detail = localizeNative('Adds it to {0} of this workspace', place.file);
		return folder && { label, detail, act: () => addToFile(documents, folder, client, place, name, program) };
	}
	const text = definitionFor(client, place, name, program, process.platform === 'win32');
	if (typeof text !== 'string') {
		return undefined;
	}
	if (place.kind === 'shell') {
		const [detail, notice] = place.adding
			? [localizeNative('Copies the command that adds it'), localizeNative('Copied. Run it in a terminal.')]
			: [
					'url' in program ? localizeNative('Copies its URL') : localizeNative('Copies its command line'),
					localizeNative('Copied. Paste it where the client asks for it.'),
				];
		return { label, detail, act: () => copy(text, notice) };
	}
	const path = pathOf(place, { platform: process.platform, home: homedir(), env: process.env });
	return path === undefined
		? undefined
		: {
				label,
				detail: localizeNative('Copies what goes into {0}', path),
				act: () => copy(text, localizeNative('Copied. Paste it into {0}.', path)),
			};
}

async function copy(text: string, notice: NativeText): Promise<void> {
	await vscode.env.clipboard.writeText(text);
	void notify('information', notice);
}

/** Shows how a file of the workspace would change, and changes it if the user agrees. */
async function addToFile(
	documents: JsonDocuments,
	folder: vscode.WorkspaceFolder,
	client: OtherClient,
	place: WorkspacePlace,
	name: string,
	program: HandedOut,
): Promise<void> {
	const file = vscode.Uri.joinPath(folder.uri, place.file);
	const document = await documentOf(file);
	const before = document?.getText() ?? '';
	const written = edited(before, client, place, name, program);
	if (!('replaces' in written)) {
		throw new Error(`${place.file}: ${render(written, localize)}`);
	}
	const [left, right] = [before, written.text].map((text) => documents.addText(place.file, text));
	await vscode.commands.executeCommand('vscode.diff', left, right, place.file);
	const accepted = nameFor(client, name);
	const what = written.replaces
		? localizeNative('This replaces "{0}" in {1}.', accepted, place.file)
		: localizeNative('This adds "{0}" to {1}.', accepted, place.file);
	const save = localize('Save');
	if ((await notify('information', what, save)) === save && !(await writeText(file, document, written.text))) {
		throw new Error(localize('{0} could not be saved.', place.file));
	}
}
