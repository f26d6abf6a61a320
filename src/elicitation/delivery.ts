import { nextMoment } from './clock.ts';
import type { Sentence } from './sentence.ts';

export type DeliveryState = 'sending' | 'delivered' | 'undelivered';

/**
 * Tracks the delivery of the response to a server's request (D01): `sending → delivered | undelivered`. The user can
 * resend an undelivered response while the server can still receive it.
 */
export class Delivery {
	#state: DeliveryState = 'sending';
	#problem: Sentence | undefined;
	#failed = false;
	#deliveredAt: number | undefined;
	#decide: ((again: boolean) => void) | undefined;

	/** @param changed called after every change except the initial state */
	constructor(private readonly changed: () => void) {}

	get state(): DeliveryState {
		return this.#state;
	}

	/** Why the last attempt failed, as a complete sentence; undefined if none failed. */
	get problem(): Sentence | undefined {
		return this.#problem;
	}

	/** True while the server waits for it in vain: no attempt is left, unless the user resends it. */
	get failed(): boolean {
		return this.#failed;
	}

	/** When the server received it (`nextMoment`). */
	get deliveredAt(): number | undefined {
		return this.#deliveredAt;
	}

	/** True while the user can resend it. */
	get canSendAgain(): boolean {
		return this.#decide !== undefined;
	}

	/** True while the server may still receive it. */
	get open(): boolean {
		return this.#state === 'sending' || this.canSendAgain;
	}

	/** An attempt failed and is retried automatically. */
	retry(problem: Sentence): void {
		if (this.#state === 'sending') {
			this.#move('sending', problem);
		}
	}

	/** The server has received it. May follow any other state. */
	delivered(): void {
		if (this.#state !== 'delivered') {
			const decide = this.#take();
			this.#deliveredAt = nextMoment();
			this.#move('delivered', undefined);
			decide?.(false);
		}
	}

	/** All attempts failed. Resolves to true if the user resends it; never rejects. */
	offer(problem: Sentence): Promise<boolean> {
		if (this.#state !== 'sending') {
			return Promise.resolve(false);
		}
		return new Promise((resolve) => {
			this.#decide = resolve;
			this.fail(problem);
		});
	}

	/** All attempts failed, and others would, too. */
	fail(problem: Sentence): void {
		if (this.#state === 'sending') {
			this.#move('undelivered', problem, true);
		}
	}

	/** Returns false if it can no longer be resent. */
	sendAgain(): boolean {
		const decide = this.#take();
		if (!decide) {
			return false;
		}
		this.#move('sending', this.#problem);
		decide(true);
		return true;
	}

	/** Gives up: the user does not resend it, or the request or the connection is gone. */
	end(problem = this.#problem): void {
		if (this.open) {
			const decide = this.#take();
			this.#move('undelivered', problem);
			decide?.(false);
		}
	}

	#take(): ((again: boolean) => void) | undefined {
		const decide = this.#decide;
		this.#decide = undefined;
		return decide;
	}

	#move(state: DeliveryState, problem: Sentence | undefined, failed = false): void {
		this.#state = state;
		this.#problem = problem;
		this.#failed = failed;
		this.changed();
	}
}
