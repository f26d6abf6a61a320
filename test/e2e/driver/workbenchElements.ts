import type { Locator, Page } from 'playwright-core';
import { appears, LOOK, PATIENCE, succeeds, until } from './waiting.ts';

export type Text = string | RegExp;

/** The list behind the bell, which keeps what the editor shows for ten seconds only. */
export class NotificationCenter {
	readonly list: Locator;
	readonly #bell: Locator;

	constructor(page: Page) {
		this.list = page.locator('.notifications-center');
		this.#bell = page.locator('.statusbar-item[id="status.notifications"]');
	}

	async open(): Promise<void> {
		if (!(await this.list.isVisible())) {
			await this.#bell.click();
			await this.list.waitFor();
		}
	}

	async close(): Promise<void> {
		if (await this.list.isVisible()) {
			await this.#bell.click();
			await this.list.waitFor({ state: 'hidden' });
		}
	}
}

/** A notification, as a toast or behind the bell. */
export class Notification {
	readonly element: Locator;
	readonly #bell: NotificationCenter;

	constructor(
		page: Page,
		private readonly text: Text,
	) {
		this.element = page.locator('.notification-list-item:visible').filter({ hasText: text }).first();
		this.#bell = new NotificationCenter(page);
	}

	/** Waits until it can be read, and looks behind the bell where it does not come: it may have come and gone. */
	async shown(): Promise<Locator> {
		await until(`a notification that says ${this.text}`, async (moment) => {
			if (await appears(this.element, 2 * moment)) {
				return true;
			}
			await this.#bell.open();
			return (await appears(this.element, 1_000)) || this.#bell.close().then(() => false);
		});
		return this.element;
	}

	/** Its message as a user reads it. */
	async message(): Promise<string> {
		return (await this.shown()).locator('.notification-list-item-message').innerText();
	}

	async buttons(): Promise<string[]> {
		return (await this.shown()).locator('.notification-list-item-buttons-container .monaco-button').allInnerTexts();
	}

	/** The targets of links that the message made live. */
	async links(): Promise<(string | null)[]> {
		return (await this.shown())
			.locator('.notification-list-item-message a')
			.evaluateAll((all) => all.map((link) => link.getAttribute('data-href') ?? link.getAttribute('href')));
	}

	async press(button: string): Promise<void> {
		await (await this.shown()).getByRole('button', { name: button, exact: true }).click();
	}

	/** Closes it with its cross, which is how a user dismisses it. */
	async dismiss(): Promise<void> {
		await (await this.shown()).hover();
		await this.element.locator('.codicon-notifications-clear').click();
	}

	async gone(): Promise<void> {
		await this.element.waitFor({ state: 'detached', timeout: PATIENCE });
	}
}

/** For how long a user reads before they answer: what comes at once is taken for a key that was meant for something else (milliseconds). */
const READING = 1_000;

/** The modal dialog. */
export class Modal {
	readonly element: Locator;
	readonly #page: Page;

	constructor(page: Page) {
		this.#page = page;
		this.element = page.locator('.monaco-dialog-box');
	}

	/** The bold line. */
	message(): Promise<string> {
		return this.element.locator('.dialog-message-text').innerText();
	}

	/** Everything under the bold line. */
	detail(): Promise<string> {
		return this.element.locator('.dialog-message-detail').innerText();
	}

	buttons(): Promise<string[]> {
		return this.element.locator('.dialog-buttons .monaco-button').allInnerTexts();
	}

	/** Another one may take its place at once. */
	async click(button: Text): Promise<void> {
		await this.#page.waitForTimeout(READING);
		await this.element.getByRole('button', { name: button, exact: typeof button === 'string' }).click();
	}

	async press(button: Text): Promise<void> {
		await this.click(button);
		await this.element.waitFor({ state: 'detached', timeout: PATIENCE });
	}

	/** Escape, the way out that answers nothing. */
	async escape(): Promise<void> {
		await this.#page.waitForTimeout(READING);
		await this.element.press('Escape');
		await this.element.waitFor({ state: 'detached', timeout: PATIENCE });
	}
}

/** Quick pick or input box, whichever is open. */
export class QuickInput {
	readonly element: Locator;
	readonly #page: Page;

	constructor(page: Page) {
		this.#page = page;
		this.element = page.locator('.quick-input-widget');
	}

	get input(): Locator {
		return this.element.locator('.quick-input-filter input');
	}

