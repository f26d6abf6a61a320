import * as vscode from 'vscode';
import type { Registry } from '../elicitation/registry.ts';
import { render } from '../elicitation/sentence.ts';
import { fullId } from './contributions.ts';
import { line, t } from './words.ts';

/** Tells the person about requests that were refused without asking; one server's next refusal waits until the last was read. */
export function registerRefusals(registry: Registry): vscode.Disposable {
	const showing = new Set<string>();
	return registry.onDidRefuse(async ({ server, reason }) => {
		if (showing.has(server)) {
			return;
		}
		showing.add(server);
		const timeline = t('Show Timeline');
		const choice = await vscode.window.showWarningMessage(
			line(
				"{0} asked for something that cannot be shown: {1} It was refused. Report it to the server's author.",
				server,
				render(reason, t),
			),
			timeline,
		);
		showing.delete(server);
		if (choice === timeline) {
			await vscode.commands.executeCommand(fullId('showTimeline'));
		}
	});
}
