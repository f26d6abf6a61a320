/** For each state, those that may follow it. Together they are the drawing of what can happen. */
export type Edges<State extends string> = Readonly<Record<State, readonly State[]>>;

/** A state that changes along listed edges only. */
export class StateMachine<State extends string> {
	#state: State;

	constructor(
		private readonly edges: Edges<State>,
		initial: State,
	) {
		this.#state = initial;
	}

	get state(): State {
		return this.#state;
	}

	/** Returns false, and changes nothing, if no edge leads there: something else has happened before. */
	enter(next: State): boolean {
		const leads = this.edges[this.#state].includes(next);
		if (leads) {
			this.#state = next;
		}
		return leads;
	}
}
