import type { CallToolResult, ClientCapabilities, ServerContext, StandardSchemaV1 } from '@modelcontextprotocol/server';
import type { Answer, Dialogue, Question } from './dialogue.ts';

/** Longer than any person should need, yet no call of the demo lives for ever. */
const TIMEOUT = 15 * 60_000;

/** The answer as the client sent it: the SDK's own schema would refuse or drop what it does not know. */
const asItCame: StandardSchemaV1<unknown, Answer> = {
	'~standard': { version: 1, vendor: 'demo', validate: (value) => ({ value: value as Answer }) },
};

export type Send = ServerContext['mcpReq']['send'];

/** Runs a dialogue in revisions up to 2025-11-25: every question is an `elicitation/create` request to the client. */
export async function push(
	dialogue: Dialogue,
	client: ClientCapabilities | undefined,
	send: Send,
	signal: AbortSignal,
): Promise<CallToolResult> {
	let step = await dialogue.next();
	while (!step.done) {
		const siblings = new AbortController();
		const stop = () => siblings.abort();
		signal.addEventListener('abort', stop);
		try {
			const asked = Object.entries(step.value).map(
				async ([name, question]) => [name, await put(question, client, send, siblings.signal)] as const,
			);
			step = await dialogue.next(Object.fromEntries(await Promise.all(asked)));
		} finally {
			signal.removeEventListener('abort', stop);
			// When one question fails, the client is told that the others are off too.
			siblings.abort();
		}
	}
	return step.value;
}

async function put(
	question: Question,
	client: ClientCapabilities | undefined,
	send: Send,
	signal: AbortSignal,
): Promise<Answer> {
	const params = paramsOf(question);
	if (!canServe(client, params.mode))
		throw new Error(`This client did not say that it can answer questions in ${params.mode} mode.`);
	const answer = await send({ method: 'elicitation/create', params }, asItCame, { timeout: TIMEOUT, signal });
	if ('page' in question && answer.action === 'accept') await question.page.finished(TIMEOUT, signal);
	return answer;
}

function paramsOf(question: Question) {
	return 'page' in question
		? { mode: 'url', message: question.message, url: question.page.url, elicitationId: question.page.id }
		: { mode: 'form', message: question.message, requestedSchema: question.requestedSchema };
}

/** A bare `elicitation: {}` is how revision 2025-06-18 says form mode. */
function canServe(client: ClientCapabilities | undefined, mode: string): boolean {
	const elicitation = client?.elicitation;
	if (elicitation === undefined) return false;
	return mode === 'url'
		? elicitation.url !== undefined
		: elicitation.form !== undefined || elicitation.url === undefined;
}
