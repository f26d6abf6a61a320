import type { Sentence } from './sentence.ts';

/** Where a response is on its way to the server. */
export type DeliveryState = 'sending' | 'delivered' | 'undelivered';

/**
 * What becomes of the response to a server's request once it is decided (D01). `sending → delivered | undelivered`; the user can
 * have an undelivered one sent again, as long as that can help.
 */
export class Delivery {
	#state: DeliveryState = 'sending';
	#problem: Sentence | undefined;
	#decide: ((again: boolean) => void) | undefined;

	/** @param changed told after every change but the first state */
	constructor(private readonly changed: () => void) {}

	get state(): DeliveryState {
		return this.#state;
	}

	/** Why the last attempt failed, a whole sentence; undefined unless one has. */
	get problem(): Sentence | undefined {
		return this.#problem;
	}

	/** True while the user decides whether it is sent again. */
	get canSendAgain(): boolean {
		return this.#decide !== undefined;
	}

	/** True as long as the server may still get it. */
	get open(): boolean {
		return this.#state === 'sending' || this.canSendAgain;
	}

	/** An attempt failed; the next follows by itself. */
	retry(problem: Sentence): void {
		if (this.#state === 'sending') {
			this.#move('sending', problem);
		}
	}

	/** The server has it, even if that was not known before. */
	delivered(): void {
		if (this.#state !== 'delivered') {
			const decide = this.#take();
			this.#move('delivered', undefined);
			decide?.(false);
		}
	}

	/** All attempts failed. Resolves to whether the user wants it to be sent again; never rejects. */
	offer(problem: Sentence): Promise<boolean> {
		if (this.#state !== 'sending') {
			return Promise.resolve(false);
		}
		return new Promise((resolve) => {
			this.#decide = resolve;
			this.#move('undelivered', problem);
		});
	}

	/** False where that can no longer help. */
	sendAgain(): boolean {
		const decide = this.#take();
		if (!decide) {
			return false;
		}
		this.#move('sending', this.#problem);
		decide(true);
		return true;
	}

	/** It is not sent any more: the user does not want it to be, or the request or the connection is gone. */
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

	#move(state: DeliveryState, problem: Sentence | undefined): void {
		this.#state = state;
		this.#problem = problem;
		this.changed();
	}
}
