import { options } from 'preact';

// What follows from an event is in the page once its listeners are through: the next event may depend on it.
options.debounceRendering = (render) => render();

/** The state that follows from an action, and what is to be done besides. */
export type Next<State, Effect> = readonly [State, ...Effect[]];

/** The state of a page. Only its reducer changes it, which is pure. */
export class Store<State, Action, Effect = never> {
	#state: State;
	readonly #actions: Action[] = [];
	#isReducing = false;

	constructor(
		[first, ...effects]: Next<State, Effect>,
		private readonly reduce: (state: State, action: Action) => Next<State, Effect>,
		private readonly draw: (store: Store<State, Action, Effect>) => void,
		private readonly perform: (effect: Effect, store: Store<State, Action, Effect>) => void = () => {},
	) {
		this.#state = first;
		this.#apply(effects);
		this.#drain();
	}

	get state(): State {
		return this.#state;
	}

	/** Reduces and draws before it returns, unless it is called while that is going on: then right after it. */
	readonly dispatch = (action: Action): void => {
		this.#actions.push(action);
		if (!this.#isReducing) {
			this.#drain();
		}
	};

	#drain(): void {
		for (let action = this.#actions.shift(); action !== undefined; action = this.#actions.shift()) {
			const [next, ...effects] = this.reduce(this.#state, action);
			const isSame = next === this.#state;
			this.#state = next;
			this.#apply(effects, isSame);
		}
	}

	#apply(effects: readonly Effect[], isDrawn = false): void {
		this.#isReducing = true;
		try {
			if (!isDrawn) {
				this.draw(this);
			}
			for (const effect of effects) {
				this.perform(effect, this);
			}
		} finally {
			this.#isReducing = false;
		}
	}
}