	/** Waits until one is open whose title, prompt or placeholder holds the text. */
	async shows(text: Text): Promise<this> {
		const matches = (found: string) => (typeof text === 'string' ? found.includes(text) : text.test(found));
		await until(
			`a quick input that says ${text}`,
			async () => (await this.element.isVisible()) && matches(await this.#saying()),
		);
		return this;
	}

	async #saying(): Promise<string> {
		return [await this.title(), await this.prompt(), (await this.input.getAttribute('placeholder')) ?? ''].join('\n');
	}

	title(): Promise<string> {
		return this.element.locator('.quick-input-title').innerText();
	}

	/** The line under the box: the prompt, or why the value is not accepted. */
	prompt(): Promise<string> {
		return this.element.locator('.quick-input-message').innerText();
	}

	/** Labels of the entries that are rendered. */
	entries(): Promise<string[]> {
		// Rows are used again: where the detail line of an older entry stood, its text stays, unseen.
		return this.element
			.locator('.quick-input-list .monaco-list-row .quick-input-list-row:first-child .label-name')
			.allInnerTexts();
	}

	/** The entry whose label is exactly this. */
	entryNamed(label: string): Locator {
		const name = this.#page.locator('.label-name').getByText(label, { exact: true });
		return this.element.locator('.quick-input-list .monaco-list-row').filter({ has: name }).first();
	}

	/** The first entry that says this anywhere. */
	entry(text: Text): Locator {
		return this.element.locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first();
	}

	/** Chooses an entry: by its exact label, or by a pattern that it holds anywhere. */
	async pick(entry: Text): Promise<void> {
		await this.#click(`the entry ${entry}`, this.#find(entry));
	}

	/**
	 * Waits until it shows the text, and chooses the entry of this label. False when it has closed meanwhile: a form that opens
	 * late takes the focus from it.
	 */
	async takes(text: Text, label: string, moment: number): Promise<boolean> {
		await this.shows(text);
		// A list that changes at the moment of the click would have another one chosen; entries that are out of sight do not exist.
		return (
			(await succeeds(this.input.fill(label, { timeout: moment }))) &&
			succeeds(this.entryNamed(label).click({ timeout: moment }))
		);
	}

	/** Presses a button that belongs to one entry. */
	async pressOnEntry(entry: Text, button: string): Promise<void> {
		const row = this.#find(entry);
		await until(`the button ${button} of ${entry}`, async (moment) => {
			await this.#page.mouse.move(0, 0);
			await succeeds(row.hover({ timeout: moment }));
			return succeeds(row.getByRole('button', { name: button }).click({ timeout: moment }));
		});
	}

	/** Presses a button of the title bar, such as Back. */
	async press(button: string): Promise<void> {
		const title = this.element.locator('.quick-input-titlebar').getByRole('button', { name: button });
		await this.#click(`the button ${button}`, title);
	}

	/** Looks at a picker with a title until it has been there for a while: what is pressed at first does nothing. */
	async look(): Promise<void> {
		let seen = await this.#seen();
		let since = Date.now();
		await until('a picker that stays', async () => {
			const now = await this.#seen();
			if (now !== seen) {
				seen = now;
				since = Date.now();
			}
			return seen === '' || Date.now() - since > LOOK;
		});
	}

	async #seen(): Promise<string> {
		return (await this.element.isVisible()) ? this.title() : '';
	}

	async #click(what: string, target: Locator): Promise<void> {
		await target.waitFor();
		await this.look();
		await until(what, async (moment) => {
			// The tooltip of an entry may lie over it for as long as the mouse is there.
			await this.#page.mouse.move(0, 0);
			return succeeds(target.click({ timeout: moment }));
		});
	}

	#find(entry: Text): Locator {
		return typeof entry === 'string' ? this.entryNamed(entry) : this.entry(entry);
	}

	async fill(text: string): Promise<void> {
		await this.input.fill(text);
	}

	/** Fills the box and accepts it. */
	async enter(text: string): Promise<void> {
		await this.fill(text);
		await this.look();
		await this.input.press('Enter');
	}

	/** Accepts what is there. */
	async accept(): Promise<void> {
		await this.look();
		await this.#page.keyboard.press('Enter');
	}

	async escape(): Promise<void> {
		await this.look();
		await this.#page.keyboard.press('Escape');
	}

	async gone(): Promise<void> {
		await this.element.waitFor({ state: 'hidden', timeout: PATIENCE });
	}
}
