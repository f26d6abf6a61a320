import type { ElicitationResponse } from './elicitation.ts';
import { isObject, type Json, type JsonObject, own } from './json.ts';
import { textOf } from './jsonText.ts';
import { exceeds, LIMITS } from './limits.ts';
import { type ElicitationRequest, type ReadRequest, refuse } from './request.ts';
import { localizable } from './sentence.ts';

/** Longest response (characters). Also makes its control one of several lines. */
export const MAX_RESPONSE = 100_000;

/** The schema of what the user writes: the text of the response, and the name of the model that the server is told. */
const RESPONSE: JsonObject = {
	type: 'object',
	properties: { text: { type: 'string', maxLength: MAX_RESPONSE }, model: { type: 'string', default: 'user' } },
	required: ['text', 'model'],
};

/** Parameters that say nothing to the user. */
const SILENT = new Set(['messages', '_meta', 'task']);

/** Reads the raw `params` of `sampling/createMessage`. Its message shows all of them. */
export function readSampling(params: Json): ReadRequest {
	const messages = own(params, 'messages');
	if (!isObject(params) || !Array.isArray(messages)) {
		return refuse(localizable('The member "{0}" must be a list of messages.', 'messages'));
	}
	const [tools] = ['tools', 'toolChoice'].filter((name) => own(params, name) !== undefined);
	if (tools !== undefined) {
		// Required by 2025-11-25, sampling, unless `sampling.tools` is declared.
		return refuse(localizable('The request has "{0}", but this client did not declare sampling with tools.', tools));
	}
	const said = messages.map(
		(message) => `${textOf(own(message, 'role') ?? null)}: ${contentText(own(message, 'content'))}`,
	);
	const rest = Object.entries(params).filter(([name]) => !SILENT.has(name));
	const message = [...said, ...rest.map(([name, value]) => `${name}: ${textOf(value)}`)].join('\n\n');
	return exceeds(message, LIMITS.messageBytes)
		? refuse(localizable('The message is larger than {0} bytes.', LIMITS.messageBytes))
		: { ok: true, request: { mode: 'sampling', message, requestedSchema: RESPONSE } };
}

/** The messages of a sampling request, for a language model. Editors have no role for its system prompt, so it comes first. */
export function messagesOf(params: Json): { readonly role: 'user' | 'assistant'; readonly text: string }[] {
	const [messages, systemPrompt] = [own(params, 'messages'), own(params, 'systemPrompt')];
	const prompt = typeof systemPrompt === 'string' ? [{ role: 'user' as const, text: systemPrompt }] : [];
	const said = (Array.isArray(messages) ? messages : []).map((message) => ({
		role: own(message, 'role') === 'assistant' ? ('assistant' as const) : ('user' as const),
		text: contentText(own(message, 'content')),
	}));
	return [...prompt, ...said];
}

/** What a server gets as the result of its request; undefined if the user refused a sampling request. */
export function resultFor({ mode }: ElicitationRequest, response: ElicitationResponse): JsonObject | undefined {
	return response.action === 'malformed'
		? response.result
		: mode === 'sampling'
			? samplingResult(response)
			: { ...response };
}

/** The response that a result is, by what servers read of it. */
export function responseIn({ mode }: ElicitationRequest, result: JsonObject): ElicitationResponse {
	const [action, content] = [own(result, 'action'), own(result, 'content') ?? undefined];
	if (mode === 'sampling' && content !== undefined) {
		return { action: 'accept', content: { text: own(content, 'text') ?? '', model: own(result, 'model') ?? '' } };
	}
	if (mode !== 'sampling' && (action === 'decline' || action === 'cancel' || (action === 'accept' && mode === 'url'))) {
		return { action };
	}
	return mode === 'form' && action === 'accept' && isObject(content ?? {})
		? { action, content: (content ?? {}) as JsonObject }
		: { action: 'malformed', result };
}

function samplingResult(response: ElicitationResponse): JsonObject | undefined {
	const content = response.action === 'accept' ? response.content : undefined;
	return (
		content && {
			role: 'assistant',
			content: { type: 'text', text: own(content, 'text') ?? '' },
			model: own(content, 'model') ?? '',
			stopReason: 'endTurn',
		}
	);
}

/** Images and audio are replaced by their size. */
function contentText(content: Json | undefined): string {
	if (Array.isArray(content)) {
		return content.map(contentText).join('\n');
	}
	const [text, data] = [own(content, 'text'), own(content, 'data')];
	if (typeof text === 'string') {
		return text;
	}
	return typeof data === 'string'
		? `‹${textOf(own(content, 'mimeType') ?? null)}, ${Math.floor((data.length * 3) / 4)} B›`
		: textOf(content ?? null);
}
