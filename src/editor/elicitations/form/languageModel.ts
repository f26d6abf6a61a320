import * as vscode from 'vscode';
import { raceAbort } from '../../../elicitation/abort.ts';
import { native } from '../../../elicitation/display.ts';
import type { Json } from '../../../elicitation/json.ts';
import { MAX_RESPONSE, messagesOf } from '../../../elicitation/sampling.ts';
import { showUntilAccepted } from '../../common/guardedPicker.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { notify, showProgress } from '../../common/notifications.ts';
import { createQuickPick } from '../../common/surfaces.ts';
import { setTexts } from './pickerText.ts';

/** What a language model has made of a sampling request. */
export interface ModelResponse {
	readonly text: string;
	/** The model, as the server is told. */
	readonly model: string;
}

/**
 * Has a language model of the editor draft the response to a sampling request. The user chooses the model, and so agrees that
 * it reads the request; VS Code asks in addition before an extension uses a model for the first time. Undefined if there is
 * no draft, which the user has been told.
 */
export async function draftResponse(
	server: string,
	params: Json,
	signal: AbortSignal,
): Promise<ModelResponse | undefined> {
	const model = await chooseModel(server, signal);
	if (!model || signal.aborted) {
		return undefined;
	}
	const title = localizeNative('{0} is drafting the response to {1}', model.name, server);
	return showProgress(title, async (_progress, token) => {
		const stop = new AbortController();
		token.onCancellationRequested(() => stop.abort());
		const either = AbortSignal.any([signal, stop.signal]);
		try {
			return { text: await raceAbort(ask(model, params, either), either), model: model.id };
		} catch (error) {
			if (!either.aborted) {
				const reason = error instanceof Error ? error.message : String(error);
				void notify(
					'error',
					localizeNative(
						'{0} did not draft the response. Write it yourself, or choose another model. The model said: {1}',
						model.name,
						reason,
					),
				);
			}
			return undefined;
		}
	});
}

async function chooseModel(server: string, signal: AbortSignal): Promise<vscode.LanguageModelChat | undefined> {
	const models = await vscode.lm.selectChatModels();
	if (models.length === 0) {
		void notify(
			'information',
			localizeNative('This editor has no language model. Extensions such as GitHub Copilot Chat provide them.'),
		);
		return undefined;
	}
	const items = models.map((model) => ({
		label: native(model.name),
		description: native(`${model.vendor} · ${model.id}`),
		model,
	}));
	const picker = createQuickPick<(typeof items)[number]>();
	picker.title = localizeNative('Draft the response to {0}', server);
	setTexts(
		picker,
		localize('The model that you choose gets the whole request. The server gets nothing until you accept.'),
		localize('Choose a model'),
	);
	picker.matchOnDescription = true;
	picker.ignoreFocusOut = true;
	picker.items = items;
	return showUntilAccepted(picker, { accepted: () => picker.selectedItems[0]?.model, signal });
}

async function ask(model: vscode.LanguageModelChat, params: Json, signal: AbortSignal): Promise<string> {
	const source = new vscode.CancellationTokenSource();
	signal.addEventListener('abort', () => source.cancel(), { once: true });
	const { User, Assistant } = vscode.LanguageModelChatMessage;
	const messages = messagesOf(params).map(({ role, text }) => (role === 'assistant' ? Assistant(text) : User(text)));
	const justification = localize(
		'To draft the response to a sampling request of an MCP server, which you then edit and send.',
	);
	const response = await model.sendRequest(messages, { justification }, source.token);
	let text = '';
	for await (const part of response.text) {
		text += part;
		if (text.length >= MAX_RESPONSE) {
			source.cancel();
			break;
		}
	}
	return text.slice(0, MAX_RESPONSE);
}
