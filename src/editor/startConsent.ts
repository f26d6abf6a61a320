import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { ServerDefinition } from '../config/definition.ts';
import { effectiveContent } from '../config/fingerprint.ts';
import { visible } from '../elicitation/display.ts';
import type { ConfiguredServer } from './settings.ts';
import { line, t } from './words.ts';

const KEY = 'startConsents';

/** The person's consent to start what a workspace brings along: per definition, given once, asked again when it has changed. */
export class StartConsent {
	constructor(private readonly memory: vscode.Memento) {}

	/** True if the server may be started: consented before, or now. Never asks for what the person wrote into their own settings. */
	async obtain(server: ConfiguredServer, definition: ServerDefinition): Promise<boolean> {
		if (server.source.kind !== 'workspace') {
			return true;
		}
		const hash = createHash('sha256').update(effectiveContent(definition, server.source.uri)).digest('hex');
		const given = this.memory.get<readonly string[]>(KEY, []);
		if (given.includes(hash)) {
			return true;
		}
		const start = t('Start Server');
		const choice = await vscode.window.showWarningMessage(
			line('Start the MCP server "{0}"?', server.name),
			{ modal: true, detail: describe(definition) },
			start,
		);
		if (choice !== start) {
			return false;
		}
		await this.memory.update(KEY, [...this.memory.get<readonly string[]>(KEY, []), hash]);
		return true;
	}

	/** Forgets every consent; running servers go on until they are stopped. */
	async reset(): Promise<void> {
		await this.memory.update(KEY, []);
	}
}

/** What will run, whole: a modal's detail is plain text. Values of variables and headers may be secrets and are not shown. */
function describe(definition: ServerDefinition): string {
	const lines = [t('This workspace defines it. Start it only if you trust what it does.'), ''];
	if (definition.type === 'stdio') {
		lines.push(t('Command: {0}', definition.command));
		definition.args.forEach((argument, index) => {
			lines.push(t('Argument {0}: {1}', index + 1, argument));
		});
		lines.push(t('Working directory: {0}', definition.cwd ?? ''));
		const names = Object.keys(definition.env);
		lines.push(
			names.length > 0 ? t('Environment variables: {0}', names.join(', ')) : t('Environment variables: none added'),
		);
		if (definition.envFile !== undefined) {
			lines.push(t('Environment file: {0}', definition.envFile));
		}
	} else {
		lines.push(t('URL: {0}', definition.url));
		const names = Object.keys(definition.headers);
		if (names.length > 0) {
			lines.push(t('Headers: {0}', names.join(', ')));
		}
	}
	return visible(lines.join('\n'));
}
