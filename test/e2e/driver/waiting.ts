import type { Locator } from 'playwright-core';

/** How long a condition may take before a test gives up on it (milliseconds): on a machine with much else to do, very long. */
export const PATIENCE = 60_000;

/** How long the first of several attempts waits for what it has set off (milliseconds). */
const MOMENT = 2_000;

/** How long a user looks at what has just appeared before they press a key: at first it takes none (milliseconds). */
export const LOOK = 800;

/** The longest that one attempt waits: a moment that was missed does not come again. */
const LONGEST_MOMENT = 16_000;

/**
 * Asks again and again until there is an answer; says what it waited for when there is none.
 * @param ask is told how long (milliseconds) this attempt should wait for what it sets off: ever longer, for the machine may be slow
 */
export async function until<T>(
	what: string,
	ask: (moment: number) => Promise<T | undefined | false> | T | undefined | false,
	patience: number = PATIENCE,
): Promise<T> {
	const end = Date.now() + patience;
	for (let moment = MOMENT; ; moment = Math.min(moment * 2, LONGEST_MOMENT)) {
		const answer = await ask(moment);
		if (answer !== undefined && answer !== false) {
			return answer;
		}
		if (Date.now() > end) {
			throw new Error(`Waited ${patience} ms in vain for ${what}.`);
		}
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}

/** Whether an element is visible within a time (milliseconds). */
export function appears(element: Locator, patience: number): Promise<boolean> {
	return succeeds(element.waitFor({ timeout: patience }));
}

/** Whether an attempt ends well. */
export function succeeds(attempt: Promise<unknown>): Promise<boolean> {
	return attempt.then(
		() => true,
		() => false,
	);
}
