/** Update interval of ages (ms): short while they are in seconds, longer once they are in minutes. */
const SHORT_INTERVAL = 5_000;
const LONG_INTERVAL = 30_000;

const MINUTE = 60_000;

/** Updates the ages on the surfaces. Runs only while something is pending. */
export class Ticker {
	#timer: ReturnType<typeof setTimeout> | undefined;

	/**
	 * @param youngest when the youngest pending entry arrived; undefined if there is none
	 * @param tick updates the ages
	 */
	constructor(
		private readonly youngest: () => number | undefined,
		private readonly tick: () => void,
	) {}

	/** The surfaces were updated, including the ages. */
	restart(): void {
		clearTimeout(this.#timer);
		const since = this.youngest();
		if (since !== undefined) {
			this.#timer = setTimeout(
				() => {
					this.tick();
					this.restart();
				},
				Date.now() - since < MINUTE ? SHORT_INTERVAL : LONG_INTERVAL,
			);
		}
	}

	dispose(): void {
		clearTimeout(this.#timer);
	}
}
