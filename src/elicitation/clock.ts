import { Emitter } from './emitter.ts';

/** The longest delay that a JavaScript timer keeps; anything longer fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Who is expected to act. `automatic`: an auto-responder (a script, another extension, a replay). */
export type Turn = 'server' | 'person' | 'automatic';

/** How much server time a call may use up. All times are in milliseconds. */
interface Limit {
	/** Since the call began, or since the server's last sign of life. */
	readonly idle: number;
	/** Altogether, however often the server gives a sign of life. */
	readonly total: number;
	readonly expire: () => void;
}

/**
 * The time of one call in three shares (requirement A04): while the server is expected to act, while the user is asked, and
 * while an auto-responder is. Only the first counts against a limit. All times are in milliseconds.
 */
export class Clock {
	readonly #spent: Record<Turn, number> = { server: 0, person: 0, automatic: 0 };
	#since = Date.now();
	/** Whom each cause of a pause waits for. */
	readonly #pauses = new Map<object, Exclude<Turn, 'server'>>();
	#stopped = false;
	#limit: Limit | undefined;
	/** The server time at the last sign of life, if there was any. */
	#alive: number | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;
	readonly #turned = new Emitter<void>();
	/** It is now somebody else's turn. */
	readonly onDidTurn = this.#turned.event;

	get serverTime(): number {
		return this.#share('server');
	}

	get humanTime(): number {
		return this.#share('person');
	}

	get automaticTime(): number {
		return this.#share('automatic');
	}

	/** Whose turn it is. While both the user and an auto-responder are asked it is the user's. */
	get turn(): Turn {
		const waitedFor = new Set(this.#pauses.values());
		return waitedFor.has('person') ? 'person' : waitedFor.has('automatic') ? 'automatic' : 'server';
	}

	/** True while the user is expected to act. */
	get asking(): boolean {
		return this.turn === 'person';
	}

	/**
	 * Calls `expire` once the server has used up `idle` since the start or its last sign of life, or `total` altogether. An `idle`
	 * of zero, negative, infinite or NaN means no limit.
	 */
	limit(idle: number, expire: () => void, total = idle): void {
		if (idle > 0 && Number.isFinite(idle)) {
			this.#limit = { idle, total, expire };
			this.#schedule();
		}
	}

	/** True once the server has given a sign of life. */
	get restarted(): boolean {
		return this.#alive !== undefined;
	}

	/** The server has given a sign of life: `idle` begins anew (D05). */
	restart(): void {
		this.#alive = this.serverTime;
		this.#schedule();
	}

	/** For this cause the server is not waited for from now on; the same cause again changes who is. */
	pause(cause: object, waitFor: Exclude<Turn, 'server'> = 'person'): void {
		this.#change(() => this.#pauses.set(cause, waitFor));
	}

	/** This cause is over. */
	resume(cause: object): void {
		this.#change(() => this.#pauses.delete(cause));
	}

	stop(): void {
		this.#settle();
		this.#stopped = true;
		this.#schedule();
		// A call is remembered; whom it would have told of its end need not be.
		this.#limit = undefined;
		this.#timer = undefined;
	}

	#share(turn: Turn): number {
		return this.#spent[turn] + (!this.#stopped && this.turn === turn ? Date.now() - this.#since : 0);
	}

	#change(change: () => void): void {
		const before = this.turn;
		this.#settle();
		change();
		if (this.turn !== before) {
			this.#schedule();
			this.#turned.fire();
		}
	}

	#settle(): void {
		const now = Date.now();
		if (!this.#stopped) {
			this.#spent[this.turn] += now - this.#since;
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
