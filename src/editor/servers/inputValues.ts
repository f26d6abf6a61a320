import { createHash, randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import type { Input } from '../../config/inputs.ts';
import type { InputValue } from '../../config/launch.ts';
import type { Receiver } from '../../config/receiver.ts';
import { type NativeText, native, shorten, together } from '../../elicitation/display.ts';
import { isObject, keyOf, own } from '../../elicitation/json.ts';
import { showUntilAccepted } from '../common/guardedPicker.ts';
import { localize, localizeNative } from '../common/localize.ts';
import { createInputBox, createQuickPick } from '../common/surfaces.ts';
import { fromWorkspace, type Source } from './configSource.ts';

/** Memento key of the random id of a workspace. */
const WORKSPACE_ID = 'inputsWorkspace';

/** Max length shown of a URL or a command line (characters). */
const MAX_RECEIVER_LENGTH = 300;

/** Values of a password input by the hash of their receiver. */
type Entered = Readonly<Record<string, string>>;

/**
 * Values that the user entered for `${input:id}`. Asked once per config source and stored until deleted. A password is
 * also bound to its receiver, and is asked again for any other receiver.
 */
export class InputValues {
	constructor(
		private readonly secrets: vscode.SecretStorage,
		private readonly everywhere: vscode.Memento,
		private readonly workspace: vscode.Memento,
		/** Identifies the machine that local receivers are on. */
		private readonly machine: () => string,
	) {}

	/** The stored value. */
	async get(source: Source, input: Input, receiver: Receiver): Promise<InputValue | undefined> {
		const value = input.password
			? own(await this.#entered(source, input), this.#hashOf(receiver))
			: this.#memory(source).get<string>(inputKey(source, input));
		return typeof value === 'string' ? { value, secret: input.password } : undefined;
	}

	/** Asks the user and stores the value; undefined if the user cancelled. */
	async ask(server: string, source: Source, input: Input, receiver: Receiver): Promise<InputValue | undefined> {
		const before = await this.get(source, input, receiver);
		const elsewhere = input.password && !before && Object.keys(await this.#entered(source, input)).length > 0;
		const prompt = elsewhere
			? together(
					[
						describe(input),
						localizeNative(
							'What you entered before was for something else. This goes to: {0}',
							shorten(receiver.text, MAX_RECEIVER_LENGTH),
						),
					],
					' · ',
				)
			: describe(input);
		const value = await (input.type === 'pickString' ? pick : enter)(server, input, prompt, before?.value);
		if (value === undefined) {
			return undefined;
		}
		await this.#set(source, input, receiver, value);
		return { value, secret: input.password };
	}

	/** Deletes the value for every receiver. */
	async forget(source: Source, input: Input): Promise<void> {
		await this.#memory(source).update(inputKey(source, input), undefined);
		await this.secrets.delete(await this.#secretKey(source, input));
	}

	async #set(source: Source, input: Input, receiver: Receiver, value: string): Promise<void> {
		const key = await this.#secretKey(source, input);
		// Also delete it from the other storage, in case `password` has changed.
		await this.#memory(source).update(inputKey(source, input), input.password ? undefined : value);
		if (input.password) {
			const entered = { ...(await this.#entered(source, input)), [this.#hashOf(receiver)]: value };
			await this.secrets.store(key, JSON.stringify(entered));
		} else {
			await this.secrets.delete(key);
		}
	}

	async #entered(source: Source, input: Input): Promise<Entered> {
		const text = await this.secrets.get(await this.#secretKey(source, input));
		try {
			const entered: unknown = JSON.parse(text ?? '{}');
			return isObject(entered) ? (entered as Entered) : {};
		} catch {
			// An older version stored it without its receiver, so it must be entered again.
			return {};
		}
	}

	/** VS Code stores secrets for all windows, and the same path in another container is another workspace. */
	async #secretKey(source: Source, input: Input): Promise<string> {
		if (!fromWorkspace(source)) {
			return inputKey(source, input);
		}
		const known = this.workspace.get<string>(WORKSPACE_ID);
		const id = known ?? randomUUID();
		if (known === undefined) {
			await this.workspace.update(WORKSPACE_ID, id);
		}
		return `${inputKey(source, input)}@${id}`;
	}

	/** Hashed, because a receiver's key may contain private data. */
	#hashOf({ key, isLocal }: Receiver): string {
		return createHash('sha256')
			.update(isLocal ? keyOf(key, this.machine()) : key)
			.digest('hex');
	}

	/** Inputs of the user settings are shared by all workspaces. */
	#memory({ kind }: Source): vscode.Memento {
		return kind === 'user' ? this.everywhere : this.workspace;
	}
}

function inputKey({ uri }: Source, { id }: Input): string {
	return `input:${keyOf(uri, id)}`;
}

function enter(
	server: string,
	input: Input,
	prompt: NativeText,
	before: string | undefined,
): Promise<string | undefined> {
	const box = createInputBox();
	box.title = titleOf(server, input);
	box.prompt = prompt;
	box.password = input.password;
	box.ignoreFocusOut = true;
	// A password is never shown again.
	box.value = (input.password ? undefined : before) ?? input.default ?? '';
	return showUntilAccepted(box, () => box.value);
}

function pick(
	server: string,
	input: Input,
	prompt: NativeText,
	before: string | undefined,
): Promise<string | undefined> {
	const current = before ?? input.default;
	const items = input.options.map(({ label, value }) => ({
		label: native(label),
		description: together(
			[label === value ? undefined : native(value), value === input.default ? localize('default') : undefined],
			' · ',
		),
		value,
	}));
	// The first item is the one that Enter picks.
	items.sort((a, b) => Number(b.value === current) - Number(a.value === current));
	const picker = createQuickPick<(typeof items)[number]>();
	picker.title = titleOf(server, input);
	picker.placeholder = prompt;
	picker.ignoreFocusOut = true;
	picker.items = items;
	return showUntilAccepted(picker, () => picker.selectedItems[0]?.value);
}

function titleOf(server: string, { id }: Input): NativeText {
	return native(`${server} · ${id}`, 100);
}

function describe({ id, description }: Input): NativeText {
	return description === undefined ? localizeNative('A value for "{0}"', id) : native(description);
}
