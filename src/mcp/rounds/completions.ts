import type { Registry } from '../../elicitation/registry.ts';

/** So many early notices are kept at a time. */
const MAX_EARLY = 100;

/**
 * The completion notices of one connection (U09). A notice may overtake the elicitation that it is about: error -32042 is read a
 * moment later than the notification right behind it, and over HTTP the two come on different streams. So while calls run,
 * notices for ids that nobody has heard of are kept.
 */
export class Completions {
	readonly #early = new Set<string>();

	/**
	 * @param connection whose elicitations they are about
	 * @param isCalled whether a call runs, whose elicitation may still come
	 * @param ignored told of a notice that is about nothing
	 */
	constructor(
		private readonly connection: string,
		private readonly registry: Registry,
		private readonly isCalled: () => boolean,
		private readonly ignored: () => void,
	) {}

	receive(elicitationId: string): void {
		if (this.registry.complete(this.connection, elicitationId)) {
			return;
		}
		if (!this.isCalled() || this.#early.size >= MAX_EARLY || this.#isKnown(elicitationId)) {
			this.ignored();
			return;
		}
		this.#early.add(elicitationId);
	}

	/** Whether the server has called this elicitation complete before it asked for it. */
	take(elicitationId: string | undefined): boolean {
		return elicitationId !== undefined && this.#early.delete(elicitationId);
	}

	/** A call has ended: once none runs, what came early was about nothing. */
	callEnded(): void {
		if (!this.isCalled()) {
			for (const _ of this.#early) {
				this.ignored();
			}
			this.#early.clear();
		}
	}

	#isKnown(elicitationId: string): boolean {
		return this.registry.elicitations.some(
			({ request, origin }) =>
				request.mode === 'url' && request.elicitationId === elicitationId && origin.connection === this.connection,
		);
	}
}
