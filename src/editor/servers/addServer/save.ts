import * as vscode from 'vscode';
import { type Addition, textWithAddition, withAddition } from '../../../config/addition.ts';
import { namesIn } from '../../../config/content.ts';
import { type NativeText, native } from '../../../elicitation/display.ts';
import { render } from '../../../elicitation/sentence.ts';
import { SECTION } from '../../common/contributions.ts';
import { documentOf, writeText } from '../../common/files.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import type { ConfigSource } from '../../common/serverEntry.ts';
import type { NativeItem } from '../../common/surfaces.ts';
import { isRemote, isSettings, settingsAt, sourceText, writtenUri } from '../configSource.ts';
import type { SourceState } from '../configuration.ts';

type Target = NativeItem & { readonly source: ConfigSource };

/** Config sources that can be written. Files shared with other clients are left alone. */
export function targets(sources: readonly SourceState[], names: readonly string[]): Target[] {
	const order = ['user', 'workspace', 'folder', 'mcpJson'];
	const all = sources
		.filter(
			({ source }) => order.includes(source.kind) && (source.kind !== 'user' || source.uri === writtenUri('servers')),
		)
		.sort((a, b) => order.indexOf(a.source.kind) - order.indexOf(b.source.kind));
	return all.map(({ source, content }) => {
		const replaced = namesIn(content).some((name) => names.includes(name));
		return {
			source,
			label: labelOf(source),
			description:
				source.kind === 'user'
					? isRemote(source)
						? localize('for all your windows on the remote machine; programs run in your home folder there')
						: localize('for all your windows; programs run in your home folder')
					: source.kind === 'mcpJson'
						? localize('for everyone who opens this workspace; also used by the chat of the editor')
						: localize('for everyone who opens this workspace; used by this extension only'),
			...(replaced && { detail: localizeNative('Replaces what is defined there under this name.') }),
		};
	});
}

function labelOf(source: ConfigSource): NativeText {
	switch (source.kind) {
		case 'user':
			return isRemote(source) ? localize('Remote settings') : localize('User settings');
		case 'workspace':
			return localize('Workspace settings');
		case 'folder':
			return localizeNative('Settings of the folder {0}', source.folder?.name ?? '');
		default:
			return native(sourceText(source));
	}
}

/** Writes the definitions and the inputs that they use, and keeps everything else in the file. */
export async function save(source: ConfigSource, addition: Addition): Promise<void> {
	await (isSettings(source) ? saveInSettings(source, addition) : saveInFile(source, addition));
}

async function saveInSettings(source: ConfigSource, addition: Addition): Promise<void> {
	const { kind, folder, shape } = source;
	const configuration = vscode.workspace.getConfiguration(SECTION, kind === 'folder' ? folder?.uri : undefined);
	const { Global, Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;
	const target = kind === 'user' ? Global : kind === 'folder' ? WorkspaceFolder : Workspace;
	// Of the user's settings, VS Code chooses for each where it is written, and replaces what is there.
	const ofInputs = kind === 'user' ? { ...source, uri: writtenUri('inputs') } : source;
	const { servers, inputs } = withAddition(settingsAt(source, ofInputs), shape, addition);
	await configuration.update('servers', servers, target);
	if (inputs) {
		await configuration.update('inputs', inputs, target);
	}
}

async function saveInFile(source: ConfigSource, addition: Addition): Promise<void> {
	const { file, shape } = source;
	if (!file) {
		return;
	}
	const document = await documentOf(file);
	const text = textWithAddition(document?.getText() ?? '', shape, addition);
	if (typeof text !== 'string') {
		const obstacle = render(text, localize);
		throw new Error(
			localize('Nothing was added to {0}. {1} Correct it, then try again.', sourceText(source), obstacle),
		);
	}
	if (!(await writeText(file, document, text))) {
		throw new Error(localize('Nothing was added: {0} could not be saved.', sourceText(source)));
	}
}
