import type * as vscode from 'vscode';
import { native } from '../../elicitation/display.ts';
import { Form } from '../../elicitation/form/form.ts';
import type { Validator } from '../../elicitation/form/validate.ts';
import type { JsonObject } from '../../elicitation/json.ts';
import type { ToolInfo } from '../../mcp/index.ts';
import { t } from '../words.ts';
import { Draft } from './draft.ts';
import { FormPanel } from './formPanel.ts';

/** A tool's arguments, asked with the same form as an elicitation; none where it takes none. Undefined: the person cancelled. */
export async function askArguments(
	extensionUri: vscode.Uri,
	validator: Validator,
	server: string,
	tool: ToolInfo,
): Promise<JsonObject | undefined> {
	const form = new Form(tool.inputSchema, validator);
	if (form.fields.length === 0) {
		return {};
	}
	const panel = new FormPanel({
		extensionUri,
		title: native(t('{0} on {1}', tool.name, server), 60),
		draft: new Draft(form),
		model: {
			purpose: 'arguments',
			server,
			calls: [tool.name],
			receivedAt: Date.now(),
			message: tool.description ?? '',
			warnings: [],
			findings: [],
			pickers: false,
		},
		background: false,
	});
	const outcome = await panel.outcome;
	return outcome.action === 'accept' ? outcome.content : undefined;
}
