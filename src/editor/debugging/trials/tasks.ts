import { randomUUID } from 'node:crypto';
import { raceAbort } from '../../../elicitation/abort.ts';
import type { Elicitation, ElicitationResponse } from '../../../elicitation/elicitation.ts';
import { INVALID_PARAMS, METHOD_NOT_FOUND } from '../../../elicitation/errorCodes.ts';
import { sameJson } from '../../../elicitation/form/flatten.ts';
import { isObject, type Json, own } from '../../../elicitation/json.ts';
import { textOf } from '../../../elicitation/jsonText.ts';
import { localizable, type Sentence } from '../../../elicitation/sentence.ts';
import type { TaskRequests } from '../../../mcp/index.ts';
import type { Remark } from '../../../trials/observe.ts';
import {
	accepting,
	isOfTask,
	onTemporaryConnection,
	type ProtocolTestRun,
	type RepeatedCall,
	type TrialTools,
} from './temporaryConnection.ts';

/** Number of polls that are sent at once. */
const EARLY_POLLS = 5;

/** Max time for a response to one request (ms). */
const RESPONSE_TIMEOUT = 10_000;

const DECLINE = { action: 'decline' };

type Tell = (text: Sentence, warning: boolean) => void;

/** What a test sends besides the call. */
interface TaskTest {
	/** Once the task is created, while the call goes on. */
	created?(task: TaskRequests, tell: Tell): Promise<void>;
	/**
	 * When the task first requires input. Resolves to the response that the call gives.
	 * @param response valid content
	 */
	asked?(
		task: TaskRequests,
		tell: Tell,
		elicitation: Elicitation,
		response: ElicitationResponse,
	): Promise<ElicitationResponse | undefined>;
	/** Once the task has a result. */
	ended?(task: TaskRequests, tell: Tell): Promise<void>;
	readonly refusal?: ProtocolTestRun['refusal'];
}

/** Tests how the server handles requests about a task that the call itself would not send, or not at that time. */
export function taskTests(tools: TrialTools, subject: RepeatedCall): ProtocolTestRun[] {
	if (!subject.isTask) {
		return [];
	}
	const asked = subject.before.filter(isOfTask);
	const tests: [when: boolean, Sentence, TaskTest][] = [
		[true, localizable('Task: an unknown ID'), { created: getUnknown }],
		[true, localizable('Task: polled too early'), { created: pollEarly }],
		[true, localizable('Task: polled after its end'), { ended: pollLate }],
		[
			asked.length > 0,
			localizable('Task: cancelled while it requires input'),
			{ asked: cancel, refusal: () => 'expected' },
		],
	];
	// In sessions, responses have no keys, and the server ignores a second one unseen.
	if (asked.some(({ origin }) => origin.intake === 'inputRequired')) {
		tests.push(
			[true, localizable('Task: two responses to the same key'), { asked: respondTwice }],
			[true, localizable('Task: a response after its end'), respondLate()],
		);
	}
	return tests.flatMap(([when, name, test]) => (when ? [run(tools, subject, name, test)] : []));
}

function run(tools: TrialTools, subject: RepeatedCall, name: Sentence, test: TaskTest): ProtocolTestRun {
	const remarks: Remark[] = [];
	const tell: Tell = (text, warning) => remarks.push({ text, warning });
	let task: TaskRequests | undefined;
	const { answer } = accepting(tools, subject);
	return {
		...{ group: 'tasks', name },
		run: (signal) =>
			onTemporaryConnection(tools, subject, name, {}, signal, async (makeCall) => {
				let created: Promise<void> | undefined;
				let isFirst = true;
				const seen = await makeCall({
					onTask: (ofCall) => {
						task = ofCall;
						created = test.created?.(task, tell);
					},
					answer: async (elicitation, index, note) => {
						const response = await answer(elicitation, index, note);
						if (!task || !test.asked || !isFirst || !response) {
							return response;
						}
						isFirst = false;
						return test.asked(task, tell, elicitation, response);
					},
				});
				await created;
				if (task && test.ended && (seen?.outcome === 'result' || seen?.outcome === 'isError')) {
					await test.ended(task, tell);
				}
				return seen;
			}),
		...(test.refusal && { refusal: test.refusal }),
		judge: () => (task ? remarks : [{ text: localizable('The call did not run as a task this time.'), warning: true }]),
	};
}

async function getUnknown(task: TaskRequests, tell: Tell): Promise<void> {
	const { result, code } = await responseTo(task.get(randomUUID()));
	if (result !== undefined) {
		tell(localizable('The server reported a task that it never created.'), true);
	} else if (code === INVALID_PARAMS) {
		tell(localizable('The server noticed it.'), false);
	} else {
		tell(refusalText(code), true);
	}
}

