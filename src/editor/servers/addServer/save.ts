import * as vscode from 'vscode';
import type { Addition } from '../../../config/addition.ts';
import { native } from '../../../elicitation/display.ts';
import { SECTION } from '../../common/contributions.ts';
import type { Config } from '../../common/loadConfig.ts';
import { refuseLinks } from '../../common/refuseLinks.ts';
import { line, t } from '../../common/words.ts';
import { isSettings, type Place, placeText, settingsAt } from '../configSource.ts';
import type { PlaceState } from '../configuration.ts';

type Target = vscode.QuickPickItem & { readonly place: Place };

/** Where it can be written. Files that other clients share are theirs. */
export function targets(places: readonly PlaceState[], names: readonly string[]): Target[] {
	// The person's own settings first; on another machine, those of the person and not of the machine.
	const order = ['user', 'workspace', 'folder', 'mcpJson'];
	const all = places
		.filter(({ source: { kind, uri } }) => order.includes(kind) && uri !== 'remote')
		.sort((a, b) => order.indexOf(a.source.kind) - order.indexOf(b.source.kind));
	return all.map(({ source, content }) => {
		const replaced = content.servers.some(({ name }) => names.includes(name));
		return {
			place: source,
			label: labelOf(source),
			description: source.kind === 'user' ? t('for all your windows') : t('for everyone who opens this workspace'),
			...(replaced && { detail: line('Replaces what is defined there under this name.') }),
		};
	});
}

function labelOf(place: Place): string {
	switch (place.kind) {
		case 'user':
			return t('User settings');
		case 'workspace':
			return t('Workspace settings');
		case 'folder':
			return line('Settings of the folder {0}', place.folder?.name ?? '');
		default:
			return native(placeText(place));
	}
}

/** Writes the definitions and the inputs that they use; what is there already stays as it is. */
export async function save(config: Config, place: Place, addition: Addition): Promise<void> {
	await (isSettings(place) ? saveInSettings(config, place, addition) : saveInFile(config, place, addition));
}

async function saveInSettings({ withAddition }: Config, place: Place, addition: Addition): Promise<void> {
	const { kind, folder, shape } = place;
	const configuration = vscode.workspace.getConfiguration(SECTION, kind === 'folder' ? folder?.uri : undefined);
	const { Global, Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;
	const target = kind === 'user' ? Global : kind === 'folder' ? WorkspaceFolder : Workspace;
	const { servers, inputs } = withAddition(settingsAt(place), shape, addition);
	await configuration.update('servers', servers, target);
	if (inputs) {
		await configuration.update('inputs', inputs, target);
	}
}

async function saveInFile({ textWithAddition }: Config, place: Place, addition: Addition): Promise<void> {
	const { file, shape } = place;
	if (!file) {
		return;
	}
	const document = await vscode.workspace.openTextDocument(file).then(undefined, () => undefined);
	const text = textWithAddition(document?.getText() ?? '', shape, addition);
	if (text === undefined) {
		throw new Error(t('Nothing was added: {0} is not JSON. Correct it, then try again.', placeText(place)));
	}
	if (!document) {
		// One that leads nowhere cannot be opened, but would be written through.
		await refuseLinks(file);
		await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(`${text}\n`));
		return;
	}
	const edit = new vscode.WorkspaceEdit();
	edit.replace(file, new vscode.Range(0, 0, document.lineCount, 0), text);
	await vscode.workspace.applyEdit(edit);
	await document.save();
}
