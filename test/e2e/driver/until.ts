import type { Locator } from 'playwright-core';

/** How long a condition may take before a test gives up on it. */
export const PATIENCE = 20_000;

/** Asks again and again until there is an answer; says what it waited for when there is none. */
export async function until<T>(
	what: string,
	ask: () => Promise<T | undefined | false> | T | undefined | false,
	patience: number = PATIENCE,
): Promise<T> {
	const end = Date.now() + patience;
	for (;;) {
		const answer = await ask();
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
