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
import { exists, refuseLinks } from '../../common/files.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { notify } from '../../common/notifications.ts';
import { type NativeItem, showQuickPick } from '../../common/surfaces.ts';

type WorkspacePlace = Extract<Place, { kind: 'workspace' }>;

interface Choice extends NativeItem {
	readonly act: () => Promise<unknown>;
}

/** Something else that the list offers, below the clients. */
export interface Extra {
	readonly item: NativeItem;
	run(): Promise<unknown>;
}

/**
 * Lets the user choose a client, and gives it a definition: in a file of the workspace, which the user saves, or on the
 * clipboard, with the place to paste it. Files of the user are never written.
 * @param before is done once the user has chosen a client
 */
export async function handOut(
	title: NativeText,
	name: string,
	program: HandedOut,
	extras: readonly Extra[],
	before: () => Promise<void>,
): Promise<void> {
	const clients = OTHER_CLIENTS.flatMap((client) =>
		client.places.flatMap((place) => choiceOf(client, place, name, program) ?? []),
	);
	const toGive = clients.map(({ act, ...item }): Choice => ({ ...item, act: () => before().then(act) }));
	const others = extras.map(({ item, run }): Choice => ({ ...item, act: run }));
	const chosen = await showQuickPick([...toGive, ...others], {
		title,
		placeHolder: localizeNative('The client that is to have it'),
		matchOnDetail: true,
	});
	await chosen?.act();
}

/** Undefined if the client has no such place on this machine, or takes no such server. */
function choiceOf(client: OtherClient, place: Place, name: string, program: HandedOut): Choice | undefined {
	const label = native(render(client.name, localize));
	if (place.kind === 'workspace') {
		const folder = vscode.workspace.workspaceFolders?.[0];
		const detail = localizeNative('Adds it to {0} of this workspace', place.file);
		return folder && { label, detail, act: () => addToFile(folder, client, place, name, program) };
	}
	const text = definitionFor(client, place, name, program, process.platform === 'win32');
	if (typeof text !== 'string') {
		return undefined;
	}
	if (place.kind === 'shell') {
		const detail = place.adding
			? localizeNative('Copies the command that adds it')
			: localizeNative('Copies the command line of the server');
		return {
			label,
			detail,
			act: () => copy(text, localizeNative('Copied. Run it in a terminal, or paste it into the client.')),
		};
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

/** Changes a file, and shows the change: it is the user who saves it. */
async function addToFile(
	folder: vscode.WorkspaceFolder,
	client: OtherClient,
	place: WorkspacePlace,
	name: string,
	program: HandedOut,
): Promise<void> {
	const file = vscode.Uri.joinPath(folder.uri, place.file);
	await refuseLinks(file);
	const isThere = await exists(file);
	const document = await vscode.workspace.openTextDocument(isThere ? file : file.with({ scheme: 'untitled' }));
	const written = edited(document.getText(), client, place, name, program);
	if (!('replaces' in written)) {
		throw new Error(`${place.file}: ${render(written, localize)}`);
	}
	const edit = new vscode.WorkspaceEdit();
	edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), written.text);
	await vscode.workspace.applyEdit(edit);
	await vscode.window.showTextDocument(document);
	if (isThere) {
		await vscode.commands.executeCommand('workbench.files.action.compareWithSaved', file);
	}
	const accepted = nameFor(client, name);
	const what = written.replaces
		? localize('It replaces "{0}", which is there already.', accepted)
		: localize('It adds "{0}".', accepted);
	const fix = localize('{0} has it once you have saved {1}.', render(client.name, localize), place.file);
	void notify('information', localizeNative('{0} {1}', what, fix));
}
