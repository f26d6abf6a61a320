import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { Call } from '../../elicitation/call.ts';
import { native } from '../../elicitation/display.ts';
import { own } from '../../elicitation/json.ts';
import { isResultMessage, type ToResult } from '../../protocol.ts';
import { fullId } from '../common/contributions.ts';
import { responderText } from '../common/descriptions.ts';
import type { JsonDocuments } from '../common/jsonDocuments.ts';
import { localize, translations } from '../common/localize.ts';
import { showError } from '../common/notifications.ts';
import { createPage } from '../common/webviewPage.ts';

/** Opens the result of a call in a readable form, in its own tab. */
export function showResult(extensionUri: vscode.Uri, documents: JsonDocuments, call: Call, result: unknown): void {
	const { panel } = createPage(extensionUri, {
		name: 'result',
		title: native(localize('{0}: result', call.name), 60),
		background: false,
	});
	const subscription = panel.webview.onDidReceiveMessage((message: unknown) => {
		if (!isResultMessage(message)) {
			return;
		}
		switch (message.type) {
			case 'openJson':
				documents.open(localize('{0} result', call.name), result).catch(showError);
				return;
			case 'timeline':
				void vscode.commands.executeCommand(fullId('showTimeline'), `call:${call.id}`);
				return;
			case 'save':
				save(own(result, 'contents'), message.index).catch(showError);
				return;
			case 'ready': {
				const show: ToResult = { type: 'show', model: modelOf(call, result), strings: translations() };
				void panel.webview.postMessage(show);
			}
		}
	});
	panel.onDidDispose(() => subscription.dispose());
}

function modelOf(call: Call, result: unknown): ToResult['model'] {
	const { server, kind, name, clock, responder } = call;
	return {
		server,
		call: { kind, name },
		isError: own(result, 'isError') === true,
		serverTime: clock.serverTime,
		humanTime: clock.humanTime,
		automaticTime: clock.automaticTime,
		...(responder && { answeredBy: responderText(responder, call) }),
		result,
	};
}

/** Saves the contents of a resource to a file that the user picks. */
async function save(contents: unknown, index: number): Promise<void> {
	const content = Array.isArray(contents) ? contents[index] : undefined;
	const text = own(content, 'text');
	const blob = own(content, 'blob');
	const bytes =
		typeof text === 'string'
			? Buffer.from(text, 'utf8')
			: typeof blob === 'string'
				? Buffer.from(blob, 'base64')
				: undefined;
	if (!bytes) {
		return;
	}
	const name = fileName(String(own(content, 'uri')));
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
	const target = await vscode.window.showSaveDialog({ defaultUri: vscode.Uri.joinPath(folder, name) });
	if (target) {
		await vscode.workspace.fs.writeFile(target, bytes);
	}
}

/** Suggests a file name from the last segment of a URI: plain characters only, and no hidden file. */
function fileName(uri: string): string {
	const last = uri.split(/[?#]/)[0]?.split('/').pop() ?? '';
	const plain = last.replace(/[^\p{L}\p{N}._-]+/gu, '_').replace(/^[._]+/, '');
	return plain.slice(0, 80) || 'resource';
}
