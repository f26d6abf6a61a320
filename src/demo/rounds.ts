import {
	type Answer,
	canServe,
	type Dialogue,
	paramsOf,
	type Question,
	type Questions,
	type Result,
} from './dialogue.ts';
import { ErrorCode, RpcError } from './rpc.ts';

/** What one round hands to the next inside `requestState`. */
export interface RoundState {
	readonly tool: string;
	readonly answers: Readonly<Record<string, Answer>>;
	/** The ids of the pages that the call has opened, by name. */
	readonly pages: Readonly<Record<string, string>>;
}

/** The questions that a round ends with. */
export interface InputRequired {
	readonly resultType: 'input_required';
	readonly inputRequests: Readonly<Record<string, object>>;
	readonly requestState?: string;
}

export interface Round {
	readonly state: RoundState;
	readonly responses: Readonly<Record<string, unknown>>;
	/** What the client has said of it among its capabilities. */
	readonly elicitation: unknown;
	/** How long an accepted page may keep this round waiting before the client is asked again. */
	readonly patience: number;
	readonly signal: AbortSignal;
	readonly mint: (state: RoundState) => string;
}

/**
 * Runs one round of a dialogue in revision 2026-07-28: replays the answers so far and ends with the result or with
 * the questions that are still open.
 */
export async function playRound(dialogue: Dialogue, round: Round): Promise<Result | InputRequired> {
	const answers: Record<string, Answer> = { ...round.state.answers };
	let step = await dialogue.next();
	while (!step.done) {
		const open = await takeAnswers(step.value, answers, round);
		if (Object.keys(open).length > 0) {
			await dialogue.return(nothing);
			return requestInput(open, { ...round.state, answers }, round);
		}
		step = await dialogue.next(answers);
	}
	return step.value;
}

/** Only ends the generator; nobody sees it. */
const nothing: Result = { content: [] };

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

function requestInput(open: Questions, state: RoundState, { elicitation, mint }: Round): InputRequired {
	const inputRequests = Object.fromEntries(
		Object.entries(open).map(([name, question]) => [name, requestOf(question, elicitation)]),
	);
	// The first round of a form has nothing to remember, and a client must cope with a result that has no state.
	const isEmpty = Object.keys(state.answers).length === 0 && Object.keys(state.pages).length === 0;
	return { resultType: 'input_required', inputRequests, ...(!isEmpty && { requestState: mint(state) }) };
}

function requestOf(question: Question, elicitation: unknown): object {
	const params = paramsOf(question);
	if (!canServe(elicitation, params.mode)) {
		throw new RpcError(ErrorCode.missingClientCapability, `The client cannot be asked in ${params.mode} mode.`, {
			requiredCapabilities: { elicitation: { [params.mode]: {} } },
		});
	}
	return { method: 'elicitation/create', params };
}
