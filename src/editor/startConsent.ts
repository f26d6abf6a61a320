import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import type { ServerDefinition } from '../config/definition.ts';
import type { Part } from '../config/fingerprint.ts';
import { visible } from '../elicitation/display.ts';
import type { ConfiguredServer } from './configuration.ts';
import { loadConfig } from './loadConfig.ts';
import { askModal } from './notices.ts';
import { fromWorkspace, placeText } from './places.ts';
import { line, t } from './words.ts';

const KEY = 'consents';

/** The hashes of what was agreed to. */
type Agreed = Readonly<Partial<Record<Part, string>>>;

/** The person's consent to start what a workspace brings along: per definition, given once, asked again when it has changed. */
export class StartConsent {
	constructor(private readonly memory: vscode.Memento) {}

	/** True if the server may be started. Nobody is asked for what the person wrote into their own settings. */
	async given(server: ConfiguredServer, definition: ServerDefinition): Promise<boolean> {
		const { before, changed } = await this.#compare(server, definition);
		return !fromWorkspace(server.source) || (before !== undefined && changed.length === 0);
	}

	/**
	 * Asks the person, unless the server may be started anyway.
	 * @param definition the effective one: consent is bound to what it says, and this is what is shown
	 */
	async obtain(server: ConfiguredServer, definition: ServerDefinition): Promise<boolean> {
		if (await this.given(server, definition)) {
			return true;
		}
		const { key, before, now, changed } = await this.#compare(server, definition);
		// What another kind of connection does without needs no mention.
		const told = changed.includes('type') ? changed.filter((part) => now[part] !== undefined) : changed;
		const start = t('Start Server');
		const choice = await askModal(
			'warning',
			line('Start the MCP server "{0}"?', server.name),
			describe(server, definition, before ? told : []),
			start,
		);
		if (choice !== start) {
			return false;
		}
		await this.memory.update(KEY, { ...this.#consents, [key]: now });
		return true;
	}

	/** Forgets every consent; running servers go on until they are stopped. */
	async reset(): Promise<void> {
		await this.memory.update(KEY, undefined);
	}

	async #compare({ source, name }: ConfiguredServer, definition: ServerDefinition) {
		const { effectiveParts, PARTS } = await loadConfig();
		const key = JSON.stringify([source.uri, name]);
		const before = this.#consents[key];
		const now = hashes(effectiveParts(definition));
		return { key, before, now, changed: PARTS.filter((part) => before?.[part] !== now[part]) };
	}

	get #consents(): Readonly<Record<string, Agreed>> {
		return this.memory.get(KEY, {});
	}
}

/** Only hashes are kept: the values of variables and headers may be secrets. */
function hashes(parts: Agreed): Agreed {
	return Object.fromEntries(
		Object.entries(parts).map(([part, text]) => [part, createHash('sha256').update(text).digest('hex')]),
	);
}

/** What will run, whole: a modal's detail is plain text. Values of variables and headers may be secrets and are not shown. */
function describe({ source }: ConfiguredServer, definition: ServerDefinition, changed: readonly Part[]): string {
	const lines = [
		changed.length > 0
			? t('Its definition has changed since you agreed to it: {0}.', changed.map(partText).join(', '))
			: t('This workspace defines it. Start it only if you trust what it does.'),
		'',
		t('Defined in: {0}', placeText(source)),
	];
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

function partText(part: Part): string {
	switch (part) {
		case 'type':
			return t('the kind of connection');
		case 'command':
			return t('the command');
		case 'args':
			return t('the arguments');
		case 'cwd':
			return t('the working directory');
		case 'env':
			return t('the environment variables');
		case 'envFile':
			return t('the environment file');
		case 'url':
			return t('the URL');
		case 'headers':
			return t('the headers');
		case 'oauth':
			return t('how you are signed in');
	}
}
