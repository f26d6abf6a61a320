import { createHash, randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import type { Input } from '../../config/inputs.ts';
import type { InputValue } from '../../config/launch.ts';
import type { Receiver } from '../../config/receiver.ts';
import { isObject, keyOf, own } from '../../elicitation/json.ts';
import type { Source } from '../common/serverEntry.ts';
import { askInput } from './askInput.ts';
import { fromWorkspace } from './configSource.ts';

/** Memento key of the random id of a workspace. */
const WORKSPACE_ID = 'inputsWorkspace';

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
		const value = await askInput(server, input, before?.value, elsewhere ? receiver : undefined);
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
		const known = this.workspace.get<unknown>(WORKSPACE_ID);
		const id = typeof known === 'string' ? known : randomUUID();
		if (id !== known) {
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
