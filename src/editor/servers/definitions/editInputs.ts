import * as vscode from 'vscode';
import { type Input, isEntered } from '../../../config/inputs.ts';
import type { InputValue } from '../../../config/launch.ts';
import type { Receiver } from '../../../config/receiver.ts';
import { MASK, native, withIcon } from '../../../elicitation/display.ts';
import { fullId } from '../../common/contributions.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { notify } from '../../common/notifications.ts';
import type { ConfiguredServer } from '../../common/serverEntry.ts';
import { createQuickPick, type NativeItem } from '../../common/surfaces.ts';
import { receiverFor } from '../identity.ts';
import type { InputValues } from '../inputValues.ts';
import type { Servers } from '../servers.ts';
import { inputsBefore } from '../startPlan.ts';

/** The command `editInputs`: lets the user change or delete the inputs of a server. */
export async function editInputs(servers: Servers, values: InputValues, server: ConfiguredServer): Promise<void> {
	if ((await edit(server, values)) && servers.get(server.name)?.state === 'running') {
		await offerRestart(server.name);
	}
}

type Entry = NativeItem & { readonly input?: Input };

/** Lets the user edit until they close the list. True if anything changed. */
async function edit(server: ConfiguredServer, values: InputValues): Promise<boolean> {
	let changed = false;
	for (;;) {
		const receiver = await receiverNow(server, values);
		const step = receiver && (await choose(server, await entriesOf(server, values, receiver)));
		if (!step) {
			return changed;
		}
		const { inputs, forget } = step;
		for (const input of inputs) {
			if (forget) {
				await values.forget(server.source, input);
				changed = true;
			} else if (await values.ask(server.name, server.source, input, receiver)) {
				changed = true;
			}
		}
	}
}

/** Who receives secrets with the inputs that are stored now; undefined for an invalid definition. */
async function receiverNow(server: ConfiguredServer, values: InputValues): Promise<Receiver | undefined> {
	const { definition, source } = server;
	if (!definition) {
		return undefined;
	}
	const entered = new Map<string, InputValue>();
	const unresolved = receiverFor(source, definition, entered);
	for (const input of inputsBefore(server, definition)) {
		const value = await values.get(source, input, unresolved);
		if (value) {
			entered.set(input.id, value);
		}
	}
	return receiverFor(source, definition, entered);
}

async function entriesOf(server: ConfiguredServer, values: InputValues, receiver: Receiver): Promise<Entry[]> {
	const used = server.inputs.filter(isEntered);
	const kept = await Promise.all(used.map((input) => values.get(server.source, input, receiver)));
	const entries = used.map((input, index): Entry => {
		const value = kept[index];
		return {
			input,
			label: native(input.id),
			description: !value ? localize('not entered yet') : native(value.secret ? MASK : value.value, 200),
			...(input.description !== undefined && { detail: native(input.description, 200) }),
			buttons: value ? [{ iconPath: new vscode.ThemeIcon('trash'), tooltip: localize('Forget') }] : [],
		};
	});
	const separator: Entry = { label: native(''), kind: vscode.QuickPickItemKind.Separator };
	return kept.some(Boolean) ? [...entries, separator, { label: withIcon('trash', localize('Forget All')) }] : entries;
}

interface Step {
	readonly inputs: readonly Input[];
	readonly forget: boolean;
}

function choose(server: ConfiguredServer, entries: readonly Entry[]): Promise<Step | undefined> {
	return new Promise((resolve) => {
		const picker = createQuickPick<Entry>();
		const end = (step: Step | undefined) => {
			resolve(step);
			picker.dispose();
		};
		picker.title = localizeNative('Inputs of {0}', server.name);
		picker.placeholder = localize('Choose what to enter again');
		picker.items = entries;
		picker.onDidAccept(() => {
			const [entry] = picker.selectedItems;
			end(
				entry &&
					(entry.input
						? { inputs: [entry.input], forget: false }
						: { inputs: server.inputs.filter(isEntered), forget: true }),
			);
		});
		picker.onDidTriggerItemButton(({ item }) => end(item.input && { inputs: [item.input], forget: true }));
		picker.onDidHide(() => end(undefined));
		picker.show();
	});
}

async function offerRestart(name: string): Promise<void> {
	const restart = localize('Restart Server');
	const text = localizeNative('Your changes take effect the next time "{0}" is started.', name);
	if ((await notify('information', text, restart)) === restart) {
		await vscode.commands.executeCommand(fullId('restartServer'), name);
	}
}
