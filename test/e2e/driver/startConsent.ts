import type { Frame } from 'playwright-core';
import { KEY_GUARD } from '../../../src/elicitation/keyGuard.ts';
import { succeeds, until } from './waiting.ts';

/** The page that asks for consent to start a server. */
export class StartConsent {
	constructor(readonly frame: Frame) {}

	/** The question, with the server's name. */
	message(): Promise<string> {
		return this.frame.locator('h1').innerText();
	}

	/** All that it shows, a line for each thing: `label: text  ← note`. */
	async detail(): Promise<string> {
		const lines = await this.frame.locator('header p, h2, .rows > li').evaluateAll((elements) =>
			elements.map((element) => {
				const text = (selector: string) => [...element.querySelectorAll(selector)].map((found) => found.textContent);
				const [exact] = text('.exact');
				const [label] = text('.label');
				return exact === undefined
					? element.textContent
					: [label === undefined ? exact : `${label}: ${exact}`, ...text('.note')].join('  ← ');
			}),
		);
		return lines.join('\n');
	}

	/** What it sets apart. */
	alarms(): Promise<string[]> {
		return this.frame.locator(':is(.warning, .blocked) + .rows .exact').allInnerTexts();
	}

	buttons(): Promise<string[]> {
		return this.frame.getByRole('button').allInnerTexts();
	}

	/** Decides with a button, and waits until the page has closed. */
	async press(button: string): Promise<void> {
		await this.frame.getByRole('button', { name: button, exact: true }).click();
		await this.#closed();
	}

	/** Cancels it with Escape. */
	async escape(): Promise<void> {
		await until('the consent to a start to close', async (moment) => {
			// A page that has just got the focus ignores keys.
			await succeeds(this.frame.locator('h1').focus({ timeout: moment }));
			await new Promise((resolve) => setTimeout(resolve, 2 * KEY_GUARD));
			await succeeds(this.frame.locator('h1').press('Escape', { timeout: moment }));
			return this.frame.isDetached() || succeeds(until('the page to close', () => this.frame.isDetached(), moment));
		});
	}

	#closed(): Promise<unknown> {
		return until('the consent to a start to close', () => this.frame.isDetached());
	}
}