/** Servers may refuse to be polled faster than they ask for, but must know every task that they have created. */
async function pollEarly(task: TaskRequests, tell: Tell): Promise<void> {
	const responses = await Promise.all(Array.from({ length: EARLY_POLLS }, () => responseTo(task.get())));
	const refused = responses.filter(({ result }) => result === undefined).length;
	if (responses.some(({ code }) => code === INVALID_PARAMS)) {
		tell(localizable('The server did not know the task yet.'), true);
	} else if (refused > 0) {
		tell(localizable('The server refused {0} of {1} polls, which is allowed.', refused, EARLY_POLLS), false);
	} else {
		tell(localizable('The server responded to all {0} polls.', EARLY_POLLS), false);
	}
}

async function pollLate(task: TaskRequests, tell: Tell): Promise<void> {
	const [first, second] = [await responseTo(task.result()), await responseTo(task.result())];
	if (first.result === undefined || second.result === undefined) {
		tell(localizable('The server did not return the result again.'), true);
	} else if (sameJson(first.result, second.result)) {
		tell(localizable('The server returned the same result again.'), false);
	} else {
		tell(localizable('The server returned another result.'), true);
	}
}

/** In sessions, a cancelled task is cancelled at once. The extension leaves it to the server whether and when it stops. */
async function cancel(task: TaskRequests, tell: Tell): Promise<ElicitationResponse | undefined> {
	const cancelled = await responseTo(task.cancel());
	if (cancelled.result === undefined) {
		// A server that does not let tasks be cancelled may not know the method.
		tell(refusalText(cancelled.code), cancelled.code !== METHOD_NOT_FOUND);
		return { action: 'cancel' };
	}
	const { result, code } = await responseTo(task.get());
	const status = own(result, 'status');
	if (status === 'cancelled' || code === INVALID_PARAMS) {
		tell(localizable('The server cancelled the task.'), false);
		return undefined;
	}
	const isSession = task.update === undefined;
	tell(localizable('The server did not cancel the task at once: it is "{0}".', textOf(status)), isSession);
	return { action: 'cancel' };
}

async function respondTwice(
	task: TaskRequests,
	tell: Tell,
	elicitation: Elicitation,
	response: ElicitationResponse,
): Promise<ElicitationResponse | undefined> {
	const key = await keyOf(task, elicitation);
	if (key === undefined || !task.update) {
		return response;
	}
	await responseTo(task.update({ [key]: { ...response } }));
	const ignored = localizable('The server acknowledged both responses; its result shows which one it used.');
	tellIgnored(await responseTo(task.update({ [key]: DECLINE })), ignored, tell);
	// The task goes on with the first response.
	return undefined;
}

function respondLate(): TaskTest {
	let key: string | undefined;
	return {
		asked: async (task, _tell, elicitation, response) => {
			key = await keyOf(task, elicitation);
			return response;
		},
		ended: async (task, tell) => {
			if (key === undefined || !task.update) {
				return;
			}
			const before = await responseTo(task.result());
			const late = await responseTo(task.update({ [key]: DECLINE }));
			const after = await responseTo(task.result());
			if (sameJson(before.result ?? null, after.result ?? null)) {
				tellIgnored(late, localizable('The server ignored the response.'), tell);
			} else {
				tell(localizable('The response changed the result of a task that had ended.'), true);
			}
		},
	};
}

/** Servers should ignore responses that they do not wait for. */
function tellIgnored({ result, code }: Response, ignored: Sentence, tell: Tell): void {
	if (result !== undefined) {
		tell(ignored, false);
	} else if (code === undefined) {
		tell(refusalText(code), true);
	} else {
		tell(localizable('The server should have ignored the response, but responded with error {0}.', String(code)), true);
	}
}

/** The key of a request that the task waits for. */
async function keyOf(task: TaskRequests, { origin }: Elicitation): Promise<string | undefined> {
	const { result } = await responseTo(task.get());
	const requests = own(result, 'inputRequests');
	return Object.entries(isObject(requests) ? requests : {}).find(([, request]) =>
		sameJson(own(request, 'params') ?? null, origin.params),
	)?.[0];
}

/** What a server responded: a result or the code of an error, or neither if it did not respond. */
interface Response {
	readonly result?: Json | undefined;
	readonly code?: number | undefined;
}

/** Never rejects. */
function responseTo(request: Promise<Json | undefined>): Promise<Response> {
	return raceAbort(request, AbortSignal.timeout(RESPONSE_TIMEOUT)).then(
		(result) => ({ result }),
		(error) => {
			const code = own(error, 'code');
			return { code: typeof code === 'number' ? code : undefined };
		},
	);
}

function refusalText(code: number | undefined): Sentence {
	return code === undefined
		? localizable('The server did not respond to it.')
		: localizable('The server responded with error {0}.', String(code));
}
