import type { Locator, Page } from 'playwright-core';
import { appears, clicks, LOOK, succeeds, TIMEOUT, until } from './waiting.ts';

export type Text = string | RegExp;

/** The notification center, which keeps notifications after their toasts are gone. */
export class NotificationCenter {
	readonly list: Locator;
	readonly #bell: Locator;

	constructor(page: Page) {
		this.list = page.locator('.notifications-center');
		this.#bell = page.locator('.statusbar-item[id="status.notifications"]');
	}

	async open(): Promise<void> {
		await this.#become('visible');
	}

	async close(): Promise<void> {
		await this.#become('hidden');
	}

	/** The editor opens and closes it by itself, too, perhaps right before the click. */
	#become(state: 'visible' | 'hidden'): Promise<boolean> {
		return until(`the notification center to be ${state}`, async (moment) => {
			if ((await this.list.isVisible()) !== (state === 'visible')) {
				await succeeds(this.#bell.click({ timeout: moment }));
			}
			return succeeds(this.list.waitFor({ state, timeout: moment }));
		});
	}
}

/** The buttons of notifications that ask for consent. They ignore clicks right after they appear. */
const CONSENT = new Set(['Open URL', 'Copy URL', 'Details', 'Decline', 'Allow Scripts']);

/** A notification, as a toast or in the notification center. */
export class Notification {
	readonly element: Locator;
	readonly #bell: NotificationCenter;

	constructor(
		private readonly page: Page,
		private readonly text: Text,
	) {
		this.element = page.locator('.notification-list-item:visible').filter({ hasText: text }).first();
		this.#bell = new NotificationCenter(page);
	}

	/** Waits until it is visible. Opens the notification center if its toast may be gone. */
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

	/** Its visible message. */
	async message(): Promise<string> {
		return (await this.shown()).locator('.notification-list-item-message').innerText();
	}

	/** Its links, in the message of one that goes by itself, and its buttons. */
	async buttons(): Promise<string[]> {
		const links = '.notification-list-item-message a';
		return (await this.shown())
			.locator(`${links}, .notification-list-item-buttons-container .monaco-button`)
			.allInnerTexts();
	}

	/** The targets of the links in its message. */
	async links(): Promise<(string | null)[]> {
		return (await this.shown())
			.locator('.notification-list-item-message a')
			.evaluateAll((all) => all.map((link) => link.getAttribute('data-href') ?? link.getAttribute('href')));
	}

	/** Presses a button, or a link in the message: those that can be withdrawn have no buttons. */
	async press(button: string): Promise<void> {
		const shown = await this.shown();
		const link = shown.locator('.notification-list-item-message a').getByText(button, { exact: true });
		const target = shown.getByRole('button', { name: button, exact: true }).or(link).first();
		if (CONSENT.has(button)) {
			await this.page.waitForTimeout(LOOK);
		}
		await until(`the button ${button} of ${this.text}`, async (moment) => {
			// The tooltip of another element may cover it while the mouse is there.
			await this.page.mouse.move(0, 0);
			return clicks(target, moment);
		});
	}

	/** Dismisses it with its close button, which one that goes by itself does not have. */
	async dismiss(): Promise<void> {
		const cancel = this.element.getByRole('button', { name: 'Cancel', exact: true });
		const clear = this.element.locator('.codicon-notifications-clear').or(cancel).first();
		await until(`the notification ${this.text} to be dismissed`, async (moment) => {
			// A toast may move away from the mouse, and its button hides.
			const shown = await this.shown();
			return (await succeeds(shown.hover({ timeout: moment }))) && clicks(clear, moment);
		});
	}

	async gone(): Promise<void> {
		await this.element.waitFor({ state: 'detached', timeout: TIMEOUT });
	}
}

/** How long a dialog may take to come again that was answered too early (ms). */
const COMES_AGAIN = 10_000;

/** The answered dialogs that may come again, until the test looks at the next one. */
const answered = new WeakMap<Page, Modal>();

/** The modal dialog. */
export class Modal {
	readonly element: Locator;
	readonly #page: Page;

