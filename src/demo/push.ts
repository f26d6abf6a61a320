import { type Answer, canServe, type Dialogue, paramsOf, type Question, type Result } from './dialogue.ts';
import type { Rpc } from './rpc.ts';

/** Longer than any person should need, yet no call of the demo lives for ever (milliseconds). */
const TIMEOUT = 15 * 60_000;

/**
 * Runs a dialogue in revisions up to 2025-11-25: every question is an `elicitation/create` request to the client.
 * @param elicitation what the client has said of it among its capabilities
 */
export async function push(dialogue: Dialogue, elicitation: unknown, rpc: Rpc, signal: AbortSignal): Promise<Result> {
	let step = await dialogue.next();
	while (!step.done) {
		const siblings = new AbortController();
		const stop = () => siblings.abort();
		signal.addEventListener('abort', stop);
		try {
			const asked = Object.entries(step.value).map(
				async ([name, question]) => [name, await put(question, elicitation, rpc, siblings.signal)] as const,
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

async function put(question: Question, elicitation: unknown, rpc: Rpc, signal: AbortSignal): Promise<Answer> {
	const params = { ...paramsOf(question), ...('page' in question && { elicitationId: question.page.id }) };
	if (!canServe(elicitation, params.mode))
		throw new Error(`This client did not say that it can answer questions in ${params.mode} mode.`);
	const answer = (await rpc.ask('elicitation/create', params, { timeout: TIMEOUT, signal })) as Answer;
	if ('page' in question && answer.action === 'accept') await question.page.finished(TIMEOUT, signal);
	return answer;
}
