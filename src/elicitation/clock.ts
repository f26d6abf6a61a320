import { Emitter, type Event } from './emitter.ts';

/** Max delay of a JavaScript timer (ms). Longer delays fire at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

let lastMoment = 0;

/** A number for the present moment. It orders events, even those of the same millisecond. */
export function nextMoment(): number {
	return ++lastMoment;
}

/** The time on a clock that the system's clock does not change (whole ms). */
function monotonicNow(): number {
	return Math.round(performance.now());
}

/** Milliseconds as seconds, to a tenth. */
export function inSeconds(milliseconds: number): number {
	return Math.round(milliseconds / 100) / 10;
}

/**
 * Who is expected to act. `automatic`: an auto-responder (a script, another extension, a replay). `nobody`: the server's
 * process is stopped at a breakpoint.
 */
export type Turn = 'server' | 'person' | 'automatic' | 'nobody';

/** How the time of a call was shared (ms). */
export interface Shares {
	readonly server: number;
	readonly person: number;
	readonly automatic: number;
}

/** From the one that takes precedence. */
const PAUSES = ['person', 'automatic', 'nobody'] as const;

/** How much server time a call may use (ms). */
interface Limit {
	/** Max server time since the call began or the server last showed activity. */
	readonly idle: number;
	/** Max server time in total, regardless of activity. */
	readonly total: number;
	readonly expire: () => void;
}

/**
 * Measures the time of a call in shares (A04): waiting for the server, for the user, for an auto-responder, or for nobody.
 * Only server time counts against a limit. All times are in milliseconds.
 */
export class Clock {
	readonly #spent: Record<Turn, number> = { server: 0, person: 0, automatic: 0, nobody: 0 };
	#since: number;
	/** Whom each cause of a pause waits for. */
	readonly #pauses = new Map<object, Exclude<Turn, 'server'>>();
	/** How many causes wait for each of them. */
	readonly #waiting: Record<Exclude<Turn, 'server'>, number> = { person: 0, automatic: 0, nobody: 0 };
	#stopped = false;
	#measured: boolean;
	#limit: Limit | undefined;
	/** Server time at the last sign of activity, if there was any. */
	#alive: number | undefined;
	#activeAt = 0;
	#timer: ReturnType<typeof setTimeout> | undefined;
	/** Created on first use, because most calls are remembered without it. */
	#turned: Emitter<void> | undefined;

	/** @param now the current time (ms): of a recorded call, that of the recording */
	constructor(private readonly now = monotonicNow) {
		this.#since = now();
		this.#measured = now === monotonicNow;
	}

	/** False for a recorded call if only the times of its messages are known. */
	get measured(): boolean {
		return this.#measured;
	}

	/** Fires when the turn changes. */
	get onDidTurn(): Event<void> {
		this.#turned ??= new Emitter();
		return this.#turned.event;
	}

	/** All shares so far. */
	get shares(): Shares {
		return { server: this.serverTime, person: this.humanTime, automatic: this.automaticTime };
	}

	get serverTime(): number {
		return this.#share('server');
	}

	get humanTime(): number {
		return this.#share('person');
	}

	get automaticTime(): number {
		return this.#share('automatic');
	}

	/** Whose turn it is. The user's turn takes precedence over an auto-responder's. */
	get turn(): Turn {
		return PAUSES.find((turn) => this.#waiting[turn] > 0) ?? 'server';
	}

	get asking(): boolean {
		return this.turn === 'person';
	}

	/**
	 * Calls `expire` once the server has used `idle` since the start or its last activity, or `total` altogether. There
	 * is no limit if `idle` is zero, negative, infinite or NaN.
	 */
	limit(idle: number, expire: () => void, total = idle): void {
		if (idle > 0 && Number.isFinite(idle)) {
			this.#limit = { idle, total, expire };
			this.#schedule();
		}
	}

	/** When the server last showed activity (`nextMoment`); 0 if it has not. */
	get activeAt(): number {
		return this.#activeAt;
	}

	/** Restarts `idle` because the server has shown activity (D05). */
	restart(): void {
		this.#alive = Math.max(this.#alive ?? 0, this.serverTime);
		this.#activeAt = nextMoment();
		this.#schedule();
	}

	/**
	 * Restarts `idle` and removes the limit in total: the call is polled, so only silence ends it.
	 * @param pause how long the server is not expected to act from now on (ms), in addition to `idle`
	 */
	limitSilence(pause: number): void {
		this.#alive = this.serverTime + pause;
		this.#activeAt = nextMoment();
		if (this.#limit) {
			this.#limit = { ...this.#limit, total: Number.POSITIVE_INFINITY };
		}
		this.#schedule();
	}

	/** Stops counting server time for this cause. Calling it again for the same cause changes `waitFor`. */
	pause(cause: object, waitFor: Exclude<Turn, 'server'> = 'person'): void {
		this.#change(cause, waitFor);
	}

	resume(cause: object): void {
		this.#change(cause, undefined);
	}

	/** @param known what another clock has measured; this one has only come near it */
	stop(known?: Shares): void {
		this.#settle();
		Object.assign(this.#spent, known);
		this.#measured ||= known !== undefined;
		this.#stopped = true;
		this.#schedule();
		// Calls are remembered, so release the callback.
		this.#limit = undefined;
		this.#timer = undefined;
	}

	#share(turn: Turn): number {
		return this.#spent[turn] + (!this.#stopped && this.turn === turn ? this.now() - this.#since : 0);
	}

	#change(cause: object, waitFor: Exclude<Turn, 'server'> | undefined): void {
		const before = this.turn;
		this.#settle();
		const waitedFor = this.#pauses.get(cause);
		if (waitedFor) {
			this.#waiting[waitedFor]--;
			this.#pauses.delete(cause);
		}
		if (waitFor) {
			this.#waiting[waitFor]++;
			this.#pauses.set(cause, waitFor);
		}
		if (this.turn !== before) {
			this.#schedule();
			this.#turned?.fire();
		}
	}

	#settle(): void {
		const now = this.now();
		if (!this.#stopped) {
			// The times of a recording may go back.
			this.#spent[this.turn] += Math.max(0, now - this.#since);
		}
		this.#since = now;
	}

	#schedule(): void {
		clearTimeout(this.#timer);
		const limit = this.#limit;
		if (!limit || this.#stopped || this.turn !== 'server') {
			return;
		}
		const left = () => Math.min((this.#alive ?? 0) + limit.idle, limit.total) - this.serverTime;
		this.#timer = setTimeout(
			() => (left() <= 0 ? limit.expire() : this.#schedule()),
			Math.min(Math.max(left(), 0), LONGEST_TIMER),
		);
	}
}