	constructor(page: Page) {
		this.#page = page;
		this.element = page.locator('.monaco-dialog-box');
		answered.delete(page);
	}

	/** The message, in bold. */
	message(): Promise<string> {
		return this.element.locator('.dialog-message-text').innerText();
	}

	/** The detail below the message. */
	detail(): Promise<string> {
		return this.element.locator('.dialog-message-detail').innerText();
	}

	buttons(): Promise<string[]> {
		return this.element.locator('.dialog-buttons .monaco-button').allInnerTexts();
	}

	/** The next dialog may open at once. */
	async click(button: Text): Promise<void> {
		await this.#page.waitForTimeout(LOOK);
		await this.#button(button).click();
	}

	async press(button: Text): Promise<void> {
		await this.#closes(() => this.#button(button).click());
	}

	/** Dismisses the dialog with Escape. */
	async escape(): Promise<void> {
		await this.#closes(() => this.element.press('Escape'));
	}

	#button(name: Text): Locator {
		return this.element.getByRole('button', { name, exact: typeof name === 'string' });
	}

	/** Waits until this very dialog has closed. */
	async #closes(act: () => Promise<void>): Promise<void> {
		const text = await this.message();
		const dialog = await this.element.elementHandle();
		await this.#page.waitForTimeout(LOOK);
		await act();
		await dialog?.waitForElementState('hidden', { timeout: TIMEOUT });
		// Otherwise the page keeps the dialog.
		await dialog?.dispose();
		answered.set(this.#page, this);
		void succeeds(this.#insist(text, act));
	}

	/** Answers again where the dialog comes again: to a host that is slow the first answer came too early. */
	async #insist(text: string, act: () => Promise<void>): Promise<void> {
		const end = Date.now() + COMES_AGAIN;
		while (answered.get(this.#page) === this && Date.now() < end) {
			await this.#page.waitForTimeout(200);
			if ((await this.element.isVisible()) && (await this.message()) === text) {
				await this.#page.waitForTimeout(LOOK);
				if (answered.get(this.#page) === this) {
					await act();
				}
			}
		}
	}
}

/** The title of a picker that ignores early clicks: of an elicitation or an input, of the list that takes the place of many, or of a place. */
const GUARDED = /^\s*(.* · |(Pending Elicitations|Add Server)(\n|$))/;

/** What the title says beside itself after a key or a click was ignored. */
const IGNORED = ' — Ignored: too soon. Press again.';

/** The open quick pick or input box. */
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

	/** Waits for one whose title, prompt, or placeholder contains the text. */
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

	async title(): Promise<string> {
		return (await this.element.locator('.quick-input-title').innerText()).replace(IGNORED, '');
	}

	/** The line below the box: the prompt or the validation message. */
	prompt(): Promise<string> {
		return this.element.locator('.quick-input-message').innerText();
	}

	/** Labels of the rendered entries. */
	entries(): Promise<string[]> {
		// Rows are recycled: hidden detail text of an earlier entry stays in the DOM.
		return this.element
			.locator('.quick-input-list .monaco-list-row .quick-input-list-row:first-child .label-name')
			.allInnerTexts();
	}

	/** Labels of the entries that Enter would take. */
	active(): Promise<string[]> {
		return this.element.locator('.quick-input-list .monaco-list-row.focused .label-name').allInnerTexts();
	}

	/** The entry with exactly this label. */
	entryNamed(label: string): Locator {
		const name = this.#page.locator('.label-name').getByText(label, { exact: true });
		return this.element.locator('.quick-input-list .monaco-list-row').filter({ has: name }).first();
	}

	/** The first entry that contains this text. */
	entry(text: Text): Locator {
		return this.element.locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first();
	}

	/** Picks an entry by its exact label or by a pattern. */
	async pick(entry: Text): Promise<void> {
		const shown = await this.#click(`the entry ${entry}`, this.#find(entry));
		if (GUARDED.test(shown) && !(await this.element.getByRole('checkbox').first().isVisible())) {
			await this.#insist(`the picker to take ${entry}`, shown, async (moment) => {
				// The tooltip of the entry would cover it.
				await this.#page.mouse.move(0, 0);
				await this.#find(entry).click({ timeout: moment });
			});
		}
	}

	/** Acts again as long as a picker ignores it as too early: a host that is slow counts from later on. */
	async #insist(what: string, shown: string, act: (moment: number) => Promise<void>): Promise<void> {
		await until(what, async (moment) => {
			const end = Date.now() + LOOK;
			while (Date.now() < end) {
				if ((await this.#text()) !== shown) {
					return true;
				}
				await this.#page.waitForTimeout(50);
			}
			await succeeds(act(moment));
			return false;
		});
	}

	/** All that it shows, except that it has ignored something. */
	async #text(): Promise<string> {
		return (await this.element.isVisible()) ? (await this.element.innerText()).replace(IGNORED, '') : '';
	}

	/**
	 * Waits until it shows the text and picks the entry with this label. Returns false if it has closed meanwhile: a form
	 * that opens late takes the focus.
	 */
	async takes(text: Text, label: string, moment: number): Promise<boolean> {
		await this.shows(text);
		// A list that changes during a click would pick another entry. Entries that are scrolled out of view aren't in the
		// DOM.
		return (await succeeds(this.input.fill(label, { timeout: moment }))) && clicks(this.entryNamed(label), moment);
	}

	/** Picks an entry of a list that contains the text in its title, prompt or placeholder. Returns false if the list closes before. */
	async picks(entry: Text, saying: string, moment: number): Promise<boolean> {
		const target = this.#find(entry);
		if (!(await appears(target, 2 * moment))) {
			return false;
		}
		await this.look();
		await this.#page.mouse.move(0, 0);
		return (await this.#saying().catch(() => '')).includes(saying) && clicks(target, moment);
	}

	/** Clicks a button of one entry. */
	async pressOnEntry(entry: Text, button: string): Promise<void> {
		const row = this.#find(entry);
		await until(`the button ${button} of ${entry}`, async (moment) => {
			await this.#page.mouse.move(0, 0);
			await succeeds(row.hover({ timeout: moment }));
			return clicks(row.getByRole('button', { name: button }), moment);
		});
	}

	/** Clicks a button of the title bar, such as Back. */
	async press(button: string): Promise<void> {
		const title = this.element.locator('.quick-input-titlebar').getByRole('button', { name: button });
		await this.#click(`the button ${button}`, title);
	}

	/** Waits before typing, because a picker ignores input right after it appears. */
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

	/** Returns what was shown before: all of it, because it has stayed for a while. */
	async #click(what: string, target: Locator): Promise<string> {
		await target.waitFor();
		await this.look();
		const shown = await this.#text();
		await until(what, async (moment) => {
			// The tooltip of an entry may cover it while the mouse is there.
			await this.#page.mouse.move(0, 0);
			return clicks(target, moment);
		});
		return shown;
	}

	#find(entry: Text): Locator {
		return typeof entry === 'string' ? this.entryNamed(entry) : this.entry(entry);
	}

	async fill(text: string): Promise<void> {
		await this.input.fill(text);
	}

	/** Types a text and accepts it. */
	async enter(text: string): Promise<void> {
		await this.fill(text);
		await this.accept();
	}

	/** Accepts the current value. */
	async accept(): Promise<void> {
		await this.#press('Enter');
	}

	async escape(): Promise<void> {
		await this.#press('Escape');
	}

	/** Presses a key until it is taken. */
	async #press(key: string): Promise<void> {
		const shown = await this.#text();
		await this.#type(key);
		if (GUARDED.test(shown)) {
			await this.#insist(`the picker to take ${key}`, shown, () => this.#type(key));
		}
	}

	/** Presses a key in the box: a dialog or a tab that has just closed may still give the focus back to something else. */
	async #type(key: string): Promise<void> {
		await this.look();
		await ((await this.input.isVisible()) ? this.input.press(key) : this.#page.keyboard.press(key));
	}

	async gone(): Promise<void> {
		await this.element.waitFor({ state: 'hidden', timeout: TIMEOUT });
	}
}
