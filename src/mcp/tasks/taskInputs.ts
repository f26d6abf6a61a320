import { ProtocolError } from '@modelcontextprotocol/client';
import type { Elicitation, ElicitationGroup } from '../../elicitation/elicitation.ts';
import { INTERNAL_ERROR } from '../../elicitation/errorCodes.ts';
import { isObject, type JsonObject, own, plainObject } from '../../elicitation/json.ts';
import { textOf } from '../../elicitation/jsonText.ts';
import { localizable } from '../../elicitation/sentence.ts';
import { type ActiveCall, addElicitation, withdrawal } from '../rounds/intake.ts';
import { type Entry, malformed, readEntries, responseToEntry } from '../rounds/rounds.ts';
import { canceledByServer, type TaskExchange, type TaskHost } from './taskExchange.ts';
import type { TaskState } from './taskState.ts';

/** Max inputs that one task may request, however many polls they are spread over. */
const MAX_INPUTS = 1_000;

/** Tasks of 2026-07-28: `tasks/get` carries requests and results, `tasks/update` carries responses (K12, K13). */
export class TaskInputs implements TaskExchange {
	/** Fails if the call can't go on because of a response. */
	readonly early: Promise<never>;
	readonly answered: Set<string>;
	/** What was asked for, by key; undefined if that needs no user, or another session asked. */
	readonly #asked: Map<string, Elicitation | undefined>;
	/** Responses that need no user and that the server has not taken, by key. */
	readonly #untaken = new Map<string, Entry>();
	/** How many inputs were requested. */
	#count = 0;
	#fail!: (error: Error) => void;

	/** @param onAnswer called when the server has acknowledged a response */
	constructor(
		private readonly run: ActiveCall,
		private readonly host: TaskHost,
		private readonly taskId: string,
		answered: readonly string[],
		private readonly onAnswer: () => void,
	) {
		this.answered = new Set(answered);
		this.#asked = new Map(answered.map((key) => [key, undefined]));
		this.early = new Promise((_, reject) => {
			this.#fail = reject;
		});
	}

	/** Shows each request once, however often it is polled. */
	observe({ status, raw }: TaskState): void {
		const requests = status === 'input_required' ? own(raw, 'inputRequests') : undefined;
		const entries = isObject(requests) ? Object.entries(requests) : [];
		const keys = new Set(entries.map(([key]) => key));
		for (const [key, elicitation] of this.#asked) {
			if (elicitation?.undecided && !keys.has(key)) {
				this.#asked.delete(key);
				elicitation.withdraw(withdrawal(undefined));
			}
		}
		// Only these are read, because the user is told of each one that is refused.
		const added = entries.filter(([key]) => !this.#asked.has(key));
		const { call } = this.run;
		this.#count += added.length;
		if (this.#count > MAX_INPUTS) {
			throw malformed(this.run, localizable('The task of "{0}" requests more than {1} inputs.', call.name, MAX_INPUTS));
		}
		const unasked = readEntries(this.run, plainObject(added));
		const group: ElicitationGroup = { call, round: call.rounds, size: unasked.filter(({ request }) => request).length };
		const untaken = [...this.#untaken.values()].filter(({ key }) => keys.has(key));
		for (const entry of [...untaken, ...unasked]) {
			void this.#ask(entry, group);
		}
	}

	async result(state: TaskState): Promise<JsonObject> {
		const [result, error] = [own(state.raw, 'result'), own(state.raw, 'error')];
		if (state.status === 'cancelled') {
			throw canceledByServer(this.run, state);
		}
		if (isObject(result)) {
			const isFailed = own(result, 'isError') === true;
			for (const elicitation of this.#asked.values()) {
				if (elicitation?.state === 'opened' && !isFailed) {
					elicitation.complete();
				}
			}
			return result;
		}
		if (!isObject(error)) {
			throw malformed(this.run, localizable('The task of "{0}" has ended without a result.', this.run.call.name));
		}
		const code = own(error, 'code');
		throw new ProtocolError(
			typeof code === 'number' ? code : INTERNAL_ERROR,
			textOf(own(error, 'message') ?? state.message ?? ''),
			own(error, 'data'),
		);
	}

	/** Never rejects. */
	async #ask(entry: Entry, group: ElicitationGroup): Promise<void> {
		const { key, params, request, response } = entry;
		const { session, call } = this.run;
		const respond = async (send: TaskHost['request'], response: JsonObject) => {
			const inputResponses = plainObject([[key, response]]);
			await send('tasks/update', { taskId: this.taskId, inputResponses });
			this.answered.add(key);
			this.onAnswer();
		};
		if (!request) {
			this.#asked.set(key, undefined);
			this.#untaken.delete(key);
			// It is sent again as long as the server asks for it.
			await respond(this.host.request, response ?? {}).catch(() => this.#untaken.set(key, entry));
			return;
		}
		const source = { intake: 'inputRequired', calls: [call], group, key, tellsDelivery: true } as const;
		const elicitation = addElicitation(session, request, params, source);
		this.#asked.set(key, elicitation);
		const outcome = await elicitation.outcome;
		if (outcome.action === 'withdrawn') {
			return;
		}
		try {
			const result = responseToEntry(this.run, request, outcome);
			await this.host.deliver(elicitation, (send) => respond(send, result));
		} catch (error) {
			this.#fail(error as Error);
		}
	}
}
