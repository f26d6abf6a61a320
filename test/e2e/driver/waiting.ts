import type { Locator } from 'playwright-core';

/** Timeout of a condition (ms), generous because CI machines are slow. */
export const TIMEOUT = 60_000;

/** How long the first attempt waits for its effect (ms). */
const MOMENT = 2_000;

/** How long to wait before the first input in new UI, which ignores input at first as accidental (ms). */
export const LOOK = 600;

/** Pause after the first attempt, and at most after a later one (ms). Each attempt costs the editor processor time. */
const PAUSE = 20;
const LONGEST_PAUSE = 250;

/** Max wait per attempt (ms). An effect that was missed doesn't come again. */
const LONGEST_MOMENT = 16_000;

/**
 * Polls until there is a result. Throws with the description on timeout.
 * @param ask receives how long (ms) this attempt should wait for its effect; longer each time, because the machine may
 * be slow
 */
export async function until<T>(
	what: string,
	ask: (moment: number) => Promise<T | undefined | false> | T | undefined | false,
	timeout: number = TIMEOUT,
): Promise<T> {
	const end = Date.now() + timeout;
	let pause = PAUSE;
	for (let moment = MOMENT; ; moment = Math.min(moment * 2, LONGEST_MOMENT)) {
		const answer = await ask(moment);
		if (answer !== undefined && answer !== false) {
			return answer;
		}
		if (Date.now() > end) {
			throw new Error(`Waited ${timeout} ms in vain for ${what}.`);
		}
		await new Promise((resolve) => setTimeout(resolve, pause));
		pause = Math.min(pause * 1.5, LONGEST_PAUSE);
	}
}

/** True if an element becomes visible in time. */
export function appears(element: Locator, timeout: number): Promise<boolean> {
	return succeeds(element.waitFor({ timeout }));
}

/** True if a promise is fulfilled. */
export function succeeds(attempt: Promise<unknown>): Promise<boolean> {
	return attempt.then(
		() => true,
		() => false,
	);
}

/**
 * Clicks an element that can be clicked in time; false if it cannot. The click itself may take longer: a page that is busy
 * with what a click has set off confirms it late, and to click again would do it twice. Not so long that there is no time
 * for another attempt, because the element may have gone just before.
 */
export async function clicks(element: Locator, timeout: number): Promise<boolean> {
	return (
		(await succeeds(element.click({ trial: true, timeout }))) && succeeds(element.click({ timeout: LONGEST_MOMENT }))
	);
}
