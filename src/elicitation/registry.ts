import { Call, type CallKind } from './call.ts';
import { Elicitation, type ElicitationState, type Origin } from './elicitation.ts';
import { Emitter } from './emitter.ts';
import type { Validator, Verdict } from './form/validate.ts';
import type { Json, JsonObject } from './json.ts';
import type { ElicitationRequest } from './request.ts';
import { type Sentence, say } from './sentence.ts';

/** How many ended calls and elicitations are remembered for the timeline. */
const REMEMBERED = 500;

export interface StateChange {
	readonly elicitation: Elicitation;
	readonly state: ElicitationState;
}

/** A request that was answered with an error, because it is malformed or of a kind that was not offered. */
export interface Refusal {
	readonly server: string;
	readonly reason: Sentence;
	readonly params: Json;
}

/** All calls and elicitations of this window, the live ones and the recent ones. Everything that happens to them starts here. */
export class Registry {
	readonly #elicitations = new Map<string, Elicitation>();
	readonly #calls = new Map<string, Call>();
	readonly #added = new Emitter<Elicitation>();
	readonly #changed = new Emitter<StateChange>();
	readonly #callsChanged = new Emitter<Call>();
	readonly #refused = new Emitter<Refusal>();

	readonly onDidAdd = this.#added.event;
	readonly onDidChange = this.#changed.event;
	readonly onDidChangeCalls = this.#callsChanged.event;
	readonly onDidRefuse = this.#refused.event;

	constructor(
		readonly validator: Validator,
		private readonly newId: () => string,
	) {}

	/** Oldest first. */
	get elicitations(): readonly Elicitation[] {
		return [...this.#elicitations.values()];
	}

	get live(): readonly Elicitation[] {
		return this.elicitations.filter((elicitation) => elicitation.live);
	}

	/** Oldest first. */
	get calls(): readonly Call[] {
		return [...this.#calls.values()];
	}

	get(id: string): Elicitation | undefined {
		return this.#elicitations.get(id);
	}

	/** A call begins; the caller ends it with `endCall`, whatever happens. */
	beginCall(server: string, kind: CallKind, name: string, args: unknown): Call {
		const call = new Call(this.newId(), server, kind, name, args);
		this.#calls.set(call.id, call);
		forget(this.#calls, (old) => old.state !== 'running');
		this.#callsChanged.fire(call);
		return call;
	}

	endCall(call: Call, state: 'succeeded' | 'failed' | 'cancelled', outcome: unknown): void {
		call.end(state, outcome);
		this.withdraw(
			({ origin }) =>
				origin.calls.length === 1 &&
				origin.calls[0] === call &&
				// A JSON-RPC request outlives the call that seemed to cause it, until the server itself withdraws it.
				(state === 'cancelled' || origin.intake !== 'request'),
			state === 'cancelled' ? say('The call was cancelled.') : say('The call that needed it has ended.'),
		);
		this.#callsChanged.fire(call);
	}

	/**
	 * A request enters: from here on it is answered exactly once. With the policy `decline` nobody is asked: it is
	 * remembered as declined.
	 */
	add(request: ElicitationRequest, origin: Origin, policy: 'ask' | 'decline' = 'ask'): Elicitation {
		const elicitation = new Elicitation(this.newId(), request, origin, (changed) => this.#onChange(changed));
		this.#elicitations.set(elicitation.id, elicitation);
		forget(this.#elicitations, (old) => !old.live);
		for (const call of origin.calls) {
			call.clock.pause();
		}
		if (policy === 'decline') {
			elicitation.decline();
		} else {
			this.#added.fire(elicitation);
		}
		return elicitation;
	}

	/** A request that never became an elicitation: the server was told with -32602, the person is told why. */
	refuse(refusal: Refusal): void {
		this.#refused.fire(refusal);
	}

	/** Accepts a form with `content`, after the final validation against the raw schema (F05). Invalid: nothing is sent. */
	async accept(elicitation: Elicitation, content: JsonObject): Promise<Verdict> {
		if (elicitation.request.mode !== 'form') {
			throw new TypeError('Only a form is accepted with content.');
		}
		const verdict = await this.validator.validate(elicitation.request.requestedSchema, content);
		if (verdict.status !== 'invalid') {
			elicitation.accept(content);
		}
		return verdict;
	}

	/** Forgets what has ended; what is live stays. */
	forgetEnded(): void {
		drop(this.#calls, ({ state }) => state !== 'running');
		drop(this.#elicitations, ({ live }) => !live);
	}

	/** A completion notice. False, without any effect, for unknown, ended and foreign ids (U09). */
	complete(connection: string, elicitationId: string): boolean {
		let found = false;
		for (const elicitation of this.live) {
			const { request, origin } = elicitation;
			if (request.mode === 'url' && request.elicitationId === elicitationId && origin.connection === connection) {
				found = elicitation.complete() || found;
			}
		}
		return found;
	}

	/** Withdraws every live elicitation that matches (A02). */
	withdraw(matches: (elicitation: Elicitation) => boolean, reason: Sentence): void {
		for (const elicitation of this.live) {
			if (matches(elicitation)) {
				elicitation.withdraw(reason);
			}
		}
	}

	#onChange(elicitation: Elicitation): void {
		// The human clock runs until the end: while a page is open, the person is the one to act.
		if (!elicitation.live) {
			for (const call of elicitation.origin.calls) {
				call.clock.resume();
			}
		}
		this.#changed.fire({ elicitation, state: elicitation.state });
	}
}

/** Forgets the oldest ended ones, down to what is remembered. */
function forget<T>(map: Map<string, T>, ended: (value: T) => boolean): void {
	if (map.size > REMEMBERED) {
		drop(map, ended, map.size - REMEMBERED);
	}
}

function drop<T>(map: Map<string, T>, ended: (value: T) => boolean, most = Number.POSITIVE_INFINITY): void {
	let left = most;
	for (const [key, value] of map) {
		if (left > 0 && ended(value)) {
			map.delete(key);
			left--;
		}
	}
}
