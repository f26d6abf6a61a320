import * as vscode from 'vscode';
import type { Input } from '../config/inputs.ts';
import type { InputValue } from '../config/launch.ts';
import { native } from '../elicitation/display.ts';
import type { Source } from './places.ts';
import { line, t } from './words.ts';

/** What the person has entered for `${input:id}`: asked once per place of definition, kept until it is forgotten. */
export class InputValues {
	constructor(
		private readonly secrets: vscode.SecretStorage,
		private readonly everywhere: vscode.Memento,
		private readonly workspace: vscode.Memento,
	) {}

	/** What is kept. */
	async get(source: Source, input: Input): Promise<InputValue | undefined> {
		const key = keyOf(source, input);
		const value = input.password ? await this.secrets.get(key) : this.#memory(source).get<string>(key);
		return value === undefined ? undefined : { value, secret: input.password };
	}

	/** Asks the person and keeps what they enter; undefined when they would not. */
	async ask(server: string, source: Source, input: Input): Promise<InputValue | undefined> {
		const before = await this.get(source, input);
		const value = await (input.type === 'pickString' ? pick : enter)(server, input, before?.value);
		if (value === undefined) {
			return undefined;
		}
		await this.#set(source, input, value);
		return { value, secret: input.password };
	}

	async forget(source: Source, input: Input): Promise<void> {
		await this.#set(source, input, undefined);
	}

	async #set(source: Source, input: Input, value: string | undefined): Promise<void> {
		const key = keyOf(source, input);
		// It may have been defined as no secret before, or as one.
		await this.#memory(source).update(key, input.password ? undefined : value);
		if (input.password && value !== undefined) {
			await this.secrets.store(key, value);
		} else {
			await this.secrets.delete(key);
		}
	}

	/** What the person's own settings ask for is the same in every workspace. */
	#memory({ kind }: Source): vscode.Memento {
		return kind === 'user' ? this.everywhere : this.workspace;
	}
}

function keyOf({ uri }: Source, { id }: Input): string {
	return `input:${JSON.stringify([uri, id])}`;
}

function enter(server: string, input: Input, before: string | undefined): Thenable<string | undefined> {
	return vscode.window.showInputBox({
		title: native(`${server} · ${input.id}`, 100),
		prompt: describe(input),
		password: input.password,
		ignoreFocusOut: true,
		// A secret is entered anew rather than shown to whoever looks over the shoulder.
		value: (input.password ? undefined : before) ?? input.default ?? '',
	});
}

async function pick(server: string, input: Input, before: string | undefined): Promise<string | undefined> {
	const current = before ?? input.default;
	const items = input.options.map(({ label, value }) => ({
		label: native(label),
		description: [label === value ? '' : native(value), value === input.default ? t('default') : '']
			.filter(Boolean)
			.join(' · '),
		value,
	}));
	// The first entry is the one that Enter takes.
	items.sort((a, b) => Number(b.value === current) - Number(a.value === current));
	const chosen = await vscode.window.showQuickPick(items, {
		title: native(`${server} · ${input.id}`, 100),
		placeHolder: describe(input),
		ignoreFocusOut: true,
	});
	return chosen?.value;
}

function describe({ id, description }: Input): string {
	return description === undefined ? line('A value for "{0}"', id) : native(description);
}
