import * as vscode from 'vscode';
import type { Call } from '../../elicitation/call.ts';
import { native } from '../../elicitation/display.ts';
import { own } from '../../elicitation/json.ts';
import { isResultMessage, type ToResult } from '../../protocol.ts';
import type { JsonDocuments } from '../jsonDocuments.ts';
import { createPage } from '../webviewPage.ts';
import { t, translations } from '../words.ts';

/** Opens the result of a tool call in a tab of its own, readable. */
export function showResult(extensionUri: vscode.Uri, documents: JsonDocuments, call: Call, result: unknown): void {
	const { panel, id } = createPage(extensionUri, {
		name: 'result',
		title: native(t('{0}: result', call.name), 60),
		preserveFocus: false,
		column: vscode.ViewColumn.Active,
	});
	const subscription = panel.webview.onDidReceiveMessage((message: unknown) => {
		if (!isResultMessage(message, id)) {
			return;
		}
		if (message.type === 'openJson') {
			void documents.open(t('{0} result', call.name), result);
			return;
		}
		const show: ToResult = {
			type: 'show',
			panel: id,
			model: {
				server: call.server,
				tool: call.name,
				isError: own(result, 'isError') === true,
				serverTime: call.clock.serverTime,
				humanTime: call.clock.humanTime,
				result,
			},
			strings: translations(),
		};
		void panel.webview.postMessage(show);
	});
	panel.onDidDispose(() => subscription.dispose());
}
