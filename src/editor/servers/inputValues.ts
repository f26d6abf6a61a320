import { createHash, randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Input } from '../../config/inputs.ts';
import type { InputValue } from '../../config/launch.ts';
import type { Receiver } from '../../config/receiver.ts';
import { native, shorten } from '../../elicitation/display.ts';
import { isObject, own } from '../../elicitation/json.ts';
import { localize, localizeNative } from '../common/localize.ts';
import { fromWorkspace, type Source } from './configSource.ts';

/** Where a workspace keeps the name that tells it from others. */
const WORKSPACE_ID = 'inputsWorkspace';

/** How much of a URL or a command line is shown (characters). */
const LONGEST_RECEIVER = 300;

/** What was entered for a password input: the value by the hash of the receiver that it was entered for. */
type Entered = Readonly<Record<string, string>>;

/**
 * What the user has entered for `${input:id}`: asked once per place of definition, kept until it is forgotten. A password is
 * bound to its receiver as well: whatever else it would go to has to ask for it again.
 */
export class InputValues {
	constructor(
		private readonly secrets: vscode.SecretStorage,
		private readonly everywhere: vscode.Memento,
		private readonly workspace: vscode.Memento,
	) {}

	/** What is kept. */
	async get(source: Source, input: Input, receiver: Receiver): Promise<InputValue | undefined> {
		const value = input.password
			? own(await this.#entered(source, input), hashOf(receiver))
			: this.#memory(source).get<string>(keyOf(source, input));
		return typeof value === 'string' ? { value, secret: input.password } : undefined;
	}

	/** Asks the user and keeps what they enter; undefined when they would not. */
	async ask(server: string, source: Source, input: Input, receiver: Receiver): Promise<InputValue | undefined> {
		const before = await this.get(source, input, receiver);
		const elsewhere = input.password && !before && Object.keys(await this.#entered(source, input)).length > 0;
		const prompt = elsewhere
			? `${describe(input)} · ${localizeNative('What you entered before was for something else. This goes to: {0}', shorten(receiver.text, LONGEST_RECEIVER))}`
			: describe(input);
		const value = await (input.type === 'pickString' ? pick : enter)(server, input, prompt, before?.value);
		if (value === undefined) {
			return undefined;
		}
		await this.#set(source, input, receiver, value);
		return { value, secret: input.password };
	}

	/** Forgets it, for every receiver. */
	async forget(source: Source, input: Input): Promise<void> {
		await this.#memory(source).update(keyOf(source, input), undefined);
		await this.secrets.delete(await this.#secretKey(source, input));
	}

	async #set(source: Source, input: Input, receiver: Receiver, value: string): Promise<void> {
		const key = await this.#secretKey(source, input);
		// It may have been defined as no secret before, or as one.
		await this.#memory(source).update(keyOf(source, input), input.password ? undefined : value);
		if (input.password) {
			const entered = { ...(await this.#entered(source, input)), [hashOf(receiver)]: value };
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
			// Kept by a version that did not know for whom it was: it has to be entered again.
			return {};
		}
	}

	/** The editor keeps secrets for all windows, and in another container the same path is another workspace. */
	async #secretKey(source: Source, input: Input): Promise<string> {
		if (!fromWorkspace(source)) {
			return keyOf(source, input);
		}
		const known = this.workspace.get<string>(WORKSPACE_ID);
		const id = known ?? randomUUID();
		if (known === undefined) {
			await this.workspace.update(WORKSPACE_ID, id);
		}
		return `${keyOf(source, input)}@${id}`;
	}

	/** What the user's own settings ask for is the same in every workspace. */
	#memory({ kind }: Source): vscode.Memento {
		return kind === 'user' ? this.everywhere : this.workspace;
	}
}

function keyOf({ uri }: Source, { id }: Input): string {
	return `input:${JSON.stringify([uri, id])}`;
}

/** A receiver's key may hold what is nobody's business. */
function hashOf({ key }: Receiver): string {
	return createHash('sha256').update(key).digest('hex');
}

function enter(server: string, input: Input, prompt: string, before: string | undefined): Thenable<string | undefined> {
	return vscode.window.showInputBox({
		title: native(`${server} · ${input.id}`, 100),
		prompt,
		password: input.password,
		ignoreFocusOut: true,
		// A secret is entered anew rather than shown to whoever looks over the shoulder.
		value: (input.password ? undefined : before) ?? input.default ?? '',
	});
}

async function pick(
	server: string,
	input: Input,
	prompt: string,
	before: string | undefined,
): Promise<string | undefined> {
	const current = before ?? input.default;
	const items = input.options.map(({ label, value }) => ({
		label: native(label),
		description: [label === value ? '' : native(value), value === input.default ? localize('default') : '']
			.filter(Boolean)
			.join(' · '),
		value,
	}));
	// The first entry is the one that Enter takes.
	items.sort((a, b) => Number(b.value === current) - Number(a.value === current));
	const chosen = await vscode.window.showQuickPick(items, {
		title: native(`${server} · ${input.id}`, 100),
		placeHolder: prompt,
		ignoreFocusOut: true,
	});
	return chosen?.value;
}

function describe({ id, description }: Input): string {
	return description === undefined ? localizeNative('A value for "{0}"', id) : native(description);
}
