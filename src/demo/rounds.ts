import {
	type CallToolResult,
	type InputRequest,
	type InputRequiredResult,
	inputRequired,
} from '@modelcontextprotocol/server';
import type { Answer, Dialogue, Question, Questions } from './dialogue.ts';

/** What one round hands to the next inside `requestState`. */
export interface RoundState {
	readonly tool: string;
	readonly answers: Readonly<Record<string, Answer>>;
	/** The ids of the pages that the call has opened, by name. */
	readonly pages: Readonly<Record<string, string>>;
}

export interface Round {
	readonly state: RoundState;
	readonly responses: Readonly<Record<string, unknown>>;
	/** How long an accepted page may keep this round waiting before the client is asked again. */
	readonly patience: number;
	readonly signal: AbortSignal;
	readonly mint: (state: RoundState) => Promise<string>;
}

/**
 * Runs one round of a dialogue in revision 2026-07-28: replays the answers so far and ends with the result or with
 * the questions that are still open.
 */
export async function playRound(dialogue: Dialogue, round: Round): Promise<CallToolResult | InputRequiredResult> {
	const answers: Record<string, Answer> = { ...round.state.answers };
	let step = await dialogue.next();
	while (!step.done) {
		const open = await takeAnswers(step.value, answers, round);
		if (Object.keys(open).length > 0) {
			await dialogue.return(nothing);
			return requestInput(open, { ...round.state, answers }, round.mint);
		}
		step = await dialogue.next(answers);
	}
	return step.value;
}

/** Only ends the generator; nobody sees it. */
const nothing: CallToolResult = { content: [] };

/** Moves what the client answered into `answers` and returns the questions without an answer. */
async function takeAnswers(questions: Questions, answers: Record<string, Answer>, round: Round): Promise<Questions> {
	const open: Record<string, Question> = {};
	const take = async ([name, question]: [string, Question]): Promise<void> => {
		if (Object.hasOwn(answers, name)) return;
		const response = Object.hasOwn(round.responses, name) ? (round.responses[name] as Answer) : undefined;
		if (response === undefined) open[name] = question;
		else if (await isPending(question, response, round)) open[name] = again(question);
		else answers[name] = response;
	};
	await Promise.all(Object.entries(questions).map(take));
	return open;
}

async function isPending(question: Question, response: Answer, round: Round): Promise<boolean> {
	if (!('page' in question) || response.action !== 'accept') return false;
	return !(await question.page.finished(round.patience, round.signal)) && question.page.state === 'waiting';
}

function again(question: Question): Question {
	return { ...question, message: `The page is still waiting for its button. ${question.message}` };
}

async function requestInput(open: Questions, state: RoundState, mint: Round['mint']): Promise<InputRequiredResult> {
	const inputRequests = Object.fromEntries(Object.entries(open).map(([name, question]) => [name, requestOf(question)]));
	// The first round of a form has nothing to remember, and a client must cope with a result that has no state.
	const isEmpty = Object.keys(state.answers).length === 0 && Object.keys(state.pages).length === 0;
	return inputRequired(isEmpty ? { inputRequests } : { inputRequests, requestState: await mint(state) });
}

/** Written by hand: the SDK's builder would translate the schema, and the demo's must arrive as it is written. */
function requestOf(question: Question): InputRequest {
	const params =
		'page' in question
			? { mode: 'url', message: question.message, url: question.page.url }
			: { mode: 'form', message: question.message, requestedSchema: question.requestedSchema };
	return { method: 'elicitation/create', params } as InputRequest;
}
