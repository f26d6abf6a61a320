import type { Answer, Answers, Result } from './dialogue.ts';

/** The result of a tool that asked once: what came, in plain words and to the letter. */
export function resultOf(answer: Answer, accepted: string): Result {
	return { content: [{ type: 'text', text: inWords(answer, accepted) }], structuredContent: { ...answer } };
}

/** The result of a tool that asked several times. */
export function resultOfAll(answers: Answers, text: string): Result {
	const lines = Object.entries(answers).map(([name, answer]) => `${name}: ${inWords(answer, 'Accepted.')}`);
	return { content: [{ type: 'text', text: [text, ...lines].join('\n') }], structuredContent: { answers } };
}

/** A result that the caller should take for a failure. */
export function failure(text: string): Result {
	return { content: [{ type: 'text', text }], isError: true };
}

/** True when every answer is an accept. */
export function allAccepted(answers: Answers): boolean {
	return Object.values(answers).every((answer) => answer.action === 'accept');
}

function inWords(answer: Answer, accepted: string): string {
	switch (answer.action) {
		case 'accept':
			return `${accepted} ${contentInWords(answer.content)}`;
		case 'decline':
			return 'Declined. That is fine: nothing was done, and the demo will not ask again in this call.';
		case 'cancel':
			return 'Cancelled without an answer. Nothing was done; call the tool again whenever it suits you.';
		default:
			return `The client answered with an action that the protocol does not know: ${JSON.stringify(answer.action)}.`;
	}
}

function contentInWords(content: unknown): string {
	if (content === undefined) return 'The server received no values.';
	if (typeof content !== 'object' || content === null) return `The server received ${JSON.stringify(content)}.`;
	const values = Object.entries(content).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
	return values.length === 0 ? 'The server received an empty form.' : `The server received ${values.join(', ')}.`;
}
