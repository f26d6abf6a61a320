import { Emitter } from './emitter.ts';

/** The longest delay that a JavaScript timer keeps; anything longer fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Two clocks of one call (requirement A04): the time in which the server is expected to act, and the time in which
 * the person is being asked. Only the first counts against a limit. All times are in milliseconds.
 */
export class Clock {
	#server = 0;
	#human = 0;
	#since = Date.now();
	#asking = 0;
	#stopped = false;
	#limit: { readonly ms: number; readonly expire: () => void } | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;
	readonly #turned = new Emitter<void>();
	/** It is now the other one's turn: the person's, or the server's. */
	readonly onDidTurn = this.#turned.event;

	get serverTime(): number {
		return this.#server + (this.#stopped || this.#asking > 0 ? 0 : Date.now() - this.#since);
	}

	get humanTime(): number {
		return this.#human + (!this.#stopped && this.#asking > 0 ? Date.now() - this.#since : 0);
	}

	/** True while the person, not the server, is expected to act. */
	get asking(): boolean {
		return this.#asking > 0;
	}

	/** Calls `expire` once the server has used up `ms`. Zero, negative, infinite and NaN mean no limit. */
	limit(ms: number, expire: () => void): void {
		if (ms > 0 && Number.isFinite(ms)) {
			this.#limit = { ms, expire };
			this.#schedule();
		}
	}

	/** The person is asked from now on; several questions at once count once. */
	pause(): void {
		this.#settle();
		this.#asking++;
		this.#schedule();
		if (this.#asking === 1) {
			this.#turned.fire();
		}
	}

	resume(): void {
		if (this.#asking === 0) {
			return;
		}
		this.#settle();
		this.#asking--;
		this.#schedule();
		if (this.#asking === 0) {
			this.#turned.fire();
		}
	}

	stop(): void {
		this.#settle();
		this.#stopped = true;
		this.#schedule();
		// A call is remembered; whom it would have told of its end need not be.
		this.#limit = undefined;
		this.#timer = undefined;
	}

	#settle(): void {
		const now = Date.now();
		if (!this.#stopped) {
			if (this.#asking > 0) {
				this.#human += now - this.#since;
			} else {
				this.#server += now - this.#since;
			}
		}
		this.#since = now;
	}

	#schedule(): void {
		clearTimeout(this.#timer);
		const limit = this.#limit;
		if (!limit || this.#stopped || this.#asking > 0) {
			return;
		}
		const left = limit.ms - this.serverTime;
		this.#timer = setTimeout(
			() => (limit.ms - this.serverTime <= 0 ? limit.expire() : this.#schedule()),
			Math.min(Math.max(left, 0), LONGEST_TIMER),
		);
	}
}
