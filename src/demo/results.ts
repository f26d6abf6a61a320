import type { CallToolResult, ElicitResult } from '@modelcontextprotocol/server';

/** A response as the client sent it: the demo shows it, and checks nothing. */
export interface Response {
	readonly action: ElicitResult['action'];
	readonly content?: Readonly<Record<string, unknown>>;
}

export type Responses = Readonly<Record<string, Response>>;

/** The result of a tool that asked once: the response in words and as it is. */
export function resultOf(response: Response, accepted: string): CallToolResult {
	return { content: [{ type: 'text', text: inWords(response, accepted) }], structuredContent: { ...response } };
}

/** The result of a tool that asked several times. */
export function resultOfAll(answers: Responses, text: string): CallToolResult {
	const lines = Object.entries(answers).map(([name, response]) => `${name}: ${inWords(response, 'Accepted.')}`);
	return { content: [{ type: 'text', text: [text, ...lines].join('\n') }], structuredContent: { answers } };
}

/** A result that reports an error of the tool. */
export function failure(text: string): CallToolResult {
	return { content: [{ type: 'text', text }], isError: true };
}

function inWords({ action, content }: Response, accepted: string): string {
	switch (action) {
		case 'accept':
			return `${accepted} ${contentInWords(content)}`;
		case 'decline':
			return 'Declined. That is fine: nothing was done, and the demo will not ask again in this call.';
		case 'cancel':
			return 'Cancelled without a response. Nothing was done; call the tool again whenever it suits you.';
	}
}

function contentInWords(content: Response['content']): string {
	if (content === undefined) return 'The server received no values.';
	const values = Object.entries(content).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
	return values.length === 0 ? 'The server received an empty form.' : `The server received ${values.join(', ')}.`;
}
