import type { Frame, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Editor } from './editor.ts';
import { appears, TIMEOUT, until } from './waiting.ts';

/** A user with a keyboard only. Fails at the first action beyond `mostActions`. */
export class KeyboardUser {
	readonly #actions: string[] = [];

	constructor(
		private readonly editor: Editor,
		private readonly mostActions: number,
	) {}

	/** Counts as one action, however many keys it takes. */
	async #act(action: string, keys: () => Promise<void>): Promise<void> {
		this.#actions.push(action);
		expect(this.#actions.length, this.#actions.join(', ')).toBeLessThanOrEqual(this.mostActions);
		await keys();
	}

	/** Runs the command that the palette offers first for these words. */
	runs(words: string, title: string): Promise<void> {
		return this.#act(title, async () => {
			// The editor's own welcome page takes the focus when it opens, which closes the palette.
			await until(`the command ${title}`, async (moment) => {
				await this.#press('F1');
				return (await appears(this.editor.quickInput.input, moment)) && this.#choose(words, title, moment);
			});
		});
	}

	/** Types until the entry is the one that Enter takes. */
	chooses(words: string, entry: string): Promise<void> {
		return this.#act(entry, async () => {
			await this.editor.quickInput.input.waitFor();
			expect(await this.#choose(words, entry, TIMEOUT), entry).toBe(true);
		});
	}

	/** Presses the button that Tab leads to. */
	pressesButton(name: string, within: Page | Frame = this.editor.page): Promise<void> {
		return this.#act(name, async () => {
			const button = within.getByRole('button', { name, exact: true });
			await button.waitFor();
			await until(`${name} to have the focus`, async () => {
				if (await button.evaluate((element) => element === document.activeElement)) {
					return true;
				}
				await this.#press('Tab');
				return false;
			});
			await this.#press('Enter');
		});
	}

	/** Goes down an open menu to that item, and presses Enter. */
	choosesFromMenu(name: string, within: Frame): Promise<void> {
		return this.#act(name, async () => {
			const item = within.getByRole('menuitem', { name, exact: true });
			await item.waitFor();
			while (!(await item.evaluate((element) => element === document.activeElement))) {
				await this.#press('ArrowDown');
			}
			await this.#press('Enter');
		});
	}

	/** Types into what has the focus, and sends it. */
	fillsAndSends(text: string): Promise<void> {
		return this.#act(`${text}, Enter`, async () => {
			await this.editor.page.keyboard.type(text);
			await this.#press('Enter');
		});
	}

	/** Takes the first entry once it is the wanted one; false where the list has closed meanwhile. */
	async #choose(words: string, entry: string, timeout: number): Promise<boolean> {
		const { element } = this.editor.quickInput;
		await this.editor.page.keyboard.type(words);
		const wanted = element.locator('.monaco-list-row.focused').filter({ hasText: entry });
		const found = await appears(wanted, timeout);
		if (found) {
			await this.#press('Enter');
		}
		return found;
	}

	#press(key: string): Promise<void> {
		return this.editor.page.keyboard.press(key);
	}
}
