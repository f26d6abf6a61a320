import type * as vscode from 'vscode';
import { native } from '../../../elicitation/display.ts';
import { Form } from '../../../elicitation/form/form.ts';
import { toInputs } from '../../../elicitation/form/inputs.ts';
import type { Validator } from '../../../elicitation/form/validate.ts';
import type { JsonObject } from '../../../elicitation/json.ts';
import { type CallSubject, takesArguments } from '../../calls/callSubject.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { notify } from '../../common/notifications.ts';
import type { UserFocus } from '../userFocus.ts';
import { Draft } from './draft.ts';
import { FormPanel } from './formPanel.ts';

/**
 * Asks for the arguments of a call in an elicitation form, which `values` fill in. An empty object if the call takes none; undefined if the
 * user cancelled.
 */
export async function askArguments(
	extensionUri: vscode.Uri,
	validator: Validator,
	userFocus: UserFocus,
	server: string,
	{ kind, name, description, inputSchema, suggest }: CallSubject,
	values?: JsonObject,
): Promise<JsonObject | undefined> {
	if (!takesArguments(inputSchema) && Object.keys(values ?? {}).length === 0) {
		return {};
	}
	const form = new Form(inputSchema, validator);
	const draft = new Draft(form);
	if (values) {
		const { inputs, rest } = toInputs(form.fields, values);
		draft.enter(inputs, rest);
	}
	const before = contentOf(draft);
	for (;;) {
		const panel = new FormPanel({
			extensionUri,
			title: native(localize('{0} on {1}', name, server), 60),
			draft,
			model: {
				purpose: 'arguments',
				server,
				calls: [{ kind, name }],
				receivedAt: Date.now(),
				message: description,
				warnings: [],
				findings: [],
				pickers: false,
			},
			background: false,
			...(suggest && { suggest }),
			userFocus,
		});
		const outcome = await panel.outcome;
		const isKept = outcome.action === 'closed' && contentOf(draft) !== before;
		if (!isKept || !(await asksForMore(name))) {
			return outcome.action === 'accept' ? outcome.content : undefined;
		}
	}
}

const contentOf = ({ inputs, rest, json }: Draft): string => JSON.stringify([inputs, rest, json]);

/** After the tab of a form was closed in which something was entered: whether the user wants it back. */
async function asksForMore(name: string): Promise<boolean> {
	const reopen = localize('Reopen');
	const text = localizeNative('"{0}" was not called. What you have entered is kept until you close this.', name);
	return (await notify('information', text, reopen)) === reopen;
}
